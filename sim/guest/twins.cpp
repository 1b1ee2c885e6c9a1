#include "sim/guest/twins.hpp"

#include <algorithm>

namespace holdfast::guest {
namespace {

constexpr std::array<std::uint64_t, 2> seeds{0x686F6C6466617374, 0x7477696E};

// But for texts, and for how long something lasts: there, what chance gave the first one counts.
bool are_alike(const Effect& one, const Effect& other) {
  return one.kind == other.kind && one.party == other.party && one.id == other.id &&
         one.server == other.server && one.connection == other.connection &&
         one.words.size() == other.words.size();
}

}  // namespace

Twins::Twins(const Begin& begin) {
  for (std::size_t i = 0; i < count; ++i) twins_[i] = begin(seeds[i]);
}

// A program that begins anew is told tokens that it made before: they are as long, and its own.
Told Twins::for_twin(const Told& event, std::size_t twin) const {
  const auto told = [&](const std::string& text) { return texts_[twin].told(text); };
  Told made = event;
  for (std::string& word : made.words) word = told(word);
  if (event.kind == Told::Kind::reply) made.reply = with_texts(event.reply, told);
  return made;
}

std::string Twins::with_marks(const std::string& one, const std::string& other) {
  if (one == other) return one;
  const std::string marked = texts_[0].marked(one);
  if (marked == texts_[1].marked(other)) return marked;
  texts_[0].add(one);
  texts_[1].add(other);
  return mark_of(texts_[0].size() - 1);
}

void Twins::merge(Action& action, const Action& other) {
  for (std::size_t i = 0; i < action.effects.size(); ++i) {
    Effect& effect = action.effects[i];
    const Effect& twin = other.effects[i];
    effect.text = with_marks(effect.text, twin.text);
    for (std::size_t word = 0; word < effect.words.size(); ++word)
      effect.words[word] = with_marks(effect.words[word], twin.words[word]);
  }
  action.tokens = static_cast<std::uint32_t>(texts_[0].size());
}

Action Twins::tell(const Told& event) {
  // A mark that neither has a text for: the token of an earlier run.
  if (event.kind == Told::Kind::release && texts_[0].size() == 0 &&
      event.words.back().find(mark_begin) != std::string::npos)
    for (std::size_t i = 0; i < count; ++i) texts_[i].add("tokenOfTwin" + std::to_string(i + 1));
  Action action = twins_[0]->tell(for_twin(event, 0));
  const Action other = twins_[1]->tell(for_twin(event, 1));
  const bool are_same = std::equal(action.effects.begin(), action.effects.end(), other.effects.begin(),
                                   other.effects.end(), are_alike);
  if (are_same) {
    merge(action, other);
    return action;
  }
  // Not only what it says.
  throw Unusable("what the program does next depends on chance: " +
                 (action.effects.empty() ? "nothing" : text_of(action.effects.back())) + ", or else " +
                 (other.effects.empty() ? "nothing" : text_of(other.effects.back())));
}

}  // namespace holdfast::guest
