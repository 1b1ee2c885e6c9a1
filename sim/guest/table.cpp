#include "sim/guest/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace holdfast::guest {
namespace {

// No program is there that could make a text: so many hexadecimal digits that no two are equal.
std::string invented(std::uint64_t chance, std::size_t mark) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
  std::uint64_t word = (chance + 1) * odd;
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
  return fmt::format("{:016x}{:04x}", word ^ word >> 27, mark);
}

}  // namespace

Node Table::add(Node before, std::string told, Action action) {
  const History& made = histories_.emplace_back(
      History{.before = before, .length = before->length + 1, .action = std::move(action)});
  before->next.emplace(std::move(told), &made);
  return &made;
}

Node Table::next(Node node, const Told& event) {
  const auto found = node->next.find(text_of(event));
  if (found != node->next.end()) return found->second;
  throw Unusable(
      fmt::format("{} ends here: it has no history with \"{}\" next; learn more with check "
                  "--learn where the program is installed",
                  name_, id_of(event.kind)));
}

const Parts& Table::texts(Node node, const Voice& voice) {
  const std::scoped_lock hold(mutex_);
  Parts& parts = node->texts[std::to_string(voice.chance)];
  parts.first = node->before->action.tokens;
  for (std::size_t mark = parts.first + parts.texts.size(); mark < node->action.tokens; ++mark)
    parts.texts.push_back(invented(voice.chance, mark));
  return parts;
}

ProgramRandom::Others Table::others(const std::string& around) const {
  constexpr std::uint64_t first_other = std::uint64_t{1} << 62;
  constexpr std::size_t others_max = 31;  // a prime number
  const std::scoped_lock hold(mutex_);
  Granted& others = others_[around];
  const auto marks = static_cast<std::size_t>(std::count(around.begin(), around.end(), mark_begin));
  while (others.size() < others_max) {
    std::vector<std::string>& parts = others.emplace_back();
    while (parts.size() < std::max<std::size_t>(marks, 1))
      parts.push_back(invented(first_other + others.size(), parts.size()));
  }
  return &others;
}

}  // namespace holdfast::guest
