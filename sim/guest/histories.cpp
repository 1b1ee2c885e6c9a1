#include "sim/guest/histories.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/guest/patterns.hpp"

namespace holdfast::guest {
namespace {

// One history in so many is told to a new run of the program, and compared, if it is no longer than this:
// those of measurements, which go on for a minute, are not.
constexpr std::size_t audited_every = 16;
constexpr std::uint32_t audited_length_max = 32;
// Of the first run that is only asked for some texts: of no client, as first_twin.
constexpr std::uint64_t first_fresh = std::uint64_t{1} << 62;

std::string name_of(const Voice& voice) {
  std::string name = std::to_string(voice.chance);
  for (const std::string& part : voice.granted) name += fmt::format(" {}:{}", part.size(), part);
  return name;
}

std::vector<Node> way_between(Node from, Node to) {
  std::vector<Node> way;
  for (Node each = to; each != from; each = each->before) way.push_back(each);
  std::reverse(way.begin(), way.end());
  return way;
}

bool has_text(const Reply& reply) {
  return (reply.kind() == Reply::Kind::bulk && !reply.text().empty()) ||
         std::any_of(reply.elements().begin(), reply.elements().end(), has_text);
}
// There a program may look into a text that it was told, and that another one made.
bool is_told_text(const Told& event) { return event.kind == Told::Kind::reply && has_text(event.reply); }

template <class See>
void see_made(const Action& action, const See& see) {
  for (const Effect& effect : action.effects) {
    if (has_mark(effect.text)) see(effect.text);
    for (const std::string& word : effect.words)
      if (has_mark(word)) see(word);
  }
}

const Effect* granted_in(const Action& action) {
  const auto found = std::find_if(action.effects.begin(), action.effects.end(), [](const Effect& each) {
    return each.kind == Effect::Kind::granted && has_mark(each.text);
  });
  return found == action.effects.end() ? nullptr : &*found;
}

// The part of a run that stands for a mark, made at `node` or before. `parts_at` a history: of that run;
// nullptr: it has none.
template <class PartsAt>
const std::string& part_of(Node node, std::size_t mark, const PartsAt& parts_at) {
  for (Node at = node; at->before != nullptr; at = at->before)
    if (const Parts* const parts = parts_at(*at); parts != nullptr && parts->first <= mark)
      return parts->texts.at(mark - parts->first);
  throw std::logic_error("a mark stands for what was made");
}
const auto parts_of_twin = [](std::size_t twin) {
  return
      [twin](const History& at) { return twin < at.action.texts.size() ? &at.action.texts[twin] : nullptr; };
};
const auto parts_of_voice = [](const std::string& voice) {
  return [&voice](const History& at) {
    const auto found = at.texts.find(voice);
    return found == at.texts.end() ? nullptr : &found->second;
  };
};

template <class PartsAt>
std::vector<std::string> parts_in(const std::string& text, Node node, const PartsAt& parts_at) {
  std::vector<std::string> parts;
  for (const std::size_t mark : marks_in(text)) parts.push_back(part_of(node, mark, parts_at));
  return parts;
}

// What stands where marks are, one after the other: two texts of one pattern are equal if these are.
std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, "\n"));
}

}  // namespace

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
  speaking_.clear();
}

Histories::Histories(Runs runs) : runs_(std::move(runs)) {}

void Histories::require_same(const History& known, const Action& again) const {
  const std::vector<Effect>& before = known.action.effects;
  const std::vector<Effect>& now = again.effects;
  const auto [one, other] = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
  if (one == before.end() && other == now.end()) return;
  throw Unusable(fmt::format(
      "the program is not deterministic: told the same history, it did \"{}\", and then \"{}\"",
      one == before.end() ? "nothing" : text_of(*one), other == now.end() ? "nothing" : text_of(*other)));
}

Action Histories::tell(Session& session, const Told& event) {
  ++statistics_.told;
  return session.tell(event);
}

// For what is told from the root to `node`, and then.
std::unique_ptr<Session> Histories::begin(Node node, const Told& event) {
  ++statistics_.sessions;
  while (node != &root_ && node->before != &root_) node = node->before;
  const std::optional<std::uint64_t>& only = node == &root_ ? event.chance : node->event.chance;
  std::vector<std::unique_ptr<Session>> twins;
  for (std::size_t i = 0; i < (only ? 1 : runs_.twins); ++i)
    twins.push_back(runs_.begin(only ? *only : first_twin + i, 0));
  std::vector<std::unique_ptr<Session>> late;
  for (std::size_t i = 1; i <= runs_.late; ++i)
    late.push_back(runs_.begin(only.value_or(first_twin), i));
  return std::make_unique<Twins>(std::move(twins), std::move(late), granted_);
}

