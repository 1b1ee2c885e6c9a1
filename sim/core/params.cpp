#include "sim/core/params.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "sim/core/invariant.hpp"

namespace holdfast {
namespace {

std::optional<std::int64_t> parse_count(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

std::string list_of(const std::vector<std::string_view>& words) {
  std::string list;
  for (const std::string_view word : words) list.append(list.empty() ? "" : ", ").append(word);
  return list;
}

}  // namespace

Params::Params(std::vector<Parameter> declared) : declared_(std::move(declared)) {
  for (const Parameter& parameter : declared_) texts_.emplace_back(parameter.fallback);
}

std::size_t Params::index_of(std::string_view name) const {
  const auto found =
      std::find_if(declared_.begin(), declared_.end(), [&](const Parameter& p) { return p.name == name; });
  return static_cast<std::size_t>(found - declared_.begin());
}

bool Params::has(std::string_view name) const { return index_of(name) < declared_.size(); }

void Params::set(std::string_view name, std::string_view text) {
  const std::size_t index = index_of(name);
  if (index == declared_.size()) {
    std::vector<std::string_view> names;
    for (const Parameter& parameter : declared_) names.push_back(parameter.name);
    throw BadParameter(std::string(name),
                       "unknown parameter \"" + std::string(name) + "\" · allowed: " + list_of(names));
  }
  const Parameter& parameter = declared_[index];
  const auto reject = [&](const std::string& expected) {
    throw BadParameter(std::string(name), "parameter \"" + std::string(name) + "\" is \"" +
                                              std::string(text) + "\", but must be " + expected);
  };
  switch (parameter.kind) {
    case Parameter::Kind::duration:
      if (!parse_duration(text))
        throw BadParameter(std::string(name), "parameter \"" + std::string(name) + "\": \"" +
                                                  std::string(text) + "\" " + duration_complaint(text));
      break;
    case Parameter::Kind::count:
      if (const auto [low, high] = range_of(parameter);
          !parse_count(text) || *parse_count(text) < low || *parse_count(text) > high)
        reject("a whole number from " + std::to_string(low) + " to " + std::to_string(high));
      break;
    case Parameter::Kind::choice:
      if (std::find(parameter.choices.begin(), parameter.choices.end(), text) == parameter.choices.end())
        reject("one of: " + list_of(parameter.choices));
      break;
  }
  texts_[index] = text;
}

const std::string& Params::text(std::string_view name) const {
  const std::size_t index = index_of(name);
  INVARIANT(index < declared_.size(), "an algorithm reads only parameters that its card declares");
  return texts_[index];
}

Duration Params::duration(std::string_view name) const {
  const std::optional<Duration> duration = parse_duration(text(name));
  INVARIANT(duration, "the card declares this parameter as a duration, with a default that is one");
  return *duration;
}

std::int64_t Params::count(std::string_view name) const {
  const std::optional<std::int64_t> count = parse_count(text(name));
  INVARIANT(count, "the card declares this parameter as a count, with a default that is one");
  return *count;
}

std::string_view Params::choice(std::string_view name) const { return text(name); }

}  // namespace holdfast
