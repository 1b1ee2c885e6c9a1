// The tree keeps its own rules; and each rule finds what breaks it, once, and nothing else.
#include "sim/tidy/tidy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace holdfast::tidy {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The rules that `text` breaks, with their lines: "2 await-shape". A purpose comment is put in front as
// line 1.
std::vector<std::string> broken(std::string_view path, std::string_view text) {
  std::vector<std::string> found;
  for (const Violation& violation : inspect(path, "// A purpose.\n" + std::string(text)))
    found.push_back(std::to_string(violation.line) + " " + violation.rule);
  return found;
}
using Rules = std::vector<std::string>;
const Rules none;

TEST(TheTree, KeepsEveryRule) {
  const fs::path root = HOLDFAST_SOURCE_DIR;
  std::vector<std::string> files;
  for (const char* room : {"algorithms", "bench", "reports", "sim"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / room))
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
        files.push_back(fs::relative(entry.path(), root).generic_string());
  std::sort(files.begin(), files.end());
  EXPECT_GT(files.size(), 20u);
  for (const std::string& file : files)
    for (const Violation& violation : inspect(file, read(root / file))) ADD_FAILURE() << to_text(violation);
}

// --- rooms ---

TEST(Includes, AnAlgorithmSeesOnlyTheCore) {
  EXPECT_EQ(
      broken("algorithms/token.cpp", "#include \"sim/core/lock.hpp\"\n#include \"algorithms/replies.hpp\"\n"),
      none);
  EXPECT_EQ(broken("algorithms/token.cpp", "#include \"sim/world/world.hpp\"\n"), Rules{"2 include-room"});
}
TEST(Includes, TheCoreSeesNobody) {
  EXPECT_EQ(broken("sim/core/task.hpp", "#include \"sim/core/units.hpp\"\n#include <vector>\n"), none);
  EXPECT_EQ(broken("sim/core/task.hpp", "#include \"sim/trace/trace.hpp\"\n"), Rules{"2 include-room"});
}
TEST(Includes, CheckersAndReportsDoNotSeeTheWorld) {
  for (const char* path :
       {"sim/check/recovery.cpp", "reports/json.cpp", "sim/live/loop.cpp", "sim/choose/pct.cpp"})
    EXPECT_EQ(broken(path, "#include \"sim/world/world.hpp\"\n"), Rules{"2 include-room"}) << path;
}
TEST(Includes, ARoomWithinARoomIsAnother) {
  EXPECT_EQ(broken("sim/world/world.cpp", "#include \"sim/stores/server.hpp\"\n"), none);
  EXPECT_EQ(broken("sim/world/world.cpp", "#include \"sim/stores/redis/redis.hpp\"\n"),
            Rules{"2 include-room"});
}
TEST(Includes, TheCommandLineBenchmarksAndTestsSeeEverything) {
  for (const char* path : {"sim/cli/main.cpp", "bench/sim_bench.cpp", "sim/core/task_test.cpp"})
    EXPECT_EQ(broken(path, "#include \"sim/world/world.hpp\"\n"), none) << path;
}
TEST(Includes, OwnHeadersAreNamedFromTheRoot) {
  EXPECT_EQ(broken("sim/core/task.cpp", "#include \"task.hpp\"\n"), Rules{"2 include-path"});
}
TEST(Includes, EveryLibraryHasItsHome) {
  const std::vector<std::pair<const char*, const char*>> homes = {
      {"hiredis/hiredis.h", "sim/live/store.cpp"},
      {"luajit.h", "sim/stores/redis/lua.cpp"},
      {"nlohmann/json.hpp", "reports/json.cpp"},
      {"CLI/CLI.hpp", "sim/cli/options.cpp"},
      {"tsl/robin_map.h", "sim/stores/redis/keyspace.cpp"},
      {"xxhash.h", "sim/trace/digest.cpp"},
      {"benchmark/benchmark.h", "bench/sim_bench.cpp"},
      {"gtest/gtest.h", "sim/core/task_test.cpp"},
      {"rapidcheck.h", "sim/core/task_test.cpp"}};
  for (const auto& [header, home] : homes) {
    const std::string line = "#include <" + std::string(header) + ">\n";
    EXPECT_EQ(broken(home, line), none) << header;
    EXPECT_EQ(broken("sim/world/world.cpp", line), Rules{"2 library-home"}) << header;
  }
}
TEST(Includes, ALibraryThatNobodyDecidedOnIsANewDependency) {
  EXPECT_EQ(broken("sim/world/world.cpp", "#include <boost/asio.hpp>\n"), Rules{"2 new-dependency"});
}

