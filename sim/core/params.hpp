// The parameters of an algorithm: declared on its card, set by users as text, read by the algorithm as typed
// values.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/units.hpp"

namespace holdfast {

struct Parameter {
  enum class Kind : std::uint8_t {
    duration,  // "1s"
    count,     // "3"
    choice,    // one of `choices`
  };
  std::string_view name;  // kebab-case
  Kind kind;
  std::string_view fallback;  // the default, as text
  std::string_view help;      // one line
  std::vector<std::string_view> choices = {};
};

// What a count may be, both ends included. "nodes" counts servers: a lock needs one, and a machine has to
// hold all.
struct CountRange {
  std::int64_t low = 0;
  std::int64_t high = 1'000'000'000;
};
constexpr CountRange range_of(const Parameter& parameter) {
  return parameter.name == "nodes" ? CountRange{1, 32} : CountRange{};
}

// A value that its parameter does not allow, or a parameter that does not exist. what() is one line for
// users.
class BadParameter : public std::runtime_error {
 public:
  BadParameter(std::string name, const std::string& what)
      : std::runtime_error(what), name_(std::move(name)) {}
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

class Params {
 public:
  // All at their defaults.
  explicit Params(std::vector<Parameter> declared);
  // Throws BadParameter.
  void set(std::string_view name, std::string_view text);
  bool has(std::string_view name) const;

  // REQUIRES: declared with that kind.
  Duration duration(std::string_view name) const;
  std::int64_t count(std::string_view name) const;
  std::string_view choice(std::string_view name) const;

  const std::vector<Parameter>& declared() const { return declared_; }
  // As text, in the order of declaration.
  const std::string& text(std::string_view name) const;

 private:
  std::size_t index_of(std::string_view name) const;
  std::vector<Parameter> declared_;
  std::vector<std::string> texts_;
};

}  // namespace holdfast
