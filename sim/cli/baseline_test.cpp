// Baselines: what is planted is found with the right line, and nothing else is.
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/cli/baseline.hpp"
#include "sim/cli/measured.hpp"
#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Json = nlohmann::ordered_json;

const std::string file = "holdfast-baselines/main.json";

class Baselines : public Program {
 protected:
  void save(const std::string& more = "") {
    const Outcome outcome = run("baseline save main --only" + one_cell + more);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    ASSERT_THAT(outcome.out, HasSubstr(file));
  }
  Outcome compare(const std::string& more = "") { return run("baseline compare main " + more); }

  // Changes the saved baseline, as a change of the program would change what is found.
  void plant(const std::function<void(Json&)>& change) {
    Json json = read_json(file);
    change(json);
    write(file, json.dump());
  }
  void write_times(const std::string& name, std::size_t repetitions, double nanoseconds) {
    Json json{{"context", Json::object()}, {"benchmarks", Json::array()}};
    for (std::size_t i = 0; i < repetitions; ++i)
      json["benchmarks"].push_back(benchmark_json("lock/uncontended", i, 1000,
                                                  nanoseconds + static_cast<double>(i) / 10,
                                                  nanoseconds + static_cast<double>(i) / 10));
    write(name, json.dump());
  }
  void expect_complaint(const std::string& words, int code, const std::string& part) {
    const Outcome outcome = run("baseline " + words);
    EXPECT_EQ(outcome.code, code) << words;
    EXPECT_THAT(outcome.out, IsEmpty()) << words;
    EXPECT_THAT(outcome.err, HasSubstr(part)) << words;
  }
};

TEST_F(Baselines, AnUnchangedTreeGivesNoAlarmInTenComparisons) {
  save();
  const std::string before = read(file);
  save();
  EXPECT_EQ(read(file), before);
  for (int i = 0; i < 10; ++i) {
    const Outcome outcome = compare(i % 2 == 0 ? "-j 1" : "-j 2");
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("nothing has changed"));
  }
}

TEST_F(Baselines, EveryEntryIsOneLineOfTheFile) {
  save();
  EXPECT_THAT(read(file), AllOf(HasSubstr("\n  {\"algorithm\":\"set-nx-px-as-printed\",\"fault\":\"none\","
                                          "\"property\":\"mutual-exclusion\",\"verdict\":\"violated\","),
                                HasSubstr("\n\"schema\": \"holdfast/baseline/1\",\n")));
}

TEST_F(Baselines, ARiseOfCommandsPerAcquireByATenthIsARegression) {
  save();
  plant([](Json& json) {
    Json& commands = json["costs"][0]["commands_per_acquire"];
    commands = commands.get<double>() / 1.1;
  });
  const Outcome outcome = compare();
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("set-nx-px-as-printed (contend, 8 clients): commands_per_acquire "),
                    HasSubstr("+10.0 % (allowed 0 %)"), HasSubstr("1 regression, 0 better or new")));
  plant([](Json& json) { json["tolerances"]["commands_per_acquire"] = 0.11; });
  EXPECT_EQ(compare().code, 0);
}

TEST_F(Baselines, ALongerWakeUpIsARegressionAndABaselineWithoutOneSaysNothing) {
  save();
  plant([](Json& json) {
    Json& wake_up = json["costs"][0]["wake_up_ms_p99"];
    wake_up = wake_up.get<double>() / 2;
  });
  const Outcome outcome = compare();
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("wake_up_ms_p99 "), HasSubstr("+100.0 % (allowed 0 %)")));
  plant([](Json& json) { json["costs"][0].erase("wake_up_ms_p99"); });
  EXPECT_EQ(compare().code, 0);
}

TEST_F(Baselines, FewerCommandsPerAcquireAreAnImprovement) {
  save();
  plant([](Json& json) { json["costs"][0]["commands_per_acquire"] = 1000; });
  const Outcome outcome = compare();
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("What a user pays:\n  better      set-nx-px-as-printed"),
                                 HasSubstr("0 regressions, 1 better or new")));
}

TEST_F(Baselines, AVerdictThatBecameWorseIsARegression) {
  save();
  plant([](Json& json) {
    for (Json& cell : json["cells"])
      if (cell["property"] == "mutual-exclusion") cell["verdict"] = "holds";
  });
  const Outcome outcome = compare();
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out,
              HasSubstr("set-nx-px-as-printed under none, mutual-exclusion: verdict holds → violated"));
}

