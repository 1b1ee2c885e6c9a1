#include "sim/process/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/guest/guest_lock.hpp"
#include "sim/process/keeper.hpp"
#include "sim/process/session.hpp"

namespace holdfast::process {
namespace {

constexpr std::uint64_t seed_of_processes = 0x686F6C6466617374;
// How much later each step happens than it could. What a program does after a second, and after an hour, it
// is taken to do after any time, or else it asks its clock in earnest. No time at all would not tell a wait
// that goes on from one that begins anew.
constexpr std::array<Ns, 3> lateness{2'000 * microsecond, 3'600 * second + 137'000 * microsecond, second};

// One that is told how much time has passed has only clocks that began at other times.
std::size_t late_runs(guest::TimeToTell told) {
  if (told == guest::TimeToTell::nothing) return lateness.size() - 1;
  return told == guest::TimeToTell::elapsed ? 1 : 0;
}
// Processes take more room than scripts do.
constexpr std::size_t running_max = 12;

// Everything about a run happens on the keeper's thread.
class OnKeeper final : public guest::Session {
 public:
  explicit OnKeeper(const std::function<std::unique_ptr<guest::Session>()>& begin) {
    Keeper::instance().run([&] { session_ = begin(); });
  }
  ~OnKeeper() override {
    Keeper::instance().run([&] { session_.reset(); });
  }
  guest::Action tell(const guest::Told& event) override {
    guest::Action action;
    Keeper::instance().run([&] { action = session_->tell(event); });
    return action;
  }

 private:
  std::unique_ptr<guest::Session> session_;
};

// What makes runtimes the same in every run; what the user's environment says of these does not count.
constexpr std::string_view usual_environment[] = {
    "HOLDFAST_GUEST=1", "PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1",
    "GOMAXPROCS=1",     "TZ=UTC",           "LC_ALL=C.UTF-8"};

// Later values count.
std::vector<std::string> with_usual(std::vector<std::string> environment,
                                    const std::vector<std::string>& chosen) {
  const auto put = [&environment](std::string_view each) {
    const std::string_view name = each.substr(0, each.find('=') + 1);
    std::erase_if(environment, [&](const std::string& known) { return known.starts_with(name); });
    environment.emplace_back(each);
  };
  for (const std::string_view each : usual_environment) put(each);
  for (const std::string& each : chosen) put(each);
  return environment;
}

// Each zygote has a memory layout and a seed of its own. Several runs may share one.
constexpr std::uint64_t zygotes_max = 2;

}  // namespace

struct Program::Zygote {
  Zygote(const Start& start, int layout, Permissions permissions)
      : tree(start), guest(tree, start.seed, static_cast<std::uint64_t>(layout), GuestClock(), permissions) {}
  Tree tree;
  Guest guest;
};

Program::Program(Command command, std::vector<std::string> environment)
    : command_(std::move(command)),
      environment_(with_usual(std::move(environment), command_.environment)),
      usual_nodes_(command_.nodes ? std::to_string(*command_.nodes) : std::string()),
      time_(command_.is_told_time ? guest::TimeToTell::elapsed : guest::TimeToTell::nothing),
      histories_() {
  histories_.push_back(make_histories({}));
  card_ = guest::program_card(command_.id, command_.summary, usual_nodes_, [this](const Params& params) {
    return std::make_unique<guest::GuestLock>(*histories_.back(), params, false);
  });
  card_.presumed = [this] { return histories_.back().get(); };
}

Program::~Program() {
  Keeper::instance().run([&] {
    histories_.clear();
    zygotes_.clear();
  });
}

std::unique_ptr<guest::Histories> Program::make_histories(std::vector<std::uint64_t> chances) {
  constexpr std::size_t twins = 2;
  constexpr std::size_t fresh = 11;
  const auto begin = [this](std::uint64_t chance, std::size_t late) {
    return std::make_unique<OnKeeper>([this, chance, late]() -> std::unique_ptr<guest::Session> {
      return std::make_unique<ProcessSession>(*this, chance, late);
    });
  };
  return std::make_unique<guest::Histories>(
      guest::Histories::Runs{.begin = begin,
                             .twins = twins,
                             .late = late_runs(time_),
                             .fresh = fresh,
                             .waiting_max = running_max,
                             .time = time_,
                             .has_classes = time_ != guest::TimeToTell::wall && !tells_every_time_,
                             .chances = std::move(chances)});
}

void Program::tell_every_time() {
  tells_every_time_ = true;
  histories_.back() = make_histories({});
}

bool Program::tell_more_time() {
  if (time_ == guest::TimeToTell::wall) return false;
  time_ = time_ == guest::TimeToTell::nothing ? guest::TimeToTell::elapsed : guest::TimeToTell::wall;
  histories_.push_back(make_histories(histories_.back()->chances()));
  return true;
}

bool Program::let_texts_repeat() {
  std::vector<std::uint64_t> chances = histories_.back()->chances_to_explore();
  if (chances.empty()) return false;
  histories_.push_back(make_histories(std::move(chances)));
  return true;
}

void Program::note(const Guest& guest) {
  for (const auto& [call, count] : guest.calls()) observed_.calls[call] += count;
  observed_.written.insert(guest.written().begin(), guest.written().end());
  observed_.has_threads = observed_.has_threads || guest.may_have_threads();
  observed_.has_ioredis = observed_.has_ioredis || guest.has_ioredis();
}

Running Program::begin(std::uint64_t chance, std::size_t late, int servers,
                       const std::vector<std::string>& parameters) {
  const int layout = static_cast<int>(chance % zygotes_max);
  GuestClock clock;
  clock.told = time_;
  clock.has_other_epochs = late > 0 && time_ == guest::TimeToTell::elapsed;
  clock.late_by_step = lateness[late];
  const Permissions permissions{.first_port = command_.protocol->first_port, .servers = servers};
  std::vector<std::string> environment = environment_;
  environment.insert(environment.end(), parameters.begin(), parameters.end());
  Start start{.command = command_.words,
              .environment = environment,
              .seed = seed_of_processes + chance,
              .has_random_layout = layout != 0,
              .directory = command_.directory};
  Running running;
  if (has_run_ && !is_zygote_) {
    auto tree = std::make_shared<Tree>(start);
    running.guest = std::make_unique<Guest>(*tree, start.seed, chance, clock, permissions);
    running.tree = tree;
    return running;
  }
  std::shared_ptr<Zygote>& zygote = zygotes_[{layout, environment}];
  if (!zygote) {
    zygote = std::make_shared<Zygote>(start, layout, permissions);
    zygote->guest.run();
    if (zygote->guest.is_finished())
      throw guest::Unusable(zygote->guest.end_in_words() + zygote->guest.last_errors());
    const std::vector<std::string> lines = zygote->guest.take_lines();
    is_zygote_ = std::find(lines.begin(), lines.end(), "zygote") != lines.end();
    has_run_ = true;
    zygote->guest.let_it_fork();
    if (!is_zygote_) {
      zygotes_.clear();
      return begin(chance, late, servers, parameters);
    }
  }
  running.guest = std::make_unique<Guest>(zygote->tree, start.seed, chance, clock, permissions);
  running.tree = zygote;
  zygote->guest.tell_line("run");
  zygote->guest.run();
  return running;
}

namespace programs {
namespace {

std::list<Program>& all() {
  // It is needed as long as they are.
  Keeper::instance();
  static std::list<Program> programs;
  return programs;
}

}  // namespace

const Program& load(Command command, const std::vector<std::string>& environment) {
  for (const Program& known : all())
    if (known.command().id == command.id) return known;
  return all().emplace_back(std::move(command), environment);
}

Program* of(const Card& card) {
  for (Program& known : all())
    if (known.card().id == card.id) return &known;
  return nullptr;
}

bool tell_more_time() {
  bool is_more = false;
  for (Program& each : all()) is_more = each.tell_more_time() || is_more;
  return is_more;
}

bool let_texts_repeat() {
  bool is_news = false;
  for (Program& each : all()) is_news = each.let_texts_repeat() || is_news;
  return is_news;
}

}  // namespace programs

}  // namespace holdfast::process