Histories::Running Histories::run_to(Node node, const Told& event) {
  const auto there = std::find_if(running_.begin(), running_.end(),
                                  [&](const Running& running) { return running.at == node; });
  const bool is_audit = learnt_.size() % audited_every == 0 && node->length <= audited_length_max;
  if (there != running_.end() && !is_audit) {
    Running running = std::move(*there);
    running_.erase(there);
    return running;
  }
  Running running{node, begin(node, event)};
  for (const Node each : way_between(&root_, node)) {
    const Action again = tell(*running.session, each->event);
    require_same(*each, again);
    ++statistics_.compared;
  }
  return running;
}

// `session`: is at the node.
bool Histories::is_as_begun(Node node, Session& session) {
  std::optional<std::string> memory = session.memory();
  Node begun = node;
  while (begun->before != &root_) begun = begun->before;
  if (node == begun) return begun_.emplace(node, std::move(memory)).first->second.has_value();
  return memory && memory == begun_.at(begun);
}

Node Histories::next(Node node, const Told& event) {
  const std::string key = text_of(event);
  {
    const std::shared_lock reading(mutex_);
    if (const auto found = node->next.find(key); found != node->next.end()) return found->second;
  }
  const std::unique_lock writing(mutex_);
  return exactly(node, event);
}

Node Histories::exactly(Node node, const Told& event) {
  std::string key = text_of(event);
  if (const auto found = node->next.find(key); found != node->next.end()) return found->second;
  const History& made = learn(node, event);
  return node->next.emplace(std::move(key), &made).first->second;
}

const History& Histories::learn(Node node, const Told& event) {
  Running running = run_to(node, event);
  Action action = tell(*running.session, event);
  if (!action.problem.empty() && std::find(statistics_.problems.begin(), statistics_.problems.end(),
                                           action.problem) == statistics_.problems.end())
    statistics_.problems.push_back(action.problem);
  statistics_.looks |= runs_.time == TimeToTell::nothing && runs_.late > 0 &&
                       event.kind != Told::Kind::begin && action.reads != TimeToTell::nothing;
  History& made = learnt_.emplace_back(History{node, node->length + 1, event, std::move(action)});
  require_unique(made);
  made.is_as_begun = is_as_begun(&made, *running.session);
  running.at = &made;
  if (running_.size() == runs_.waiting_max) running_.erase(running_.begin());
  running_.push_back(std::move(running));
  return made;
}

// --- texts ---

const Parts& Histories::texts(Node node, const Voice& voice) {
  const std::string name = name_of(voice);
  {
    const std::shared_lock reading(mutex_);
    if (const auto found = node->texts.find(name); found != node->texts.end()) return found->second;
  }
  const std::unique_lock writing(mutex_);
  if (const auto found = node->texts.find(name); found != node->texts.end()) return found->second;
  const bool is_first_grant = granted_in(node->action) != nullptr && granted_of_fresh_.empty();
  if (is_told_text(node->event) || is_first_grant || has_new_around(*node))
    for (std::size_t i = 0; i < runs_.fresh; ++i) ask_fresh(node, i, !voice.granted.empty());
  note_fresh(*node, is_first_grant);
  return learn_texts(node, voice);
}

// Texts with marks, of a kind that was not seen before.
bool Histories::has_new_around(const History& node) const {
  bool is_new = false;
  see_made(node.action, [&](const std::string& text) { is_new |= !others_.contains(around_marks(text)); });
  return is_new;
}

void Histories::note_fresh(const History& node, bool is_first_grant) {
  for (std::size_t i = 0; i < runs_.fresh; ++i) {
    const std::string voice = name_of(Voice{.chance = first_fresh + i});
    if (!node.texts.contains(voice)) return;
    const auto parts_at = parts_of_voice(voice);
    if (is_first_grant) granted_of_fresh_.push_back(parts_in(granted_in(node.action)->text, &node, parts_at));
    see_made(node.action, [&](const std::string& text) {
      Granted& others = others_[around_marks(text)];
      if (others.size() == i) others.push_back(parts_in(text, &node, parts_at));
    });
  }
}

