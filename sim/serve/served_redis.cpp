#include "sim/serve/served_redis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "sim/scenario/nearest.hpp"
#include "sim/serve/link.hpp"

namespace holdfast::serve {
namespace {

constexpr std::array<std::string_view, 9> controls{"ADVANCE", "CLEAR",   "EVICT", "FAILOVER", "HELP",
                                                   "JUMP",    "RESTART", "RULE",  "RULES"};
constexpr std::array<std::string_view, 9> help_lines{
    "HOLDFAST RULE late-reply 500ms of SET every 3: adds a rule, and says its number",
    "  FAULT [TIME] [of COMMAND] [with GLOB of a word] [once | every N | one in N]",
    "HOLDFAST RULES: the rules, how many commands each concerned, how often it struck",
    "HOLDFAST CLEAR [N]: removes rule N, or all",
    "HOLDFAST ADVANCE 5s: time goes on by so much, for all that waits, too",
    "HOLDFAST JUMP 5s: the server's clock jumps, as an administrator sets it",
    "HOLDFAST RESTART: all data is gone, all other connections are cut",
    "HOLDFAST FAILOVER: a replica that lacks the last write takes over; all other connections are cut",
    "HOLDFAST EVICT GLOB: removes the keys that match, and says how many"};

Reply lines(const auto& texts) {
  std::vector<Reply> list;
  for (const auto& text : texts) list.push_back(Reply::bulk(std::string(text)));
  return Reply::array(std::move(list));
}

Duration duration_of(const Words& words) {
  const std::optional<Duration> read = words.size() == 3 ? parse_duration(words[2]) : std::nullopt;
  if (!read)
    throw std::invalid_argument(fmt::format("{} takes one time, such as 500ms", redis::upper(words[1])));
  return *read;
}

}  // namespace

ServedRedis::ServedRedis(live::Loop& loop, Service service,
                         std::function<void(const Rule&, const Words&)> on_strike)
    : loop_(loop),
      does_clock_stand_(service.does_clock_stand),
      on_strike_(std::move(on_strike)),
      address_(std::move(service.address)),
      random_(std::string(), service.seed),
      ended_(std::make_shared<std::vector<std::unique_ptr<Link>>>()) {
  redis_.set_replicas(1);
  replica_.set_replicas(1);
  for (Rule& rule : service.rules) rules_.emplace(++rules_made_, Standing{std::move(rule)});
  const int descriptor = address_.socket_path.empty() ? live::listen_at(address_.host, address_.port)
                                                      : live::listen_at(address_.socket_path);
  listener_.emplace(loop_, descriptor, [this](int connection) {
    const std::uint32_t number = ++accepted_;
    links_.emplace(number, std::make_unique<Link>(*this, number, connection));
  });
}

ServedRedis::~ServedRedis() {
  links_.clear();
  ended_->clear();
}

// --- time ---

Duration ServedRedis::elapsed() const {
  return advanced_ + (does_clock_stand_ ? Duration::zero() : live::steady_now() - began_);
}

void ServedRedis::at(Duration elapsed, std::function<void()> act) { due_.emplace(elapsed, std::move(act)); }

SteadyTime ServedRedis::do_what_is_due() {
  while (!due_.empty() && due_.begin()->first <= elapsed()) {
    const std::function<void()> act = std::move(due_.begin()->second);
    due_.erase(due_.begin());
    act();
  }
  Pushes pushes;
  redis_.end_waits_due(now(), pushes);
  deliver(std::move(pushes));
  Duration next = due_.empty() ? Duration::max() : due_.begin()->first;
  // A wait ends after its last instant.
  if (const std::optional<WallTime> end = redis_.next_wait_end(); end && *end != WallTime::max())
    next = std::min(next, *end - began_wall_ - jumped_ + 1us);
  if (next == Duration::max()) return SteadyTime::max();
  return does_clock_stand_ && next > elapsed() ? SteadyTime::max() : began_ + next - advanced_;
}

void ServedRedis::advance(Duration duration) {
  const Duration until = elapsed() + duration;
  while (!due_.empty() && due_.begin()->first <= until) {
    advanced_ += std::max(due_.begin()->first - elapsed(), Duration::zero());
    do_what_is_due();
  }
  advanced_ += std::max(until - elapsed(), Duration::zero());
  do_what_is_due();
}

// --- rules ---

bool ServedRedis::strikes(Standing& standing) {
  ++standing.met;
  switch (standing.rule.when) {
    case Rule::When::always: return true;
    case Rule::When::once: return standing.met == 1;
    case Rule::When::every: return standing.met % standing.rule.count == 0;
    case Rule::When::by_chance: return random_.jitter(Duration(standing.rule.count - 1)) == Duration::zero();
  }
  return false;
}

ServedRedis::Plan ServedRedis::plan_for(const Words& words) {
  Plan plan;
  for (auto& [number, standing] : rules_) {
    if (!standing.rule.concerns(words) || !strikes(standing)) continue;
    ++standing.struck;
    on_strike_(standing.rule, words);
    apply(standing.rule, words, plan);
  }
  return plan;
}

void ServedRedis::apply(const Rule& rule, const Words& words, Plan& plan) {
  switch (rule.fault) {
    case Fault::late_request: plan.request_late += rule.size; break;
    case Fault::late_reply: plan.reply_late += rule.size; break;
    case Fault::partition: plan.silence += rule.size; break;
    case Fault::lost_request: plan.loses_request = true; break;
    case Fault::lost_reply: plan.loses_reply = true; break;
    case Fault::duplicate: plan.is_doubled = true; break;
    case Fault::server_clock_jump: jumped_ += rule.size; break;
    case Fault::eviction: evict(words, rule.word.empty() ? "*" : rule.word); break;
    case Fault::restart: restart(); break;
    case Fault::failover: fail_over(); break;
    default: break;
  }
}

// Keys that the command names.
std::uint64_t ServedRedis::evict(const Words& words, const std::string& glob) {
  const Rule rule{.word = glob};
  std::uint64_t count = 0;
  for (auto word = words.begin() + 1; word != words.end(); ++word)
    if (rule.concerns({"", *word}) && redis_.value_of(*word)) {
      execute(ConnectionId{0}, {"DEL", *word});
      ++count;
    }
  return count;
}

void ServedRedis::restart(std::uint32_t but) {
  cut_all(but);
  redis_.restart();
  replica_.restart();
  lag_.clear();
}

void ServedRedis::fail_over(std::uint32_t but) {
  cut_all(but);
  lag_.clear();
  replica_.disconnect_all();
  redis_ = replica_;
}

// --- commands ---

std::optional<Reply> ServedRedis::execute(ConnectionId connection, const Words& words) {
  redis::Changes changes;
  Pushes pushes;
  std::optional<Reply> reply = redis_.execute(connection, words, now(), changes, pushes);
  replicate({connection, words, now(), !changes.empty()});
  // A replica has what was waited for.
  if (redis::upper(words[0]) == "WAIT") catch_up();
  deliver(std::move(pushes));
  return reply;
}

void ServedRedis::replicate(Replicated what) {
  if (what.has_written) catch_up();
  lag_.push_back(std::move(what));
}

void ServedRedis::catch_up() {
  redis::Changes changes;
  Pushes pushes;
  for (const Replicated& each : std::exchange(lag_, {})) {
    replica_.end_waits_due(each.at, pushes);
    if (each.words.empty()) replica_.disconnect(each.connection);
    else if (!replica_.is_waiting(each.connection))
      replica_.execute(each.connection, each.words, each.at, changes, pushes);
  }
}

void ServedRedis::deliver(Pushes pushes) {
  for (const Push& push : pushes) {
    const auto found = links_.find(push.connection.value);
    if (found == links_.end()) continue;
    Link& link = *found->second;
    link.receive(push.message, link.is_waiting() && !redis_.is_waiting(link.id()));
  }
}

// --- connections ---

void ServedRedis::forget(ConnectionId connection) {
  redis_.disconnect(connection);
  replicate({connection, {}, now(), false});
}

// Not at once: its own code is being executed.
void ServedRedis::cut(Link& link) {
  const auto found = links_.find(link.id().value);
  if (found == links_.end()) return;
  forget(link.id());
  link.note_end();
  ended_->push_back(std::move(found->second));
  links_.erase(found);
  loop_.soon([ended = ended_] { ended->clear(); });
}

void ServedRedis::cut_all(std::uint32_t but) {
  std::vector<Link*> links;
  for (const auto& [number, link] : links_)
    if (number != but) links.push_back(link.get());
  for (Link* const link : links) cut(*link);
}

// --- HOLDFAST ---

Reply ServedRedis::control(const Words& words, const Link& link) try {
  const std::string what = words.size() > 1 ? redis::upper(words[1]) : "HELP";
  if (what == "HELP") return lines(help_lines);
  if (what == "RULES") return list_rules();
  if (what == "CLEAR") return clear(words);
  if (what == "RULE") {
    Rule rule = words.size() == 3 ? parse_rule(words[2]) : parse_rule(Words(words.begin() + 2, words.end()));
    rules_.emplace(++rules_made_, Standing{std::move(rule)});
    return Reply::integer(static_cast<std::int64_t>(rules_made_));
  }
  if (what == "EVICT") {
    if (words.size() != 3) throw std::invalid_argument("EVICT takes a key, or a glob such as 'job*'");
    Words keys{""};
    redis_.visit(
        [&](std::string_view key, std::string_view, std::optional<WallTime>) { keys.emplace_back(key); });
    return Reply::integer(static_cast<std::int64_t>(evict(keys, words[2])));
  }
  if (what == "ADVANCE") advance(duration_of(words));
  else if (what == "JUMP") jumped_ += duration_of(words);
  else if (what == "RESTART") restart(link.id().value);
  else if (what == "FAILOVER") fail_over(link.id().value);
  else {
    const std::optional<std::string_view> near = nearest(what, controls);
    throw std::invalid_argument(fmt::format("HOLDFAST {} is not known{}; see HOLDFAST HELP", words[1],
                                            near ? fmt::format(" - did you mean {}?", *near) : ""));
  }
  return Reply::ok();
} catch (const std::invalid_argument& why) {
  return Reply::error(std::string("ERR ") + why.what());
}

Reply ServedRedis::list_rules() const {
  std::vector<std::string> texts;
  for (const auto& [number, standing] : rules_)
    texts.push_back(fmt::format("{}: {}; concerned {}, struck {}", number, text_of(standing.rule),
                                standing.met, standing.struck));
  return lines(texts);
}

Reply ServedRedis::clear(const Words& words) {
  if (words.size() == 2) {
    rules_.clear();
    return Reply::ok();
  }
  std::uint64_t number = 0;
  const std::string& word = words[2];
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || rules_.erase(number) == 0)
    throw std::invalid_argument(fmt::format("there is no rule {}; see HOLDFAST RULES", word));
  return Reply::ok();
}

}  // namespace holdfast::serve
