// Every key is read; every error has its exact words and its exact place.
#include "sim/scenario/parse.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "sim/scenario/example_cards_test.hpp"

namespace holdfast {
namespace {

using testing::ElementsAre;

std::string problems_of(std::string_view text) {
  std::string all;
  for (const Problem& problem : parse_scenario(text, "a.json", example_known()).problems)
    all.append(all.empty() ? "" : "\n").append(to_text(problem));
  return all;
}

Scenario good(std::string_view text) {
  Parsed parsed = parse_scenario(text, "a.json", example_known());
  EXPECT_EQ(parsed.problems, std::vector<Problem>());
  return parsed.scenario.value_or(Scenario());
}

// A file of one line whose body follows what every file needs.
std::string with(std::string_view rest) {
  return R"({"version": 1, "algorithm": {"name": "leased"}, )" + std::string(rest) + "}";
}

TEST(Scenario, TheSmallestFileIsTwoClientsWhoAcquireWorkWriteAndRelease) {
  const Scenario scenario = good(R"({"version": 1, "algorithm": {"name": "leased"}})");
  EXPECT_EQ(scenario.name, "a");
  EXPECT_EQ(scenario.algorithm, "leased");
  EXPECT_EQ(scenario.clients, default_clients());
  EXPECT_EQ(scenario.timing, Timing());
  EXPECT_EQ(scenario.explore, Explore());
  EXPECT_TRUE(scenario.faults.empty());
  EXPECT_FALSE(scenario.expect);
}

TEST(Scenario, EveryKeyIsRead) {
  const Scenario scenario = good(R"({
    "$schema": "./scenario.schema.json", "version": 1, "name": "all", "description": "d", "tags": ["x", "y"],
    "algorithm": {"name": "leased", "params": {"ttl": "1.5s", "tries": "3", "unit": "repaired"}},
    "belief": "deadline-from-reply", "key": "k",
    "clients": [
      {"id": "A", "clock": {"offset": "-5ms", "driftPpm": 200}, "start": "1s", "repeat": 2,
       "do": [{"op": "sleep", "for": "1ms"}, {"op": "acquire", "attempts": 4, "mode": "shared"},
              {"op": "release"}]}, {"id": "B", "sharesLockOf": "A", "do": [{"op": "acquire"}]}],
    "faults": [{"kind": "pause", "target": "A", "at": "in-section", "magnitude": "45ms", "budget": 2}],
    "timing": {"tick": "1ms", "delay": {"min": "2ms", "max": "3ms"}, "timeout": "4ms", "retry": "5ms",
               "retryLate": "6ms", "restart": "7ms", "recovery": "8ms", "recoveryRounds": 9},
    "explore": {"strategy": "random", "seed": "0x2a", "runs": 5, "states": 6, "time": "7s", "steps": 8,
                "memoryMax": 1048576, "reductions": ["symmetry"]},
    "check": ["recovery", "mutual-exclusion"],
    "expect": {"verdict": "violated", "property": "recovery", "maxSteps": 9, "reason": "r"}})");
  Scenario same;
  same.name = "all";
  same.description = "d";
  same.tags = {"x", "y"};
  same.algorithm = "leased";
  same.params = {{"ttl", "1.5s"}, {"tries", "3"}, {"unit", "repaired"}};
  same.belief = Belief::deadline_from_reply;
  same.key = "k";
  same.clients = {{.id = "A",
                   .wall_offset = -5ms,
                   .drift_ppm = 200,
                   .start = 1s,
                   .rounds = 2,
                   .program = {{.op = ProgramStep::Op::sleep, .length = 1ms},
                               {.op = ProgramStep::Op::acquire, .attempts = 4, .mode = Mode::shared},
                               {.op = ProgramStep::Op::release}}},
                  {.id = "B", .shares_lock_of = ClientId{0}, .program = {{.op = ProgramStep::Op::acquire}}}};
  same.faults = {{.kind = Fault::pause,
                  .target = ClientId{0},
                  .place = Place::in_section,
                  .budget = 2,
                  .magnitude = 45ms}};
  same.timing = {.tick = 1ms,
                 .delay_min = 2ms,
                 .delay_max = 3ms,
                 .timeout = 4ms,
                 .retry = 5ms,
                 .retry_late = 6ms,
                 .restart = 7ms,
                 .recovery = 8ms,
                 .recovery_rounds = 9};
  same.explore = {.strategy = StrategyKind::random,
                  .seed = 42,
                  .runs_max = 5,
                  .states_max = 6,
                  .memory_max = 1048576,
                  .time_max = 7s,
                  .steps_max = 8,
                  .reductions = {Reduction::symmetry}};
  same.check = {Property::recovery, Property::mutual_exclusion};
  same.expect =
      Expect{.verdict = Verdict::violated, .property = Property::recovery, .steps_max = 9, .reason = "r"};
  EXPECT_EQ(scenario, same);
}

TEST(Scenario, NamesTheStoreOfItsLockUnlessItIsRedis) {
  std::vector<Card> cards = example_cards();
  cards[0].store = StoreKind::shared_dict;
  const auto parse = [&](std::string_view lock) {
    const std::string text = R"({"version": 1, "algorithm": {)" + std::string(lock) + "}}";
    return parse_scenario(text, "a.json", Known(cards));
  };
  const Parsed without = parse(R"("name": "bare")");
  ASSERT_TRUE(without.scenario);
  EXPECT_EQ(without.scenario->runs_on, StoreKind::shared_dict);
  EXPECT_EQ(parse(R"("name": "bare", "store": "shared-dict")").scenario, without.scenario);
  EXPECT_NE(scenario_json(*without.scenario).find(R"("store": "shared-dict")"), std::string::npos);
  EXPECT_EQ(parse_scenario(scenario_json(*without.scenario), "a.json", Known(cards)).scenario,
            without.scenario);
  EXPECT_EQ(scenario_json(*parse(R"("name": "leased")").scenario).find("redis"), std::string::npos);
  const Parsed wrong = parse(R"("name": "leased", "store": "shared-dict")");
  ASSERT_EQ(wrong.problems.size(), 1u);
  EXPECT_EQ(wrong.problems[0].message, "the lock \"leased\" does not run on \"shared-dict\"");
  EXPECT_EQ(wrong.problems[0].pointer, "/algorithm/store");
}

TEST(Scenario, WithoutANameItIsCalledAsItsFile) {
  const auto name = [](std::string file) {
    return parse_scenario(R"({"version": 1, "algorithm": {"name": "leased"}})", std::move(file),
                          example_known())
        .scenario->name;
  };
  EXPECT_EQ(name("scenarios/lessons/a-claim.json"), "a-claim");
  EXPECT_EQ(name("My File.json"), "my-file");
  EXPECT_EQ(name("<stdin>"), "scenario");
}

TEST(Problems, AMisspeltWordShowsItsLineItsPlaceTheNearestWordAndAllAllowedOnes) {
  EXPECT_EQ(problems_of("{\n  \"version\": 1,\n  \"algorithm\": {\"name\": \"leased\"},\n"
                        "  \"faults\": [\n    { \"kind\": \"puase\", \"target\": \"A\" }\n  ]\n}\n"),
            "a.json:5:15: error: unknown fault \"puase\"\n"
            "    5 |     { \"kind\": \"puase\", \"target\": \"A\" }\n"
            "      |               ^^^^^^^ did you mean \"pause\"?\n"
            "      at /faults/0/kind · allowed: crash pause clock-skew restart");
}

TEST(Problems, AreAllCollectedInTheOrderOfTheText) {
  const Parsed parsed = parse_scenario(
      with(R"("faults": [{"kind": "puase", "butget": 1}], "timing": {"tick": "30"}, "check": ["recovry"], )"
           R"("key": "", "key": 1)"),
      "a.json", example_known());
  std::vector<std::string> messages;
  for (const Problem& problem : parsed.problems) messages.push_back(problem.pointer + ": " + problem.message);
  EXPECT_FALSE(parsed.scenario);
  EXPECT_THAT(messages, ElementsAre("/faults/0/kind: unknown fault \"puase\"",  //
                                    "/faults/0/butget: fault \"pause\" has no key \"butget\"",
                                    "/timing/tick: a duration needs a unit: \"30\" → \"30ms\"",
                                    "/check/0: unknown property \"recovry\"",
                                    "/key: expected text that is not empty, found \"\"",
                                    "/key: key \"key\" appears twice (first at 1:141)"));
}

struct Case {
  std::string text;
  std::string pointer;
  std::string message;
  std::string hint = "";
};

void expect_only(const Case& expected) {
  const Parsed parsed = parse_scenario(expected.text, "a.json", example_known());
  ASSERT_EQ(parsed.problems.size(), 1u) << expected.text;
  EXPECT_EQ(parsed.problems.front().pointer, expected.pointer);
  EXPECT_EQ(parsed.problems.front().message, expected.message);
  EXPECT_EQ(parsed.problems.front().hint, expected.hint);
  EXPECT_FALSE(parsed.scenario);
}

TEST(Problems, OfKeysAndTypes) {
  expect_only({R"({"algorithm": {"name": "leased"}})", "", "key \"version\" is missing here"});
  expect_only({R"({"version": 2, "algorithm": {"name": "leased"}})", "/version",
               "unknown version: this program reads version 1"});
  expect_only({R"({"version": 1})", "", "key \"algorithm\" is missing here"});
  expect_only({"[]", "", "a scenario is an object: { … }"});
  expect_only(
      {with(R"("algoritm": 1)"), "/algoritm", "unknown key \"algoritm\"", "did you mean \"algorithm\"?"});
  expect_only({with(R"("a/b~": 1)"), "/a~1b~0", "unknown key \"a/b~\""});
  expect_only({with(R"("redisConfig": {"cluster-enabled": "maybe"})"), "/redisConfig/cluster-enabled",
               "\"maybe\" is no value of cluster-enabled: it takes yes or no"});
  EXPECT_EQ(good(with(R"("redisConfig": {"cluster-enabled": "no"})")).redis_config,
            (Texts{{"cluster-enabled", "no"}}));
  expect_only({with(R"("description": 7)"), "/description", "expected text, found a number"});
  expect_only({with(R"("tags": "x")"), "/tags", "expected a list, found text"});
  expect_only({with(R"("tags": [null])"), "/tags/0", "expected text, found null"});
  expect_only({with(R"("timing": [])"), "/timing", "expected an object, found a list"});
  expect_only({with(R"("check": [true])"), "/check/0", "expected a property, found true or false"});
  expect_only({with(R"("check": [])"), "/check", "0 entries: a list of 1 to 100 was expected"});
  expect_only(
      {with(R"("check": ["recovery", "recovery"])"), "/check/1", "property \"recovery\" is listed twice"});
  expect_only({with(R"("name": "Ünfit")"), "/name",
               "expected 1 to 100 of the characters a-z, 0-9 and -, not beginning with -, found \"Ünfit\""});
}

TEST(Problems, OfDurations) {
  const auto tick = [](std::string_view value) {
    return with(R"("timing": {"tick": )" + std::string(value) + "}");
  };
  expect_only({tick("30"), "/timing/tick", "a duration is text with a unit, such as \"30ms\" or \"1.5s\""});
  expect_only({tick("true"), "/timing/tick",
               "expected a duration such as \"30ms\" or \"1.5s\", found true or false"});
  expect_only({tick(R"("30")"), "/timing/tick", "a duration needs a unit: \"30\" → \"30ms\""});
  expect_only(
      {tick(R"("1w")"), "/timing/tick",
       "\"1w\" is not a duration: a number and us, ms, s, m or h, in whole microseconds, such as \"1.5s\""});
  expect_only({tick(R"("-1s")"), "/timing/tick", "\"-1s\" is negative"});
  expect_only({tick(R"("0s")"), "/timing/tick", "\"0s\" is too short: it must be longer than nothing"});
  expect_only({tick(R"("1441m")"), "/timing/tick", "\"1441m\" is too long: at most a day (\"1440m\")"});
  expect_only({tick(R"("99999999999999999999999s")"), "/timing/tick",
               "\"99999999999999999999999s\" is not a duration: a number and us, ms, s, m or h, in whole "
               "microseconds, such as "
               "\"1.5s\""});
  expect_only({with(R"("timing": {"delay": {"min": "3s", "max": "2s"}})"), "/timing/delay",
               "the least delay 3s is longer than the greatest 2s"});
}

// A run asks each delay of its clients before it begins: there is room for 254 answers.
TEST(Problems, OfFixedDelaysThatAreTooManyTicks) {
  const auto fixed = [](std::string_view max) {
    return with(R"("timing": {"tick": "1s", "delay": {"of": "fixed", "max": ")" + std::string(max) + "\"}}");
  };
  EXPECT_EQ(good(fixed("253s")).timing.delay_max, Duration(253s));
  expect_only({fixed("254s"), "/timing/delay",
               "fixed delays of 0ms to 254s are not less than 254 ticks of 1s apart"});
}