TEST_F(Baselines, AVerdictThatBecameBetterIsNone) {
  save();
  plant([](Json& json) {
    for (Json& cell : json["cells"])
      if (cell["verdict"] == "holds") cell["verdict"] = "violated";
  });
  const Outcome outcome = compare();
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("verdict violated → holds"));
}

TEST_F(Baselines, OtherStatesLongerTracesAndMissingLocksAreRegressions) {
  save();
  plant([](Json& json) {
    json["explorations"][0]["states"] = json["explorations"][0]["states"].get<int>() + 1;
    for (Json& cell : json["cells"])
      if (cell.contains("trace_length")) cell["trace_length"] = 1;
    Json gone = json["costs"][0];
    gone["algorithm"] = "gone";
    json["costs"].push_back(gone);
  });
  const Outcome outcome = compare("--counts");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr(" under none: states "), HasSubstr(": trace_length 1 → "),
                                 HasSubstr("gone (contend, 8 clients): there → missing")));
}

// What a user wants to know comes first, and what the explorer counted only when asked for.
TEST_F(Baselines, VerdictsComeFirstThenCostsAndCountsOnlyWhenAskedFor) {
  save();
  plant([](Json& json) {
    for (const char* count : {"states", "transitions"})
      json["explorations"][0][count] = json["explorations"][0][count].get<int>() + 1;
  });
  const Outcome counted = compare();
  EXPECT_EQ(counted.code, 0) << counted.out;
  EXPECT_THAT(counted.out, HasSubstr("nothing has changed\nThe explorer counted 2 figures otherwise (states, "
                                     "runs, steps); --counts lists them."));
  EXPECT_EQ(Json::parse(compare("--format json").out)["counts_left_out"], 2);
  plant([](Json& json) {
    for (Json& cell : json["cells"])
      if (cell["property"] == "mutual-exclusion") cell["verdict"] = "holds";
    json["costs"][0]["commands_per_acquire"] = 1;
  });
  const Outcome both = compare("--counts");
  EXPECT_EQ(both.code, 3);
  const std::size_t verdict =
      both.out.find("Verdicts:\n  worse       set-nx-px-as-printed under none, mutual");
  const std::size_t cost = both.out.find("What a user pays:\n  worse       set-nx-px-as-printed (contend");
  const std::size_t count = both.out.find("What the explorer counted:\n  worse");
  EXPECT_LT(verdict, cost);
  EXPECT_LT(cost, count);
  EXPECT_LT(count, both.out.size()) << both.out;
}

TEST_F(Baselines, ASmallDifferenceIsNotShownAsNone) {
  save();
  plant([](Json& json) {
    Json& wait = json["costs"][0]["wait_ms_p99"];
    wait = wait.get<double>() * 1.0001;
  });
  const Outcome outcome = compare();
  EXPECT_THAT(outcome.out, AllOf(HasSubstr(", -0.01 % (allowed 0 %)"), Not(HasSubstr("-0.0 %"))));
}

TEST_F(Baselines, AVerdictWhereNoneBelongsIsNoFigure) {
  save();
  plant([](Json& json) {
    json["explorations"][0]["verdict"] = "holds";
    json["costs"][0]["verdict"] = 5;
  });
  EXPECT_EQ(compare().code, 0);
}

TEST_F(Baselines, ReportsForServersNameTheRegression) {
  save();
  plant([](Json& json) { json["costs"][0]["jain_fairness"] = 2; });
  const Outcome junit = compare("--format junit");
  EXPECT_EQ(junit.code, 3);
  EXPECT_THAT(junit.out, AllOf(HasSubstr("<testsuites name=\"holdfast\" tests=\"1\" failures=\"1\""),
                               HasSubstr("jain_fairness 2 → ")));
  const Json json = Json::parse(compare("--format json").out);
  EXPECT_EQ(json["schema"], "holdfast/baseline-comparison/1");
  EXPECT_EQ(json["regressions"], 1);
  EXPECT_EQ(json["differences"][0]["change"], "regression");
  EXPECT_EQ(json["differences"][0]["figure"], "jain_fairness");
  EXPECT_EQ(json["differences"][0]["before"], 2);
}