// --- co_await ---

std::vector<std::string> broken_body(const std::string& statement) {
  return broken("algorithms/token.cpp", "Task<int> f() {\n" + statement + "\n}\n");
}

TEST(Awaiting, TheAllowedShapes) {
  for (const char* good : {
           "co_await clock.sleep(30ms);",
           "const Reply reply = co_await store.set(key, token, SetOptions().px(ttl).nx());",
           "const std::vector<Reply> replies = co_await all(calls);",
           "auto reply = co_await store.get(key);",
           "reply = co_await store.get(key);",
           "this->reply_ = co_await store.get(keys[0]);",
           "co_return co_await store.get(key);",
           "if (again) co_await clock.sleep(pause);",
           "if (const bool held = co_await lock.ask(); held) { co_return 1; }",
           "while (true) { const Reply reply = co_await store.get(key); }",
           "for (int i = 0; i < 3; ++i) co_await clock.sleep(pause);",
           "else co_await clock.sleep(pause);",
           "const Reply reply =\n    co_await store.get(\n        key);",
           "const Reply reply = co_await store.get(f(\"a ? b : { c }\"));  // why? {because}",
       })
    EXPECT_EQ(broken_body(good), none) << good;
}
TEST(Awaiting, TheShapesThatCompilersGetWrong) {
  for (const char* bad : {
           "if (co_await lock.ask()) co_return 1;",
           "if (!co_await lock.ask()) { co_return 1; }",
           "if (co_await a() && co_await b()) co_return 1;",
           "while (co_await lock.ask()) {}",
           "switch (co_await lock.ask()) {}",
           "for (const int x : co_await list()) use(x);",
           "if (!(co_await store.get(key)).is_ok()) co_return 1;",
           "const Reply reply = held ? co_await a() : b();",
           "const Reply reply = co_await (held ? a() : b());",
           "co_await store.set(key, renewing ? old_token : fresh());",
           "co_await store.eval(script, {key}, {token});",
           "co_await store.set(key, Options{1, 2});",
           "Lease lease{co_await a(), co_await b()};",
           "const Lease lease{.token = co_await next_token(), .until = now};",
           "co_return Lease{co_await a()};",
           "co_await retry([token] { return token; });",
           "const auto [a, b] = co_await both();",
           "EXPECT_TRUE(co_await lock.ask());",
           "use(co_await a());",
           "const int sum = co_await a() + co_await b();",
           "const int sum = 1 + co_await a();",
       })
    EXPECT_EQ(broken_body(bad), Rules{"3 await-shape"}) << bad;
}
TEST(Awaiting, DefiningTheOperatorIsNotAwaiting) {
  EXPECT_EQ(
      broken("sim/core/task.hpp", "Awaiter operator co_await() && noexcept { return Awaiter(frame_); }\n"),
      none);
}

TEST(Coroutines, TakeTheirParametersByValue) {
  const char* path = "algorithms/token.cpp";
  EXPECT_EQ(broken(path, "Task<Attempt> acquire(Env& env, std::string key, Mode) override {\n}\n"), none);
  EXPECT_EQ(broken(path, "Task<> f(const std::string& key) {\n}\n"), Rules{"2 coroutine-parameter"});
  EXPECT_EQ(broken(path, "Task<> Lock::f(std::string_view key) {\n}\n"), Rules{"2 coroutine-parameter"});
  EXPECT_EQ(broken(path, "Task<std::optional<Grant>> f(\n    Env& env,\n    Grant& grant);\n"),
            Rules{"2 coroutine-parameter"});
}
TEST(Coroutines, AreNoCapturingLambdas) {
  EXPECT_EQ(broken("sim/world/client.cpp", "const auto f = [](Env& env) -> Task<> {};\n"), none);
  EXPECT_EQ(broken("sim/world/client.cpp", "const auto f = [key](Env& env) -> Task<> {};\n"),
            Rules{"2 coroutine-lambda"});
  EXPECT_EQ(broken("sim/world/client.cpp", "spawn([&]() -> Task<> { co_return; });\n"),
            Rules{"2 coroutine-lambda"});
}