TEST(Problems, OfNumbers) {
  const auto runs = [](std::string_view value) {
    return with(R"("explore": {"runs": )" + std::string(value) + "}");
  };
  const std::string message = "expected a whole number from 1 to 1000000000000, found ";
  expect_only({runs("0"), "/explore/runs", message + "0"});
  expect_only({runs("1.5"), "/explore/runs", message + "1.5"});
  expect_only({runs("18446744073709551615"), "/explore/runs", message + "18446744073709551615"});
  expect_only({runs("1e300"), "/explore/runs", message + "1e300"});
  expect_only({runs("\"5\""), "/explore/runs", message + "text"});
  EXPECT_EQ(good(runs("2e3")).explore.runs_max, 2000u);
  expect_only({with(R"("explore": {"seed": 1})"), "/explore/seed",
               "expected a seed as text, such as \"42\" or \"0x2a\", found a number"});
  expect_only({with(R"("explore": {"seed": "-1"})"), "/explore/seed",
               "expected a seed as text, such as \"42\" or \"0x2a\", found \"-1\""});
}

TEST(Problems, OfLocks) {
  const auto lock = [](std::string_view inside) {
    return R"({"version": 1, "algorithm": {)" + std::string(inside) + "}}";
  };
  expect_only({lock(R"("name": "leesed")"), "/algorithm/name", "unknown algorithm \"leesed\"",
               "did you mean \"leased\"?"});
  expect_only({lock(""), "/algorithm", "key \"name\" is missing here"});
  expect_only({lock(R"("name": "leased", "params": {"tll": "1s"})"), "/algorithm/params/tll",
               "the lock \"leased\" has no parameter \"tll\"", "did you mean \"ttl\"?"});
  expect_only({lock(R"("name": "leased", "params": {"ttl": "1000"})"), "/algorithm/params/ttl",
               "a duration needs a unit: \"1000\" → \"1000ms\""});
  expect_only({lock(R"("name": "leased", "params": {"unit": "repared"})"), "/algorithm/params/unit",
               "unknown unit \"repared\"", "did you mean \"repaired\"?"});
  expect_only({lock(R"("name": "leased", "params": {"tries": 3})"), "/algorithm/params/tries",
               "expected a whole number as text, such as \"3\", found a number"});
  expect_only({lock(R"("name": "leased", "params": {"tries": "-3"})"), "/algorithm/params/tries",
               "parameter \"tries\" is \"-3\", but must be a whole number from 0 to 1000000000"});
  expect_only({R"({"version": 1, "algorithm": {"name": "bare"}, "belief": "deadline-from-reply"})", "/belief",
               "belief \"deadline-from-reply\" makes no sense for the lock \"bare\""});
}

