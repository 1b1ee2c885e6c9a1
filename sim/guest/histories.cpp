#include "sim/guest/histories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <string_view>
#include <utility>

#include "sim/core/invariant.hpp"

namespace holdfast::guest {
namespace {

// One history in so many is told to a new run of the program, and compared, if it is no longer than this:
// those of measurements, which go on for a minute, are not.
constexpr std::size_t audited_every = 16;
constexpr std::uint32_t audited_length_max = 32;

void append(std::string& text, const std::string& word) { text += fmt::format("{}:{} ", word.size(), word); }

void append(std::string& text, const Reply& reply) {
  text += static_cast<char>('a' + static_cast<int>(reply.kind()));
  if (reply.kind() == Reply::Kind::integer) text += std::to_string(reply.number());
  append(text, reply.text());
  if (reply.elements().empty()) return;
  text += '[';
  for (const Reply& element : reply.elements()) append(text, element);
  text += ']';
}

constexpr std::array effect_names{
    "sends",      "sleeps", "waits no more for", "closes connection", "asks for the time", "is granted",
    "is refused", "fails",  "has released",      "does not hold",     "does not know",     "renewed",
    "lost"};

}  // namespace

std::string_view id_of(Told::Kind kind) {
  constexpr std::array<std::string_view, 7> ids{"begin", "acquire", "release", "abort",
                                                "reply", "woke",    "time"};
  return ids[static_cast<std::size_t>(kind)];
}

std::string text_of(const Told& event) {
  std::string text = fmt::format("{} {} {} {} ", id_of(event.kind), event.party, event.id, event.number);
  for (const std::string& word : event.words) append(text, word);
  if (event.kind == Told::Kind::reply) append(text, event.reply);
  if (event.elapsed >= 0) text += fmt::format("after {} at {}", event.elapsed, event.wall);
  return text;
}

bool Effect::operator==(const Effect& other) const {
  return kind == other.kind && party == other.party && id == other.id && server == other.server &&
         connection == other.connection && number == other.number && duration == other.duration &&
         lease_until == other.lease_until && text == other.text && words == other.words;
}

std::string text_of(const Effect& effect) {
  std::string text = effect_names[static_cast<std::size_t>(effect.kind)];
  for (const std::string& word : effect.words) text += " " + word;
  if (!effect.text.empty()) text += " " + effect.text;
  if (effect.kind == Effect::Kind::sleep) text += fmt::format(" for {} us", effect.duration.count());
  if (effect.line.line != 0) text += fmt::format(" ({}:{})", effect.line.file, effect.line.line);
  return text;
}

void Histories::visit(const std::function<void(Node, std::string_view)>& see) const {
  const std::shared_lock reading(mutex_);
  const auto visit_from = [&see](const auto& self, const History& from) -> void {
    for (const auto& [told, node] : from.next) {
      see(node, told);
      self(self, *node);
    }
  };
  visit_from(visit_from, root_);
}

void Histories::end_runs() {
  const std::unique_lock hold(mutex_);
  running_.clear();
}

Histories::Histories(Begin begin, std::size_t running_max, TimeToTell time)
    : begin_(std::move(begin)), running_max_(running_max), time_(time) {}

void Histories::require_same(const History& known, const Action& again) const {
  const std::vector<Effect>& before = known.action.effects;
  const std::vector<Effect>& now = again.effects;
  const auto [one, other] = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
  if (one == before.end() && other == now.end()) return;
  throw Unusable(fmt::format(
      "the program is not deterministic: told the same history, it did \"{}\", and then \"{}\"",
      one == before.end() ? "nothing" : text_of(*one), other == now.end() ? "nothing" : text_of(*other)));
}

Action Histories::tell(Running& running, const Told& event) {
  ++statistics_.told;
  return running.session->tell(event);
}

Histories::Running Histories::run_to(Node node) {
  const auto there = std::find_if(running_.begin(), running_.end(),
                                  [&](const Running& running) { return running.at == node; });
  const bool is_audit = learnt_.size() % audited_every == 0 && node->length <= audited_length_max;
  if (there != running_.end() && !is_audit) {
    Running running = std::move(*there);
    running_.erase(there);
    return running;
  }
  std::vector<Node> path;
  for (Node each = node; each != &root_; each = each->before) path.push_back(each);
  Running running{node, begin_()};
  ++statistics_.sessions;
  for (auto each = path.rbegin(); each != path.rend(); ++each) {
    const Action again = tell(running, (*each)->event);
    require_same(**each, again);
    ++statistics_.compared;
  }
  return running;
}

Node Histories::next(Node node, const Told& event) {
  const std::string key = text_of(event);
  {
    const std::shared_lock reading(mutex_);
    if (const auto found = node->next.find(key); found != node->next.end()) return found->second;
  }
  const std::unique_lock writing(mutex_);
  if (const auto found = node->next.find(key); found != node->next.end()) return found->second;
  Running running = run_to(node);
  Action action = tell(running, event);
  if (!action.problem.empty() && std::find(statistics_.problems.begin(), statistics_.problems.end(),
                                           action.problem) == statistics_.problems.end())
    statistics_.problems.push_back(action.problem);
  const History& made = learnt_.emplace_back(History{node, node->length + 1, event, std::move(action)});
  node->next.emplace(key, &made);
  running.at = &made;
  if (running_.size() == running_max_) running_.erase(running_.begin());
  running_.push_back(std::move(running));
  return &made;
}

Histories::Statistics Histories::statistics() const {
  const std::shared_lock reading(mutex_);
  Statistics statistics = statistics_;
  statistics.histories = learnt_.size();
  return statistics;
}

}  // namespace holdfast::guest
