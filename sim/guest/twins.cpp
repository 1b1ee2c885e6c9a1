#include "sim/guest/twins.hpp"

#include <algorithm>
#include <utility>

namespace holdfast::guest {
namespace {

// But for texts, and for how long something lasts: there, what chance gave the first one counts.
bool are_alike(const Effect& one, const Effect& other) {
  return one.kind == other.kind && one.party == other.party && one.id == other.id &&
         one.server == other.server && one.connection == other.connection &&
         one.words.size() == other.words.size();
}

bool last_as_long(const Effect& one, const Effect& other) {
  return are_alike(one, other) && one.duration == other.duration;
}

// The first that differs.
template <class IsSame>
std::string or_else(const Action& one, const Action& other, const IsSame& is_same) {
  const auto [first, second] = std::mismatch(one.effects.begin(), one.effects.end(), other.effects.begin(),
                                             other.effects.end(), is_same);
  return (first == one.effects.end() ? "nothing" : text_of(*first)) + ", or else " +
         (second == other.effects.end() ? "nothing" : text_of(*second));
}

}  // namespace

Twins::Twins(std::unique_ptr<Session> one, std::unique_ptr<Session> other, std::unique_ptr<Session> late) {
  for (std::unique_ptr<Session>* const session : {&one, &other, &late})
    if (*session) runs_.push_back({.session = std::move(*session)});
}

std::string Twins::with_marks(std::vector<std::string> said) {
  const auto require_on_time = [&](const std::string& usual, const std::string& late) {
    if (late != usual)
      throw TimeMatters("what it says depends on the time: \"" + said[0] + "\", or \"" + said[2] + "\"");
  };
  const bool has_late = said.size() > 2;
  if (said[0] == said[1]) {
    if (has_late) require_on_time(said[0], said[2]);
    return said[0];
  }
  const std::string marked = runs_[0].texts.marked(said[0]);
  if (marked == runs_[1].texts.marked(said[1])) {
    if (has_late) require_on_time(marked, runs_[2].texts.marked(said[2]));
    return marked;
  }
  for (std::size_t i = 0; i < said.size(); ++i) runs_[i].texts.add(std::move(said[i]));
  return mark_of(runs_[0].texts.size() - 1);
}

void Twins::merge(Action& action) {
  const auto merge_one = [&](std::size_t effect, const auto& text_in) {
    std::vector<std::string> said;
    for (const Run& run : runs_) said.push_back(text_in(run.action.effects[effect]));
    return with_marks(std::move(said));
  };
  for (std::size_t i = 0; i < action.effects.size(); ++i) {
    Effect& effect = action.effects[i];
    effect.text = merge_one(i, [](const Effect& each) { return each.text; });
    for (std::size_t word = 0; word < effect.words.size(); ++word)
      effect.words[word] = merge_one(i, [&](const Effect& each) { return each.words[word]; });
  }
  action.tokens = static_cast<std::uint32_t>(runs_[0].texts.size());
}

void Twins::require_alike() const {
  const auto are_same = [&](std::size_t other, const auto& is_same) {
    const std::vector<Effect>& one = runs_[0].action.effects;
    return std::equal(one.begin(), one.end(), runs_[other].action.effects.begin(),
                      runs_[other].action.effects.end(), is_same);
  };
  if (runs_.size() > 2 && !are_same(2, last_as_long))
    throw TimeMatters("what it does next depends on the time: " +
                      or_else(runs_[0].action, runs_[2].action, last_as_long));
  // Not only what it says.
  if (!are_same(1, are_alike))
    throw Unusable("what the program does next depends on chance: " +
                   or_else(runs_[0].action, runs_[1].action, are_alike));
}

Action Twins::tell(const Told& event) {
  // A mark that none has a text for: the token of an earlier run, which is as long, and the program's own.
  const bool is_earlier = event.kind == Told::Kind::release && runs_[0].texts.size() == 0 &&
                          event.words.back().find(mark_begin) != std::string::npos;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    Run& run = runs_[i];
    if (is_earlier) run.texts.add("tokenOfTwin" + std::to_string(i + 1));
    const auto told = [&](const std::string& text) { return run.texts.told(text); };
    Told own = event;
    for (std::string& word : own.words) word = told(word);
    if (event.kind == Told::Kind::reply) own.reply = with_texts(event.reply, told);
    run.action = run.session->tell(own);
  }
  require_alike();
  Action action = runs_[0].action;
  merge(action);
  return action;
}

}  // namespace holdfast::guest