TEST(Problems, OfClients) {
  const auto clients = [](std::string_view list) { return with(R"("clients": )" + std::string(list)); };
  expect_only({clients("[]"), "/clients", "0 entries: a list of 1 to 100 was expected"});
  expect_only({clients("[{}]"), "/clients/0", "key \"id\" is missing here"});
  expect_only({clients(R"([{"id": "a"}])"), "/clients/0/id",
               "expected a client: A to Z, then C26 to C99, found \"a\""});
  expect_only({clients(R"([{"id": "A"}, {"id": "C"}])"), "/clients/1/id",
               "clients are named in order: this one is \"B\", not \"C\""});
  const std::string no_owner = "this is no earlier client with a lock object of its own";
  expect_only({clients(R"([{"id": "A", "sharesLockOf": "A"}])"), "/clients/0/sharesLockOf", no_owner});
  expect_only({clients(R"([{"id": "A"}, {"id": "B", "sharesLockOf": "C"}, {"id": "C"}])"),
               "/clients/1/sharesLockOf", no_owner});
  expect_only({clients(R"([{"id": "A"}, {"id": "B", "sharesLockOf": "A"},
                           {"id": "C", "sharesLockOf": "B"}])"),
               "/clients/2/sharesLockOf", no_owner});
  const auto program = [&](std::string_view steps) {
    return clients(R"([{"id": "A", "do": [)" + std::string(steps) + "]}]");
  };
  expect_only({program(R"({"op": "acquier", "attempts": 2})"), "/clients/0/do/0/op", "unknown op \"acquier\"",
               "did you mean \"acquire\"?"});
  expect_only(
      {program(R"({"op": "acquire"}, {"op": "work"})"), "/clients/0/do/1", "key \"for\" is missing here"});
  expect_only({program(R"({"op": "acquire"}, {"op": "release", "for": "1s"})"), "/clients/0/do/1/for",
               "op \"release\" has no key \"for\""});
  expect_only({program(R"({"op": "write"}, {"op": "acquire"})"), "/clients/0/do/0",
               "\"write\" without the lock: acquire it first"});
  expect_only({program(R"({"op": "acquire"}, {"op": "acquire"})"), "/clients/0/do/1",
               "\"acquire\" while the client holds the lock: release it first, or \"acquire-again\""});
  // Only what is written may come too late.
  const std::string released = R"({"op": "acquire"}, {"op": "release"}, {"op": "write"}, )";
  expect_only({program(released + R"({"op": "read"})"), "/clients/0/do/3",
               "\"read\" without the lock: acquire it first"});
}

