#include "sim/guest/program.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <concepts>

#include "sim/guest/names.hpp"

namespace holdfast::guest {
namespace {

// Keys are made in each step, and formats take longer.
template <std::integral Number>
void append(std::string& text, Number number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

void append(std::string& text, const std::string& word) {
  append(text, word.size());
  text += ':';
  text += word;
  text += ' ';
}

void append(std::string& text, const Reply& reply) {
  text += static_cast<char>('a' + static_cast<int>(reply.kind()));
  if (reply.kind() == Reply::Kind::integer) append(text, reply.number());
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
  std::string text(id_of(event.kind));
  const auto append_number = [&text](auto number) {
    text += ' ';
    append(text, number);
  };
  append_number(event.party);
  append_number(event.id);
  append_number(event.number);
  text += ' ';
  for (const std::string& word : event.words) append(text, word);
  if (event.kind == Told::Kind::reply) append(text, event.reply);
  if (event.chance) text += fmt::format("chance {} ", *event.chance);
  if (event.elapsed >= 0) text += fmt::format("after {} at {}", event.elapsed, event.wall);
  if (event.set_by != 0) text += fmt::format(" set by {}", event.set_by);
  return text;
}

bool Effect::operator==(const Effect& other) const {
  return kind == other.kind && party == other.party && id == other.id && server == other.server &&
         connection == other.connection && number == other.number && duration == other.duration &&
         within == other.within && is_patient == other.is_patient && lease_until == other.lease_until &&
         text == other.text && words == other.words;
}

std::string text_of(const Effect& effect) {
  std::string text = effect_names[static_cast<std::size_t>(effect.kind)];
  for (const std::string& word : effect.words) text += " " + without_marks(word);
  if (!effect.text.empty()) text += " " + without_marks(effect.text);
  if (effect.kind == Effect::Kind::sleep) text += fmt::format(" for {} us", effect.duration.count());
  if (effect.line.line != 0) text += fmt::format(" ({}:{})", effect.line.file, effect.line.line);
  return text;
}

}  // namespace holdfast::guest
