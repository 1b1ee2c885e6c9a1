#include "sim/guest/twins.hpp"

#include <algorithm>
#include <utility>

#include "sim/core/beyond_model.hpp"
#include "sim/guest/patterns.hpp"

namespace holdfast::guest {
namespace {

// But for texts, and for how long something lasts: there, what chance gave the first one counts.
bool are_alike(const Effect& one, const Effect& other) {
  return one.kind == other.kind && one.party == other.party && one.id == other.id &&
         one.server == other.server && one.connection == other.connection &&
         one.words.size() == other.words.size();
}

bool last_as_long(const Effect& one, const Effect& other) {
  return are_alike(one, other) && one.duration == other.duration && one.within == other.within &&
         one.is_patient == other.is_patient;
}

template <class IsSame>
bool are_same(const Action& one, const Action& other, const IsSame& is_same) {
  return std::equal(one.effects.begin(), one.effects.end(), other.effects.begin(), other.effects.end(),
                    is_same);
}

// The first that differs.
template <class IsSame>
std::string or_else(const Action& one, const Action& other, const IsSame& is_same) {
  const auto [first, second] = std::mismatch(one.effects.begin(), one.effects.end(), other.effects.begin(),
                                             other.effects.end(), is_same);
  return (first == one.effects.end() ? "nothing" : text_of(*first)) + ", or else " +
         (second == other.effects.end() ? "nothing" : text_of(*second));
}

constexpr const char* by_chance = "what the program does next depends on chance: ";

}  // namespace

Twins::Twins(std::vector<std::unique_ptr<Session>> runs, std::vector<std::unique_ptr<Session>> late,
             Granted& granted)
    : late_(late.size()), granted_(granted) {
  for (std::unique_ptr<Session>& session : runs) runs_.push_back({.session = std::move(session)});
  for (std::unique_ptr<Session>& session : late) runs_.push_back({.session = std::move(session)});
}

std::string Twins::with_marks(const std::vector<std::string>& said) {
  const auto refuse = [&](std::size_t late_one) {
    throw TimeMatters("what it says depends on the time: \"" + said[0] + "\", or \"" + said[late_one] + "\"");
  };
  const auto require_on_time = [&](const std::vector<std::string>& texts) {
    for (std::size_t i = count(); i < texts.size(); ++i)
      if (texts[i] != texts[0]) refuse(i);
  };
  const auto are_equal = [&](const std::vector<std::string>& texts) {
    return std::all_of(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(count()),
                       [&](const std::string& each) { return each == texts[0]; });
  };
  if (are_equal(said)) {
    require_on_time(said);
    return said[0];
  }
  std::vector<std::string> marked;
  for (std::size_t i = 0; i < said.size(); ++i) marked.push_back(runs_[i].texts.marked(said[i]));
  if (are_equal(marked)) {
    require_on_time(marked);
    return marked[0];
  }
  // The late ones do not say what is chance: a word in which they alone differ is a time.
  const std::vector<std::string> by_now(marked.begin(),
                                        marked.begin() + static_cast<std::ptrdiff_t>(count()));
  std::string pattern = common_pattern(by_now, runs_[0].texts.size());
  for (std::size_t i = 0; i < said.size(); ++i) {
    if (add_parts(pattern, said[i], runs_[i].texts)) continue;
    if (i >= count()) refuse(i);
    throw BeyondModel(by_chance + said[0] + ", or else " + said[i]);
  }
  return pattern;
}

void Twins::merge(Action& action, std::size_t known) {
  const auto merge_one = [&](std::size_t effect, const auto& text_in) {
    std::vector<std::string> said;
    for (const Run& run : runs_) said.push_back(text_in(run.action.effects[effect]));
    return with_marks(said);
  };
  for (std::size_t i = 0; i < action.effects.size(); ++i) {
    Effect& effect = action.effects[i];
    effect.text = merge_one(i, [](const Effect& each) { return each.text; });
    for (std::size_t word = 0; word < effect.words.size(); ++word)
      effect.words[word] = merge_one(i, [&](const Effect& each) { return each.words[word]; });
  }
  action.tokens = static_cast<std::uint32_t>(runs_[0].texts.size());
  for (std::size_t i = 0; i < count() && action.tokens > 0; ++i)
    action.texts.push_back(runs_[i].texts.from(known));
}

void Twins::require_alike() const {
  for (std::size_t i = count(); i < runs_.size(); ++i)
    if (!are_same(runs_[0].action, runs_[i].action, last_as_long))
      throw TimeMatters("what it does next depends on the time: " +
                        or_else(runs_[0].action, runs_[i].action, last_as_long));
  // Not only what it says.
  for (std::size_t i = 1; i < count(); ++i)
    if (!are_same(runs_[0].action, runs_[i].action, are_alike))
      throw BeyondModel(by_chance + or_else(runs_[0].action, runs_[i].action, are_alike));
}

// Marks that none has a text for: the token of an earlier run, which is the program's own. That run had the
// same chance, so what this one makes would be the same text.
void Twins::know_granted(const Told& event) {
  if (event.kind != Told::Kind::release || runs_[0].texts.size() > 0 || !has_mark(event.words.back())) return;
  for (std::size_t i = 0; i < runs_.size() && !granted_.empty(); ++i) {
    for (const std::string& part : granted_[i < count() ? i : 0]) runs_[i].texts.add(part);
    runs_[i].session->draw_anew();
  }
}

void Twins::note_granted(const Action& action) {
  if (!granted_.empty()) return;
  for (const Effect& effect : action.effects) {
    if (effect.kind != Effect::Kind::granted || !has_mark(effect.text)) continue;
    const std::vector<std::size_t> marks = marks_in(effect.text);
    for (std::size_t i = 0; i < count(); ++i) {
      std::vector<std::string>& parts = granted_.emplace_back();
      for (const std::size_t mark : marks) parts.push_back(runs_[i].texts.texts()[mark]);
    }
    return;
  }
}

Action Twins::tell(const Told& event) {
  const std::size_t known = runs_[0].texts.size();
  know_granted(event);
  for (Run& run : runs_) {
    run.action = run.session->tell(with_texts(event, run.texts));
  }
  require_alike();
  Action action = runs_[0].action;
  for (const Run& run : runs_) action.reads = std::max(action.reads, run.action.reads);
  merge(action, known);
  note_granted(action);
  return action;
}

std::optional<std::string> Twins::memory() {
  std::optional<std::string> memory = runs_[0].session->memory();
  for (std::size_t i = 1; i < runs_.size() && memory; ++i)
    if (runs_[i].session->memory() != memory) memory.reset();
  return memory;
}

void follow(const Action& known, const Action& did, Names& texts) {
  if (!are_same(known, did, are_alike)) throw BeyondModel(by_chance + or_else(known, did, are_alike));
  const auto require = [&](const std::string& pattern, const std::string& said) {
    if (!add_parts(pattern, said, texts))
      throw BeyondModel(by_chance + std::string("it says \"") + texts.told(pattern) + "\", or else \"" +
                        said + "\"");
  };
  for (std::size_t i = 0; i < known.effects.size(); ++i) {
    require(known.effects[i].text, did.effects[i].text);
    for (std::size_t word = 0; word < known.effects[i].words.size(); ++word)
      require(known.effects[i].words[word], did.effects[i].words[word]);
  }
}

}  // namespace holdfast::guest
