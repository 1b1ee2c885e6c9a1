// Scenario files to test with: the lessons, and small ones that a schema can judge, right and wrong.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(file) << path;
  return text.str();
}

// Of a directory of scenarios/.
inline std::vector<std::filesystem::path> files_of(std::string_view directory) {
  const std::filesystem::path scenarios = std::filesystem::path(HOLDFAST_SOURCE_DIR) / "scenarios";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(scenarios / directory))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}
inline std::vector<std::filesystem::path> lesson_files() { return files_of("lessons"); }

struct Example {
  const char* name;
  bool is_valid;
  const char* body;  // follows version and algorithm
};

inline std::string with_body(std::string_view body) {
  const bool has_lock = body.find("\"algorithm\"") != std::string_view::npos;
  const bool has_version = body.find("\"version\"") != std::string_view::npos;
  return "{" + std::string(has_version ? "" : "\"version\": 1, ") +
         std::string(has_lock ? "" : "\"algorithm\": {\"name\": \"token\"}, ") + "\"key\": \"k\"" +
         std::string(body.empty() ? "" : ", ") + std::string(body) + "}";
}

inline constexpr Example examples[] = {
    {"smallest", true, ""},
    {"version-1.0", true, R"("version": 1.0)"},
    {"version-2", false, R"("version": 2)"},
    {"version-text", false, R"("version": "1")"},
    {"unknown-key", false, R"("foo": 1)"},
    {"schema-reference", true, R"("$schema": "x")"},
    {"schema-reference-number", false, R"("$schema": 1)"},
    {"name", true, R"("name": "a-1")"},
    {"name-capital", false, R"("name": "A")"},
    {"name-empty", false, R"("name": "")"},
    {"tags-empty", true, R"("tags": [])"},
    {"tags-number", false, R"("tags": [1])"},
    {"lock-unknown", false, R"("algorithm": {"name": "tokn"})"},
    {"lock-nameless", false, R"("algorithm": {})"},
    {"lock-extra", false, R"("algorithm": {"name": "token", "x": 1})"},
    {"param", true, R"("algorithm": {"name": "token", "params": {"ttl": "1.5s"}})"},
    {"param-unitless", false, R"("algorithm": {"name": "token", "params": {"ttl": "1500"}})"},
    {"param-unknown", false, R"("algorithm": {"name": "token", "params": {"tll": "1s"}})"},
    {"param-choice", true, R"("algorithm": {"name": "getset", "params": {"won-if": "still-expired"}})"},
    {"param-choice-unknown", false, R"("algorithm": {"name": "getset", "params": {"won-if": "lucky"}})"},
    {"belief", true, R"("belief": "deadline-from-reply")"},
    {"belief-unknown", false, R"("belief": "hope")"},
    {"belief-senseless", false, R"("algorithm": {"name": "setnx"}, "belief": "deadline-from-reply")"},
    {"clients-none", false, R"("clients": [])"},
    {"client", true, R"("clients": [{"id": "A"}])"},
    {"client-nameless", false, R"("clients": [{}])"},
    {"client-misnamed", false, R"("clients": [{"id": "C7"}])"},
    {"shares-lock", true, R"("clients": [{"id": "A"}, {"id": "B", "sharesLockOf": "A"}])"},
    {"periods", true,
     R"("clients": [{"id": "A", "repeat": 2, "locks": "period", "do": [{"op": "period", "every": "9s"},
        {"op": "acquire"}, {"op": "job", "for": "1s"}]}])"},
    {"period-without-every", false,
     R"("clients": [{"id": "A", "do": [{"op": "period"}, {"op": "acquire"}]}])"},
    {"shares-lock-nobody", false, R"("clients": [{"id": "A"}, {"id": "B", "sharesLockOf": "a"}])"},
    {"clock", true, R"("clients": [{"id": "A", "clock": {"offset": "-3ms", "driftPpm": -5}}])"},
    {"clock-drift-big", false, R"("clients": [{"id": "A", "clock": {"driftPpm": 100001}}])"},
    {"start-negative", false, R"("clients": [{"id": "A", "start": "-1s"}])"},
    {"repeat-endless", true, R"("clients": [{"id": "A", "repeat": 0}])"},
    {"repeat-negative", false, R"("clients": [{"id": "A", "repeat": -1}])"},
    {"program-empty", false, R"("clients": [{"id": "A", "do": []}])"},
    {"program", true,
     R"("clients": [{"id": "A", "do": [{"op": "acquire", "attempts": 3, "mode": "shared"},
       {"op": "work", "for": "2s"}]}])"},
    {"op-unknown", false, R"("clients": [{"id": "A", "do": [{"op": "akquire"}]}])"},
    {"op-missing", false, R"("clients": [{"id": "A", "do": [{"for": "1s"}]}])"},
    {"sleep-timeless", false, R"("clients": [{"id": "A", "do": [{"op": "sleep"}]}])"},
    {"acquire-for", false, R"("clients": [{"id": "A", "do": [{"op": "acquire", "for": "1s"}]}])"},
    {"mode-unknown", false, R"("clients": [{"id": "A", "do": [{"op": "acquire", "mode": "reader"}]}])"},
    {"faults-empty", true, R"("faults": [])"},
    {"fault", true,
     R"("faults": [{"kind": "pause", "target": "B", "at": "releasing", "magnitude": "0ms", "budget": 0}])"},
    {"fault-kindless", false, R"("faults": [{"budget": 1}])"},
    {"fault-unknown", false, R"("faults": [{"kind": "paus"}])"},
    {"fault-none", false, R"("faults": [{"kind": "none"}])"},
    {"fault-magnitude", true, R"("faults": [{"kind": "clock-skew", "magnitude": "5s"}])"},
    {"fault-no-magnitude", false, R"("faults": [{"kind": "lost-reply", "magnitude": "5s"}])"},
    {"fault-place-unknown", false, R"("faults": [{"kind": "crash", "at": "midnight"}])"},
    {"fault-budget-big", false, R"("faults": [{"kind": "crash", "budget": 1001}])"},
    {"fault-target-lower", false, R"("faults": [{"kind": "crash", "target": "a"}])"},
    {"faults-9", false,
     R"("faults": [{"kind": "crash"}, {"kind": "crash"}, {"kind": "crash"}, {"kind": "crash"},
      {"kind": "crash"}, {"kind": "crash"}, {"kind": "crash"}, {"kind": "crash"}, {"kind": "crash"}])"},
    {"timing", true, R"("timing": {"tick": "250us", "delay": {"max": "0.5s"}, "recoveryRounds": 4})"},
    {"tick-0", false, R"("timing": {"tick": "0.0s"})"},
    {"tick-small", true, R"("timing": {"tick": "0.001ms"})"},
    {"tick-fraction", false, R"("timing": {"tick": "0.0001ms"})"},
    {"tick-trailing-zeros", true, R"("timing": {"tick": "1.0000000000s"})"},
    {"tick-days", false, R"("timing": {"tick": "1d"})"},
    {"tick-spaced", false, R"("timing": {"tick": "1 s"})"},
    {"tick-number", false, R"("timing": {"tick": 1})"},
    {"delay-unknown", false, R"("timing": {"delay": {"mid": "1s"}})"},
    {"explore", true, R"("explore": {"strategy": "random", "seed": "0xff", "runs": 1e3, "time": "1m"})"},
    {"reductions", true, R"("explore": {"reductions": ["loop-heads"], "memoryMax": 1073741824})"},
    {"reductions-all", true, R"("explore": {"reductions": ["symmetry", "joint-replies", "dead-values"]})"},
    {"reductions-none", true, R"("explore": {"reductions": []})"},
    {"reductions-unknown", false, R"("explore": {"reductions": ["sleep-sets"]})"},
    {"reductions-twice", false, R"("explore": {"reductions": ["symmetry", "symmetry"]})"},
    {"memory-small", false, R"("explore": {"memoryMax": 1000})"},
    {"memory-text", false, R"("explore": {"memoryMax": "1GiB"})"},
    {"seed-decimal", true, R"("explore": {"seed": "9999999999999999999"})"},
    {"seed-long", false, R"("explore": {"seed": "0x11111111111111111"})"},
    {"seed-capital", false, R"("explore": {"seed": "0xFF"})"},
    {"seed-number", false, R"("explore": {"seed": 7})"},
    {"runs-half", false, R"("explore": {"runs": 0.5})"},
    {"runs-null", false, R"("explore": {"runs": null})"},
    {"check", true, R"("check": ["recovery", "mutual-exclusion"])"},
    {"check-empty", false, R"("check": [])"},
    {"check-twice", false, R"("check": ["recovery", "recovery"])"},
    {"check-unknown", false, R"("check": ["safety"])"},
    {"expect", true,
     R"("expect": {"verdict": "violated", "property": "recovery", "maxSteps": 9, "reason": "r"})"},
    {"expect-nothing", false, R"("expect": {})"},
    {"expect-steps-of-holds", false, R"("expect": {"verdict": "holds", "maxSteps": 9})"},
    {"expect-verdict-unknown", false, R"("expect": {"verdict": "broken"})"},
    {"root-timing-list", false, R"("timing": [])"},
};

}  // namespace holdfast