// --- bans ---

TEST(Bans, RealTimeIsForLiveRunsAndTheCommandLine) {
  const char* code = "const auto now = std::chrono::system_clock::now();\n";
  EXPECT_EQ(broken("sim/world/world.cpp", code), Rules{"2 real-time"});
  EXPECT_EQ(broken("algorithms/token.cpp", code), Rules{"2 real-time"});
  EXPECT_EQ(broken("sim/live/loop.cpp", code), none);
  EXPECT_EQ(broken("sim/world/world_test.cpp", code), none);
}
TEST(Bans, EveryWordInItsPlace) {
  const std::vector<std::pair<const char*, const char*>> bad = {
      {"void f() { std::random_device device; }", "real-chance"},
      {"void f() { std::uniform_int_distribution<int> d(0, 1); }", "real-chance"},
      {"void f() { std::shuffle(a.begin(), a.end(), rng); }", "real-chance"},
      {"void f() { use(std::hash<int>()(1)); }", "unstable-hash"},
      {"void f() { std::thread t(work); }", "real-thread"},
      {"void f() { const double half = 0.5; }", "float"},
      {"void f() { use(std::getenv(\"HOME\")); }", "environment"},
      {"void f() { std::printf(\"hello\"); }", "speaks"},
      {"void f(const redis::Redis& server);", "one-store"},
      {"void f() { assert(true); }", "assert"}};
  for (const auto& [code, rule] : bad)
    EXPECT_EQ(broken("sim/world/world.cpp", code), Rules{"2 " + std::string(rule)}) << code;
}
TEST(Bans, WordsInCommentsTextsAndLongerWordsAreFree) {
  EXPECT_EQ(broken("sim/world/world.cpp",
                   "// no system_clock, no rand\n/* std::shuffle\n   std::thread */\n"
                   "const char* text = \"system_clock\";\nconst char* raw = R\"(rand \" NULL)\";\n"
                   "void f(int operand, int brand) { use('\\'', 1'000'000, operand); static_assert(true); }\n"
                   "using namespace std::chrono_literals;\n"),
            none);
}
TEST(Bans, LoopsOverUnorderedContainers) {
  const char* path = "sim/explore/cache.cpp";
  EXPECT_EQ(
      broken(
          path,
          "void f() {\n  std::unordered_map<int, int> seen;\n  for (const auto& [k, v] : seen) use(k);\n}\n"),
      Rules{"4 unordered-loop"});
  EXPECT_EQ(broken(path, "void f() {\n  std::unordered_set<int> seen;\n  use(seen.begin());\n}\n"),
            Rules{"4 unordered-loop"});
  EXPECT_EQ(broken(path,
                   "void f() {\n  std::unordered_set<int> seen;\n  std::set<int> other;\n  seen.insert(1);\n"
                   "  for (int x : other) use(x);\n}\n"),
            none);
}
TEST(Bans, MapsKeyedByPointers) {
  EXPECT_EQ(broken("sim/world/world.hpp", "class A { std::map<const Call*, int> calls_; };\n"),
            Rules{"2 pointer-key"});
  EXPECT_EQ(broken("sim/world/world.hpp", "class A { std::map<MessageId, Call*> calls_; };\n"), none);
}
TEST(Bans, TwoPicksInOneExpression) {
  EXPECT_EQ(broken("sim/world/world.cpp", "void f() { use(c.pick(a, b, 2), c.pick(a, b, 3)); }\n"),
            Rules{"2 two-picks"});
  EXPECT_EQ(broken("sim/world/world.cpp", "void f() { x = c.pick(a, b, 2); y = c.pick(a, b, 3); }\n"), none);
}
TEST(Bans, StateThatOutlivesARun) {
  for (const char* bad :
       {"int counter = 0;", "static int counter;", "void f() {\n}\nstd::string last;",
        "namespace a {\nstatic std::vector<int> seen{1};\n}", "inline thread_local int slot = 0;",
        "class A {\n public:\n  static int made;\n};"}) {
    const Rules found = broken("sim/world/world.cpp", bad);
    ASSERT_EQ(found.size(), 1u) << bad;
    EXPECT_TRUE(found.front().ends_with("static-state")) << bad;
  }
  EXPECT_EQ(broken("sim/world/world.cpp",
                   "static const int a = 1;\nconstexpr int b{2};\nstatic int f(int x) { return x; }\n"
                   "struct A {\n  int member = 0;\n  static A make();\n};\nclass B;\nusing C = int;\n"
                   "enum class E : int { a, b };\nvoid g() {\n  int local = 0;\n  use(local);\n}\n"
                   "const std::array list{A{1}, A{2}};\nB::B() : a_{1}, b_{2} {}\n"),
            none);
}
TEST(Bans, AlgorithmsHaveNoDestructors) {
  EXPECT_EQ(broken("algorithms/token.cpp", "class A {\n  ~A() {}\n};\n"), Rules{"3 destructor"});
}

