#include "sim/guest/examine.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "sim/guest/lua_host.hpp"
#include "sim/guest/script.hpp"

namespace holdfast::guest {
namespace {

struct Notable {
  std::string_view name;
  std::string_view what;
};
constexpr std::array calls{
    Notable{"ngx.now",
            "asks what time it is: it is explored with the time it sees, which takes more histories"},
    Notable{"ngx.time",
            "asks what time it is: it is explored with the time it sees, which takes more histories"},
    Notable{"os.time", "asks what time it is, in whole seconds; nginx has ngx.now()"},
    Notable{"os.clock", "asks for processor time, which holdfast takes for the time of day"},
    Notable{"math.random",
            "draws from the run; a worker of nginx draws what the next one draws, until "
            "math.randomseed() was called in it"},
    Notable{"math.randomseed",
            "makes chance a function of its argument: workers that begin in one second "
            "and seed with the time draw the same"}};

bool stands_alone(std::string_view line, std::size_t at, std::size_t size) {
  const auto is_word = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
           letter == '.' || (letter >= '0' && letter <= '9');
  };
  return (at == 0 || !is_word(line[at - 1])) && (at + size == line.size() || !is_word(line[at + size]));
}

void find_calls(const std::string& text, std::vector<Finding>& findings) {
  std::istringstream lines(text);
  std::string line;
  for (std::uint32_t number = 1; std::getline(lines, line); ++number) {
    const std::string_view code = std::string_view(line).substr(0, line.find("--"));
    for (const Notable& call : calls)
      if (const std::size_t at = code.find(call.name);
          at != code.npos && stands_alone(code, at, call.name.size()))
        findings.push_back({number, std::string(call.name) + " " + std::string(call.what), false});
  }
}

// Answers everything with OK, and lets every sleep end, until nothing is left to answer.
void rehearse(const ScriptSource& source, const Card& card, std::vector<Finding>& findings) {
  constexpr int steps_max = 1000;
  try {
    LuaSession session(source, 1);
    Told begin{.kind = Told::Kind::begin, .number = 16};
    for (const Parameter& each : card.parameters) {
      begin.words.emplace_back(each.name);
      begin.words.emplace_back(each.kind == Parameter::Kind::duration ? "1000000us" : each.fallback);
    }
    session.tell(begin);
    for (const Told::Kind kind : {Told::Kind::acquire, Told::Kind::release}) {
      Action now = session.tell({.kind = kind, .party = 1, .words = {"job", "exclusive"}});
      for (int step = 0; step < steps_max && !now.effects.empty(); ++step) {
        const Effect last = now.effects.back();
        if (last.kind == Effect::Kind::clock) now = session.tell({.kind = Told::Kind::time, .party = 1});
        else if (last.kind == Effect::Kind::send)
          now = session.tell({.kind = Told::Kind::reply, .party = 1, .id = last.id, .reply = Reply::ok()});
        else if (last.kind == Effect::Kind::sleep)
          now = session.tell({.kind = Told::Kind::woke, .party = 1, .id = last.id});
        else break;
      }
    }
  } catch (const Unusable& why) {
    findings.push_back({0, why.what(), true});
  }
}

}  // namespace

std::vector<Finding> examine(const LuaFile& file, const std::string& directory) {
  const Script script(file, directory);
  const ScriptSource source(file, directory);
  std::vector<Finding> findings;
  LuaSession(source, 1).look_at_globals(
      [&](std::uint32_t line, std::string what) { findings.push_back({line, std::move(what), true}); });
  find_calls(file.text, findings);
  rehearse(source, script.card(), findings);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& one, const Finding& other) { return one.line < other.line; });
  return findings;
}

}  // namespace holdfast::guest