TEST_F(Baselines, AcceptTakesOverWhatWasFoundAndKeepsTolerances) {
  save();
  const std::string good = read(file);
  expect_complaint("accept main", 66, "there is nothing to accept (holdfast baseline compare main)");
  plant([](Json& json) {
    json["costs"][0]["bypass_max"] = 0;
    json["tolerances"]["states"] = 0.5;
  });
  EXPECT_EQ(compare().code, 3);
  const Outcome outcome = run("baseline accept main");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("bypass_max 0 → "), HasSubstr("1 difference accepted")));
  EXPECT_EQ(compare().code, 0);
  plant([](Json& json) {
    EXPECT_EQ(json["tolerances"]["states"], 0.5);
    json["tolerances"]["states"] = 0;
  });
  EXPECT_EQ(read_json(file), Json::parse(good));
}

TEST_F(Baselines, AreKeptWhereTheEnvironmentOrTheOptionSays) {
  EXPECT_EQ(shell("HOLDFAST_BASELINES=a $H baseline save x --only" + one_cell).code, 0);
  EXPECT_EQ(shell("HOLDFAST_BASELINES=a $H baseline save y --store b --only" + one_cell).code, 0);
  EXPECT_THAT(run("baseline list --store a").out, AllOf(StartsWith("x "), Not(HasSubstr("y "))));
  const Json json = Json::parse(run("baseline list --store b --format json").out);
  EXPECT_EQ(json["baselines"][0]["name"], "y");
  EXPECT_EQ(json["baselines"][0]["options"],
            Json({"--only=set-nx-px-as-printed", "--faults=none", "--attempts=1"}));
  EXPECT_THAT(run("baseline list").out, StartsWith("no baselines in holdfast-baselines"));
}

TEST_F(Baselines, SayWhatIsWrongWithTheWords) {
  save();
  expect_complaint("", 64, "ACTION is missing");
  expect_complaint("sav main", 64, "did you mean \"save\"?");
  expect_complaint("compare", 64, "NAME is missing (holdfast baseline compare NAME)");
  expect_complaint("compare main --only token", 64, "--only=token: the baseline says what is explored");
  expect_complaint("compare man", 66, "did you mean \"main\"?");
  expect_complaint("save main --only token --faults none", 64, "another name, or --force");
  EXPECT_EQ(run("baseline save main --force --faults none --attempts 1 --only token").code, 0);
  expect_complaint("save ../main", 64, "is no name of a baseline");
  expect_complaint("save x --budget 0s --only token", 2, "nothing was saved");
  expect_complaint("save x --store /dev/null/y", 66, "no directory that can be written to");
}