// --- sizes ---

TEST(Sizes, ALineHas110Columns) {
  EXPECT_EQ(broken("sim/world/world.cpp", "// " + std::string(107, 'x') + "\n"), none);
  EXPECT_EQ(broken("sim/world/world.cpp", "// " + std::string(108, 'x') + "\n"), Rules{"2 line-length"});
  EXPECT_EQ(broken("sim/world/world.cpp", "// " + std::string(104, 'x') + "…→·\n"), none);
}
TEST(Sizes, AFileHas400Lines) {
  std::string lines;
  for (int i = 0; i < 399; ++i) lines += "\n";
  EXPECT_EQ(broken("sim/world/world.cpp", lines), none);
  EXPECT_EQ(broken("sim/world/world.cpp", lines + "\n"), Rules{"401 file-size"});
}
TEST(Sizes, AFunctionHas60Lines) {
  std::string nested;
  for (int i = 0; i < 58; ++i) nested += "  use(x);\n";
  EXPECT_EQ(broken("sim/world/world.cpp", "void A::f(int x) const {\n" + nested + "}\n"), none);
  EXPECT_EQ(broken("sim/world/world.cpp", "void A::f(int x) const {\n" + nested + "\n}\n"),
            Rules{"2 function-size"});
  EXPECT_EQ(broken("sim/world/world.cpp", "namespace a {\nstruct B {\n" + nested + "\n};\n}\n"), none);
}
TEST(Sizes, AFileBeginsWithItsPurpose) {
  const auto rules = [](std::string_view path, std::string_view text) { return inspect(path, text).size(); };
  EXPECT_EQ(rules("sim/world/world.cpp", "#include <vector>\n"), 1u);
  EXPECT_EQ(rules("sim/world/world.hpp", "#pragma once\n"), 1u);
  EXPECT_EQ(rules("sim/world/world.cpp", "#include \"sim/world/world.hpp\"\n"), 0u);
  EXPECT_EQ(rules("sim/world/world.cpp", ""), 1u);
}
TEST(Sizes, NothingIsLeftForLater) {
  EXPECT_EQ(broken("sim/world/world.cpp",
                   "// TO"
                   "DO: later\n"),
            Rules{"2 leftover"});
  EXPECT_EQ(broken("sim/world/world.cpp",
                   "const char* text = \"FIX"
                   "ME\";\n"),
            none);
}

TEST(Violations, AreOneLineThatNamesTheReplacement) {
  const std::vector<Violation> found =
      inspect("sim/world/world.cpp", "// A purpose.\nvoid f() { use(rand()); }\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(to_text(found.front()),
            "sim/world/world.cpp:2: real-chance: rand → Choices::pick(), so that the tape has it; "
            "sim/choose/rng.hpp makes the numbers");
}

}  // namespace
}  // namespace holdfast::tidy