TEST(Problems, OfFaults) {
  const auto fault = [](std::string_view inside) {
    return with(R"("faults": [{)" + std::string(inside) + "}]");
  };
  expect_only({fault(""), "/faults/0", "key \"kind\" is missing here"});
  expect_only({fault(R"("kind": "none")"), "/faults/0/kind", "unknown fault \"none\""});
  expect_only({fault(R"("kind": "failover")"), "/faults/0/kind", "unknown fault \"failover\""});
  expect_only({fault(R"("kind": "crash", "magnitude": "1s")"), "/faults/0/magnitude",
               "fault \"crash\" has no key \"magnitude\""});
  expect_only({fault(R"("kind": "clock-skew", "at": "anywhere")"), "/faults/0/at",
               "fault \"clock-skew\" has no key \"at\""});
  expect_only({fault(R"("kind": "crash", "target": "C")"), "/faults/0/target", "no client is called \"C\""});
  expect_only({fault(R"("kind": "crash", "at": "in-sektion")"), "/faults/0/at",
               "unknown place \"in-sektion\"", "did you mean \"in-section\"?"});
}

TEST(Problems, OfExpectations) {
  expect_only({with(R"("expect": {})"), "/expect", "key \"verdict\" is missing here"});
  expect_only({with(R"("expect": {"verdict": "holds", "maxSteps": 3})"), "/expect/maxSteps",
               "verdict \"holds\" has no key \"maxSteps\""});
  expect_only(
      {with(R"("check": ["recovery"], "expect": {"verdict": "holds", "property": "mutual-exclusion"})"),
       "/expect/property", "\"mutual-exclusion\" is not among the properties under \"check\""});
  expect_only({with(R"("explore": {"strategy": "random"}, "expect": {"verdict": "holds"})"),
               "/expect/verdict", "a random sample never proves that anything holds: expect \"sampled\""});
  expect_only({with(R"("expect": {"verdict": "sampled"})"), "/expect/verdict",
               "an exhaustive exploration never says \"sampled\": expect \"holds\""});
}