TEST_F(Baselines, SayWhatIsWrongWithAFile) {
  save();
  const Json good = read_json(file);
  const auto expect_bad = [&](const std::string& part, const std::function<void(Json&)>& change) {
    Json json = good;
    change(json);
    write(file, json.dump());
    expect_complaint("compare main", 65, part);
  };
  expect_bad("is holdfast/baseline/2, but this holdfast reads holdfast/baseline/1: a newer one wrote it",
             [](Json& json) { json["schema"] = "holdfast/baseline/2"; });
  expect_bad("not a baseline", [](Json& json) { json["schema"] = "holdfast/matrix/1"; });
  expect_bad("unknown figure \"state\" — did you mean \"states\"?\n      at /tolerances/state",
             [](Json& json) { json["tolerances"]["state"] = 0; });
  expect_bad("at /tolerances/states", [](Json& json) { json["tolerances"]["states"] = -1; });
  expect_bad("at /cells/0/verdict", [](Json& json) { json["cells"][0]["verdict"] = "hold"; });
  expect_bad("at /costs/0/clients", [](Json& json) { json["costs"][0]["clients"] = Json::array(); });
  expect_bad("the same as /cells/0\n      at /cells/1",
             [](Json& json) { json["cells"].insert(json["cells"].begin(), json["cells"][0]); });
  expect_bad("at /options", [](Json& json) { json["options"] = {"--only=nothing-like-it"}; });
  expect_bad("at /options", [](Json& json) { json["options"] = {"--format=json"}; });
  expect_bad("ttl has changed", [](Json& json) { json["bounds"]["ttl"] = "5s"; });
  write(file, std::string(100'000, '['));
  expect_complaint("compare main", 65, "nested deeper than 64 levels");
  write(file, "{\n \"time\": 1e999\n}");
  expect_complaint("compare main", 65, "main.json:2:10: error: this number is too large");
}

TEST_F(Baselines, TimesOfGoogleBenchmarkAreComparedByTheirMedians) {
  write_times("then.json", 10, 100);
  write_times("slower.json", 10, 120);
  write_times("noise.json", 10, 101);
  write_times("few.json", 6, 200);
  save("--measured then.json");
  EXPECT_EQ(compare("--measured then.json").code, 0);
  EXPECT_THAT(compare("--measured noise.json").out, HasSubstr("nothing has changed"));
  const Outcome slower = compare("--measured slower.json");
  EXPECT_EQ(slower.code, 3);
  EXPECT_THAT(slower.out, AllOf(HasSubstr("lock/uncontended: time"), HasSubstr("+19.9 % (allowed 10 %)")));
  const Outcome few = compare("--measured few.json");
  EXPECT_EQ(few.code, 0);
  EXPECT_THAT(few.out, AllOf(HasSubstr("  cannot tell lock/uncontended"),
                             HasSubstr("repetitions 10 → 6; too few to decide")));
}

TEST_F(Baselines, TimesOfAnotherMachineSayNothing) {
  write_times("then.json", 10, 100);
  write_times("slower.json", 10, 120);
  save("--measured then.json");
  plant([](Json& json) { json["context"]["processor"] = "another"; });
  const Outcome outcome = compare("--measured slower.json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("  cannot tell lock/uncontended"), HasSubstr("on another machine")));
}

TEST_F(Baselines, AggregatesAloneCannotBeCompared) {
  write("aggregates.json",
        R"({"benchmarks": [{"name": "a_mean", "run_type": "aggregate", "cpu_time": 1, "time_unit": "ns"}]})");
  expect_complaint("save x --measured aggregates.json --only" + one_cell, 65, "only aggregates");
}

TEST_F(Baselines, AnotherProgramIsMeasuredInTurns) {
  save("--bench yardstick/2-1-1-0/token --repetitions 1");
  EXPECT_THAT(compare("--repetitions 1").out, HasSubstr("repetitions 1 → 1; too few to decide"));
  write("fast",
        "#!/bin/sh\necho \"$*\" >>fast.txt\necho '{\"benchmarks\": [{\"name\": "
        "\"yardstick/2-1-1-0/token\", \"cpu_time\": 1, \"time_unit\": \"ns\"}]}'\n");
  std::filesystem::permissions(path("fast"), std::filesystem::perms::owner_all);
  const Outcome outcome = compare("--repetitions 7 --against " + path("fast").string());
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("14 and 14 repetitions"));
  const std::string calls = read("fast.txt");
  EXPECT_EQ(std::count(calls.begin(), calls.end(), '\n'), 14);
  expect_complaint("compare main --against ./no-such-program", 66, "./no-such-program: cannot be run");
  expect_complaint("compare main --against /bin/false", 65, "/bin/false cannot measure");
}

TEST(IntervalOfAMedian, NeedsSevenSamplesAndLeavesOutTheOutermostOfTen) {
  EXPECT_FALSE(interval_of({1, 2, 3, 4, 5, 6}));
  const auto of_seven = interval_of({7, 1, 6, 2, 5, 3, 4});
  EXPECT_EQ(of_seven->low, 1);
  EXPECT_EQ(of_seven->median, 4);
  EXPECT_EQ(of_seven->high, 7);
  const auto of_ten = interval_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  EXPECT_EQ(of_ten->low, 2);
  EXPECT_EQ(of_ten->median, 5.5);
  EXPECT_EQ(of_ten->high, 9);
}

// Of `count` samples, exactly k lie below the true median with the probability of k heads in `count` throws.
RC_GTEST_PROP(IntervalOfAMedian, HoldsTheMedianWithTheConfidenceThatItStates, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(repetitions_min, 200);
  std::vector<double> ranks(count);
  for (std::size_t i = 0; i < count; ++i) ranks[i] = static_cast<double>(i);
  const auto interval = interval_of(ranks);
  RC_ASSERT(interval.has_value());
  double confidence = 0;
  for (std::size_t below = 0; below <= count; ++below) {
    const auto n = static_cast<double>(count), k = static_cast<double>(below);
    const double probability =
        std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2.0));
    // The median lies between the samples of rank below - 1 and below.
    if (interval->low <= k - 1 && k <= interval->high) confidence += probability;
  }
  RC_ASSERT(confidence >= 0.975);
  RC_ASSERT(interval->low <= interval->median && interval->median <= interval->high);
}

}  // namespace
}  // namespace holdfast::cli
