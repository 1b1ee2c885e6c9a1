#include "sim/cli/param_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reports/terminal.hpp"

namespace holdfast::cli {
namespace {

bool is_part_of_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-';
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const auto begin = std::find_if(text.begin(), text.end(), is_part_of_name);
    const auto end = std::find_if_not(begin, text.end(), is_part_of_name);
    if (begin != end)
      words.push_back(
          text.substr(static_cast<std::size_t>(begin - text.begin()), static_cast<std::size_t>(end - begin)));
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  }
  return words;
}

// "lockTimeout", "WithExpiry", "blocking_timeout".
bool is_name_in_code(std::string_view word) {
  if (word.find('_') != std::string_view::npos) return true;
  for (std::size_t i = 1; i < word.size(); ++i)
    if (std::islower(static_cast<unsigned char>(word[i - 1])) != 0 &&
        std::isupper(static_cast<unsigned char>(word[i])) != 0)
      return true;
  return false;
}

// "option timeout; 0s: None" begins with the library's own name of it.
std::string_view name_in_library(const Parameter& parameter) {
  const std::vector<std::string_view> words = words_of(parameter.help);
  if (words.empty()) return {};
  const bool is_introduced = words.front() == "option" || words.front() == "argument";
  if (is_introduced) return words.size() > 1 ? words[1] : std::string_view();
  return is_name_in_code(words.front()) ? words.front() : std::string_view();
}

bool are_same(std::string_view one, std::string_view other) {
  const std::string plain = reports::in_plain_letters(one);
  return !plain.empty() && plain == reports::in_plain_letters(other);
}

}  // namespace

std::optional<std::string_view> parameter_meant(const Card& card, std::string_view word) {
  for (const Parameter& each : card.parameters)
    if (each.name == word) return each.name;
  for (const Parameter& each : card.parameters)
    if (are_same(each.name, word)) return each.name;
  for (const Parameter& each : card.parameters)
    if (are_same(name_in_library(each), word)) return each.name;
  return std::nullopt;
}

void use_names_of_cards(LockParams& params, const std::vector<const Card*>& cards) {
  for (auto& [name, value] : params.params) {
    std::optional<std::string_view> meant;
    bool is_clear = true;
    for (const Card* const card : cards) {
      const std::optional<std::string_view> own = parameter_meant(*card, name);
      if (!own) continue;
      is_clear = is_clear && (!meant || meant == own);
      meant = own;
    }
    if (meant && is_clear) name = *meant;
  }
}

std::string mentions_of(std::string_view word, const std::vector<const Card*>& cards) {
  std::string text;
  for (const Card* const card : cards)
    for (const Parameter& each : card->parameters) {
      const std::vector<std::string_view> words = words_of(each.help);
      if (std::any_of(words.begin(), words.end(), [&](std::string_view it) { return are_same(it, word); }))
        text += fmt::format(" · {}: {} is {}", card->id, each.name, each.help);
    }
  return text;
}

}  // namespace holdfast::cli