TEST(Problems, OfBrokenFilesAreOneClearLine) {
  EXPECT_EQ(problems_of(""), "a.json:1:1: error: the file is empty");
  EXPECT_EQ(problems_of("{\n \"version\": 1,"), "a.json:2:15: error: the file ends too early");
  EXPECT_EQ(problems_of("{\"version\": \"1"), "a.json:1:13: error: the file ends too early");
  EXPECT_EQ(problems_of(std::string(1u << 20, '[')),
            "a.json:1:65: error: the file is nested deeper than 64 levels");
  EXPECT_EQ(problems_of("{\n\"name\": \"\xff\"}"),
            "a.json:2:10: error: the file is not UTF-8 text: byte 0xFF");
  EXPECT_EQ(problems_of(std::string("\xff\xfe{\0}\0", 6)),
            "a.json:1:1: error: the file is not UTF-8 text: byte 0xFF");
  EXPECT_EQ(problems_of("\"\xed\xa0\x80\""),
            "a.json:1:2: error: the file is not UTF-8 text: byte 0xED");  // surrogate
  EXPECT_EQ(problems_of("\"\xc0\xaf\""),
            "a.json:1:2: error: the file is not UTF-8 text: byte 0xC0");  // overlong
}

TEST(Problems, OfSyntaxPointAtTheOffendingToken) {
  EXPECT_EQ(problems_of("{\n  \"version\": 1,\n}"),
            "a.json:3:1: error: this is not JSON: unexpected '}'; expected string literal\n"
            "    3 | }\n"
            "      | ^");
  EXPECT_EQ(problems_of("{\"version\": 1} // one"),
            "a.json:1:16: error: this is not JSON: invalid literal; expected end of input\n"
            "    1 | {\"version\": 1} // one\n"
            "      |                ^^");
  EXPECT_EQ(problems_of("[1e999]"),
            "a.json:1:2: error: this is not JSON: number overflow parsing '1e999'\n"
            "    1 | [1e999]\n"
            "      |  ^^^^^");
}

