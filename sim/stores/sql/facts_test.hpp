// Reads facts.txt, for the servers that are held to it.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/core/reply.hpp"
#include "sim/core/units.hpp"

namespace holdfast::sql {

struct FactStep {
  enum class Kind { asks, is_answered, waits, sleeps, closes, restarts };
  Kind kind = Kind::asks;
  char session = 'A';
  std::vector<std::string> words = {};
  std::string reply = {};
  Duration time{};
  std::string line = {};
};

struct Fact {
  std::string name;
  std::vector<FactStep> steps;
};

// "OK", "3", "nil", "(a 0)", "!23505"
inline std::string text_of(const Reply& reply) {
  switch (reply.kind()) {
    case Reply::Kind::nil: return "nil";
    case Reply::Kind::integer: return std::to_string(reply.number());
    case Reply::Kind::error: return "!" + reply.text().substr(0, 5);
    case Reply::Kind::array:
      return "(" + reply.elements()[0].text() + " " + std::to_string(reply.elements()[1].number()) + ")";
    default: return reply.text();
  }
}

// Words are separated by spaces, or stand in quotation marks.
inline std::vector<std::string> words_in(const std::string& text) {
  std::vector<std::string> words;
  bool is_quoted = false;
  bool is_open = false;
  for (const char sign : text) {
    if (sign == '"') is_quoted = !is_quoted;
    if (sign == ' ' && !is_quoted) is_open = false;
    if (sign == '"' || (sign == ' ' && !is_quoted)) continue;
    if (!is_open) words.emplace_back();
    is_open = true;
    words.back() += sign;
  }
  return words;
}

inline FactStep step_of(const std::string& line) {
  using Kind = FactStep::Kind;
  FactStep step{.session = line[0], .line = line};
  const std::string rest = line.substr(1);
  const std::size_t arrow = rest.find(" => ");
  if (line == "restart") step.kind = Kind::restarts;
  else if (line.starts_with("sleep ")) {
    step.kind = Kind::sleeps;
    step.time = parse_duration(line.substr(6)).value();
  } else if (rest == " closes") step.kind = Kind::closes;
  else if (rest == " waits") step.kind = Kind::waits;
  else if (rest.starts_with(" <= ")) {
    step.kind = Kind::is_answered;
    step.reply = rest.substr(4);
  } else if (rest.starts_with(": ") && arrow != std::string::npos) {
    step.words = words_in(rest.substr(2, arrow - 2));
    step.reply = rest.substr(arrow + 4);
  } else throw std::runtime_error("facts.txt: " + line);
  return step;
}

inline std::vector<Fact> facts() {
  std::ifstream file(HOLDFAST_SOURCE_DIR "/sim/stores/sql/facts.txt");
  std::vector<Fact> facts;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("fact ")) facts.push_back({line.substr(5), {}});
    else facts.back().steps.push_back(step_of(line));
  }
  return facts;
}

}  // namespace holdfast::sql
