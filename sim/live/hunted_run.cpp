#include "sim/live/hunted_run.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <exception>
#include <system_error>
#include <utility>

namespace holdfast::live {
namespace {

// Of a tick.
constexpr int slack_share = 8;
constexpr int beat_share = 16;
constexpr std::uint32_t messages_struck = 4;  // a fault that meets a message meets one of the first
constexpr Duration look_interval = 2ms;
constexpr int ticks_most = 100;  // a run that takes longer is given up

// What meets a message, or a client before it sends one, and not a time.
bool strikes_messages(Fault fault) {
  return fault_table.striking({Struck::request, Struck::reply}).contains(fault);
}

Duration until_whole_second(WallTime now) { return std::chrono::ceil<std::chrono::seconds>(now) - now; }

bool stops_clients(Fault fault) { return fault_table.doing(Harm::stops).contains(fault); }

Blow draw_blow(const Quarry& quarry, LiveRandom& random) {
  const auto any_of = [&](std::uint32_t count) {
    return static_cast<std::uint32_t>(random.jitter(Duration(count - 1)).count());
  };
  Blow blow{.fault = quarry.fault};
  blow.client = ClientId{any_of(quarry.clients)};
  const bool stops = stops_clients(blow.fault);
  const std::uint32_t when = any_of(3);
  const bool before_a_message = stops && when == 1;
  blow.while_held = when == 2 && !strikes_messages(blow.fault);
  if (strikes_messages(blow.fault) || before_a_message) blow.message = 1 + any_of(messages_struck);
  // Most happens in the beginning, and what lasts longest breaks most.
  blow.at = random.jitter((any_of(2) == 0 ? 3 : 8) * quarry.tick);
  const Duration slack = quarry.tick / slack_share;
  if (quarry.fault_length > slack) blow.length = quarry.fault_length - slack;
  if (any_of(2) == 0) blow.length = random.jitter(blow.length);
  blow.way = any_of(3);
  if (blow.fault != Fault::clock_skew) return blow;
  blow.client = ClientId{0};  // it is the first whose clock a workload sets
  blow.length = any_of(2) == 0 ? quarry.fault_length : -quarry.fault_length;
  return blow;
}

std::string in_words(const Blow& blow) {
  const std::string who = name_of(blow.client);
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(blow.length);
  const std::string length = std::to_string(milliseconds.count()) + "ms";
  std::string when = blow.while_held ? fmt::format(" while {} holds the lock", who) : "";
  if (blow.message != 0) when = fmt::format(" before its message number {}", blow.message);
  switch (blow.fault) {
    case Fault::none: return "nothing goes wrong";
    case Fault::crash: return fmt::format("{} is killed{}", who, when);
    case Fault::pause: return fmt::format("{} is stopped for {}{}", who, length, when);
    case Fault::slow_section: return fmt::format("{} works {} longer", who, length);
    case Fault::clock_skew: return fmt::format("the wall clock of {} is wrong by {}", who, length);
    case Fault::partition: return fmt::format("{} is cut off for {}{}", who, length, when);
    case Fault::restart: return "the server is killed and starts again" + when;
    case Fault::eviction: return "the server drops the key" + when;
    case Fault::late_request: return fmt::format("request {} of {} takes {}", blow.message, who, length);
    case Fault::late_reply: return fmt::format("reply {} to {} takes {}", blow.message, who, length);
    default: return fmt::format("{} strikes message number {} of {}", id_of(blow.fault), blow.message, who);
  }
}

}  // namespace

HuntedRunner::HuntedRunner(Loop& loop, const GateServer& server, const Quarry& quarry, std::uint64_t seed,
                           const std::string& name)
    : loop_(loop),
      quarry_(quarry),
      slack_(quarry.tick / slack_share),
      name_(name),
      random_(std::string(), seed),
      seed_(seed),
      blow_(draw_blow(quarry, random_)),
      wall_shift_(until_whole_second(wall_now())),
      log_(quarry.clients + 1),
      processes_(quarry.clients + 1),
      gate_(
          loop, server, gate_rules(),
          [this](ClientId client) {
            return Acquisition{client, log_.corner(client).acquisition};
          },
          [this] { return log_.now(); },
          [this](What what) {
            log_.note(Event{Step{}, Instant{}, actor_of(NodeId{}), std::move(what)});
          }),
      end_(steady_now() + ticks_most * quarry.tick) {
  for (std::uint32_t i = 0; i < quarry.clients; ++i) {
    processes_[i].is_expected = true;
    after(random_.jitter(quarry.tick), [this, i] { start(ClientId{i}); });
  }
  if (blow_.message == 0 && !blow_.while_held) after(blow_.at, [this] { strike(); });
  waits_for_holder_ = blow_.while_held;
  has_struck_ = quarry.fault == Fault::none || quarry.fault == Fault::clock_skew;
  after(look_interval, [this] { look(); });
}

HuntedRunner::~HuntedRunner() {
  for (const Loop::Timer& timer : timers_) loop_.cancel(timer);
  end_all();
}

GateRules HuntedRunner::gate_rules() {
  return {.keys = quarry_.keys_of(name_ + "lock:0"),
          .clients = quarry_.clients + 1,
          .delay_planned = quarry_.tick - 3 * slack_,
          .delay_most = quarry_.tick - slack_,
          .patience = quarry_.timeout,
          .blow = blow_,
          .seed = seed_ + 1};
}

void HuntedRunner::after(Duration wait, std::function<void()> act) {
  const auto timer = std::make_shared<Loop::Timer>();
  *timer = loop_.at(steady_now() + wait, [this, timer, todo = std::move(act)] {
    timers_.erase(*timer);
    todo();
  });
  timers_.insert(*timer);
}

// --- the process of a client ---

void HuntedRunner::start(ClientId client) {
  Process& process = processes_[client.value];
  const pid_t parent = ::getpid();
  process.is_expected = false;
  process.id = ::fork();
  if (process.id < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
  if (process.id == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Sockets of other runs must end with their runs.
    ::close_range(STDERR_FILENO + 1, UINT_MAX, 0);
    if (::getppid() == parent) be(client, process.incarnation);
    ::_exit(0);  // what else this process has belongs to its parent
  }
  ++process.incarnation;
}

void HuntedRunner::be(ClientId client, std::uint32_t incarnation) {
  constexpr std::uint32_t acquisitions_most = 1000;
  Corner& corner = log_.corner(client);
  try {
    const Workload workload = workload_of(client, incarnation);
    SharedLog::Writer writer(log_);
    Trace trace(false);
    trace.subscribe(writer);
    Part part{client.value, nullptr, &corner.counters, incarnation * acquisitions_most};
    part.beat = quarry_.tick / beat_share;
    part.on_stall = [&corner](Duration length) { corner.stalled += to_microseconds(length); };
    if (client == blow_.client && blow_.message != 0 && incarnation == 0)
      part.before_send = [this] { before_send(); };
    const RunFacts facts = live::perform(
        {Node(gate_.address_of(client))}, workload, quarry_.make, trace, [] { return false; }, part);
    for (const auto& [fault, count] : facts.struck) corner.struck[static_cast<std::size_t>(fault)] += count;
    facts.error.copy(corner.error.data(), corner.error.size() - 1);
  } catch (const std::exception& error) {
    std::string(error.what()).copy(corner.error.data(), corner.error.size() - 1);
  }
}

Workload HuntedRunner::workload_of(ClientId client, std::uint32_t incarnation) const {
  const bool is_probe = client == probe();
  const bool is_victim = client == blow_.client && incarnation == 0;
  Workload workload{.clients = 1,
                    .work = is_probe ? Duration::zero() : quarry_.work - slack_,
                    .retry = is_probe ? quarry_.recovery : quarry_.retry,
                    .attempts = is_probe ? quarry_.recovery_attempts : quarry_.attempts,
                    .timeout = quarry_.timeout - slack_,
                    .key_prefix = name_,
                    .unique = fmt::format("{}{}-", name_, incarnation),
                    .seed = seed_ + 16 * (incarnation + 1) + client.value,
                    .length = std::nullopt,
                    .pairs = is_probe ? 1 : quarry_.rounds};
  workload.wall_shift = wall_shift_;
  workload.driver_retries = quarry_.driver_retries;
  if (!is_probe) workload.retry_late = quarry_.retry_late;
  workload.one_in = 1;
  workload.fault_length = blow_.length;
  if (is_victim && blow_.fault == Fault::slow_section) workload.faults = {Fault::slow_section};
  if (blow_.fault == Fault::clock_skew && client == blow_.client) workload.faults = {Fault::clock_skew};
  return workload;
}

// Between what the client saw last and what it asks for next. It is killed, if it is to be, once it stands
// still.
void HuntedRunner::before_send() {
  const bool stops = stops_clients(blow_.fault);
  if (stops && ++sent_ == blow_.message) ::raise(SIGSTOP);
}

// --- what becomes of it ---

void HuntedRunner::strike() {
  const bool stops = stops_clients(blow_.fault);
  const pid_t victim = processes_[blow_.client.value].id;
  if (stops && victim > 0) ::kill(victim, SIGSTOP);
  if (!stops && stage_ == Stage::contending) gate_.strike();
}

void HuntedRunner::look() {
  if (stage_ == Stage::over) return;
  for (std::uint32_t i = 0; i < processes_.size(); ++i) look_at(ClientId{i});
  if (waits_for_holder_) look_for_holder();
  go_on_if_quiet();
  if (stage_ != Stage::over && steady_now() > end_) {
    trouble_ = "it did not end";
    end_all();
    stage_ = Stage::over;
  }
  if (stage_ != Stage::over) after(look_interval, [this] { look(); });
}

// A client that is stopped is the first that gets the lock: then the other one has to wait for it.
void HuntedRunner::look_for_holder() {
  for (std::uint32_t i = 0; i < quarry_.clients; ++i) {
    const bool is_able = stops_clients(blow_.fault) || blow_.client == ClientId{i};
    if (!is_able || !log_.corner(ClientId{i}).is_claiming) continue;
    waits_for_holder_ = false;
    blow_.client = ClientId{i};
    return strike();
  }
}

void HuntedRunner::look_at(ClientId client) {
  Process& process = processes_[client.value];
  int status = 0;
  if (process.id <= 0 || ::waitpid(process.id, &status, WNOHANG | WUNTRACED) != process.id) return;
  if (WIFSTOPPED(status)) return on_stopped(client);
  process.id = -1;
  if (WIFSIGNALED(status)) trouble_ = fmt::format("a client died of signal {}", WTERMSIG(status));
}

// A client that is to be killed stands still already, so its claim ends in the log before it does in reality.
void HuntedRunner::on_stopped(ClientId client) {
  Process& process = processes_[client.value];
  has_struck_ = true;
  if (blow_.fault == Fault::crash) {
    note(client, Crashed{client});
    ::kill(process.id, SIGKILL);
    ::waitpid(process.id, nullptr, 0);
    process.id = -1;
    process.is_expected = true;
    after(quarry_.restart, [this, client] { start(client); });
    return;
  }
  note(client, Paused{client});
  process.stopped = steady_now();
  after(blow_.length, [this, client] {
    Process& its = processes_[client.value];
    note(client, Resumed{client, blow_.length});
    ::kill(its.id, SIGCONT);
    paused_ += steady_now() - *std::exchange(its.stopped, std::nullopt) + look_interval;
  });
}

bool HuntedRunner::are_all_done() const {
  for (const Process& process : processes_)
    if (process.id > 0 || process.is_expected) return false;
  return true;
}

void HuntedRunner::go_on_if_quiet() {
  if (!are_all_done() || !gate_.is_idle()) return;
  if (stage_ == Stage::probing) {
    note(probe(), Ended{});
    stage_ = Stage::over;
    return;
  }
  stage_ = Stage::probing;
  note(probe(), Calm{probe(), quarry_.recovery_attempts * quarry_.recovery});
  end_ = steady_now() + ticks_most * quarry_.tick;
  start(probe());
}

void HuntedRunner::end_all() {
  for (Process& process : processes_) {
    if (process.id <= 0) continue;
    ::kill(process.id, SIGKILL);
    ::waitpid(process.id, nullptr, 0);
    process.id = -1;
  }
}

bool HuntedRunner::keeps_to_bounds() {
  if (is_beyond_ || gate_.was_late()) return false;
  if (paused_ > quarry_.fault_length) return false;
  for (std::uint32_t i = 0; i < processes_.size(); ++i) {
    const bool is_victim = ClientId{i} == blow_.client;
    const Duration stalled(log_.corner(ClientId{i}).stalled.load());
    if (stalled > (is_victim ? paused_ : Duration::zero()) + slack_) return false;
  }
  return true;
}

HuntedRun HuntedRunner::result() {
  HuntedRun run;
  Trace trace(true);
  log_.tell(trace, Workload());
  run.events = trace.events();
  run.blow = in_words(blow_);
  run.has_struck = has_struck_ || gate_.has_struck();
  for (std::uint32_t i = 0; i < processes_.size(); ++i) {
    const Corner& corner = log_.corner(ClientId{i});
    run.has_struck |= corner.struck[static_cast<std::size_t>(blow_.fault)] != 0;
    if (corner.error[0] != '\0') trouble_ = corner.error.data();
  }
  if (gate_.is_waited_at()) trouble_ = "a client waits at the server, which a hunt cannot handle";
  run.is_within = keeps_to_bounds();
  run.trouble = trouble_;
  return run;
}

}  // namespace holdfast::live