TEST(Problems, AByteOrderMarkMovesNothing) {
  const Parsed parsed = parse_scenario("\xEF\xBB\xBF{\"versoin\": 1}", "a.json", example_known());
  ASSERT_EQ(parsed.problems.size(), 3u);
  EXPECT_EQ(parsed.problems.back().message, "unknown key \"versoin\"");
  EXPECT_EQ(parsed.problems.back().column, 3u);
}

TEST(Problems, ColumnsCountCharactersAndLongLinesAreCut) {
  const std::string text = with(R"("description": ")" + std::string(500, 'x') +
                                R"(ü", "kye": 1, "tags": [")" + std::string(500, 'y') + "\"]");
  const Parsed parsed = parse_scenario(text, "a.json", example_known());
  ASSERT_EQ(parsed.problems.size(), 1u);
  EXPECT_EQ(parsed.problems[0].column, 1 + text.find("\"kye\"") - 1);  // ü is two bytes and one character
  EXPECT_EQ(parsed.problems[0].source_line,
            "…" + std::string(66, 'x') + "ü\", \"kye\": 1, \"tags\": [\"" + std::string(30, 'y') + "…");
  EXPECT_EQ(parsed.problems[0].source_column, 72u);
}

TEST(Problems, WhatATerminalWouldActUponIsNotPrinted) {
  const Parsed parsed = parse_scenario(with(R"("\u001b[31m": 1)"), "a.json", example_known());
  ASSERT_EQ(parsed.problems.size(), 1u);
  EXPECT_EQ(parsed.problems[0].message, "unknown key \" [31m\"");
}

TEST(Problems, AreListedUpToAHundred) {
  std::string keys;
  for (int i = 0; i < 5000; ++i) keys += "\"key" + std::to_string(i) + "\": 0, ";
  const Parsed parsed = parse_scenario(with(keys + R"("key": "k")"), "a.json", example_known());
  ASSERT_EQ(parsed.problems.size(), 101u);
  EXPECT_EQ(parsed.problems.back().message, "too many problems: the rest is not listed");
}

}  // namespace
}  // namespace holdfast