ProgramRandom::Others Histories::others(const std::string& around) const {
  const std::shared_lock reading(mutex_);
  const auto found = others_.find(around);
  return found == others_.end() || found->second.size() < runs_.fresh ? nullptr : &found->second;
}

// `was_granted`: a token, in a run before this one.
void Histories::ask_fresh(Node node, std::size_t number, bool was_granted) {
  Voice voice{.chance = first_fresh + number};
  if (was_granted && number >= granted_of_fresh_.size()) return;
  if (was_granted) voice.granted = granted_of_fresh_[number];
  if (!node->texts.contains(name_of(voice))) learn_texts(node, voice);
}

// The one that has come furthest.
Histories::Speaking Histories::speaker_on_way_to(Node node, const std::string& voice, const Voice& whose) {
  for (Node at = node; at != &root_; at = at->before) {
    const auto there = std::find_if(speaking_.begin(), speaking_.end(), [&](const Speaking& each) {
      return each.at == at && each.voice == voice;
    });
    if (there == speaking_.end()) continue;
    Speaking speaking = std::move(*there);
    speaking_.erase(there);
    return speaking;
  }
  Speaking speaking{voice, &root_, runs_.begin(whose.chance, 0)};
  ++statistics_.sessions;
  for (const std::string& part : whose.granted) speaking.texts.add(part);
  return speaking;
}

const Parts& Histories::learn_texts(Node node, const Voice& voice) {
  Speaking speaking = speaker_on_way_to(node, name_of(voice), voice);
  for (const Node each : way_between(speaking.at, node)) {
    const Told event = with_texts(each->event, speaking.texts);
    // What the program was given of an earlier run comes with the first that this one makes.
    const std::size_t known = each->before->action.tokens == 0 ? 0 : speaking.texts.size();
    follow(each->action, tell(*speaking.session, event), speaking.texts);
    each->texts.emplace(speaking.voice, speaking.texts.from(known));
  }
  speaking.at = node;
  require_unique(*node);
  if (speaking_.size() == runs_.waiting_max) speaking_.erase(speaking_.begin());
  speaking_.push_back(std::move(speaking));
  return node->texts.at(name_of(voice));
}

// No two runs say the same where it depends on their chance what they say. The first hundred tell.
void Histories::require_unique(const History& node) {
  constexpr std::size_t voices_max = 100;
  constexpr std::size_t repeating_max = 3;
  if (node.texts.size() > voices_max) return;
  std::size_t known = node.before->action.tokens;
  for (const std::string& word : node.event.words)
    for (const std::size_t mark : marks_in(word)) known = std::max(known, mark + 1);
  const auto require = [&](const std::string& text) {
    const std::vector<std::size_t> marks = marks_in(text);
    if (std::all_of(marks.begin(), marks.end(), [&](std::size_t mark) { return mark < known; })) return;
    std::map<std::string, std::uint64_t> said;
    for (std::size_t i = 0; i < node.action.texts.size(); ++i)
      said.emplace(joined(parts_in(text, &node, parts_of_twin(i))), first_twin + i);
    std::set<std::uint64_t> chances;
    for (const auto& [voice, made] : node.texts) {
      const std::uint64_t chance = std::strtoull(voice.c_str(), nullptr, 10);
      if (chances.insert(chance).second)
        said.emplace(joined(parts_in(text, &node, parts_of_voice(voice))), chance);
    }
    if (said.size() == node.action.texts.size() + chances.size()) return;
    for (const auto& [each, chance] : said)
      if (to_explore_.size() < repeating_max) to_explore_.push_back(chance);
    throw TextsRepeat(
        fmt::format("\"{}\" is made by chance, and so again by another run", said.begin()->first));
  };
  for (const Effect& effect : node.action.effects) {
    require(effect.text);
    for (const std::string& word : effect.words) require(word);
  }
}

std::vector<std::uint64_t> Histories::chances_to_explore() const {
  const std::shared_lock reading(mutex_);
  return to_explore_;
}

Histories::Statistics Histories::statistics() const {
  const std::shared_lock reading(mutex_);
  Statistics statistics = statistics_;
  statistics.histories = learnt_.size();
  return statistics;
}

}  // namespace holdfast::guest
