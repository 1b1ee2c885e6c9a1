// Every key of a scenario file: name, type, bounds, meaning. One table with three readers: parse.cpp fills a
// Scenario from it, write.cpp writes one out, schema.cpp makes the JSON Schema. Defaults are those of
// scenario.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/scenario/known.hpp"
#include "sim/scenario/scenario.hpp"

namespace holdfast {

enum class Need : std::uint8_t { optional, required };

struct Bounds {
  std::int64_t min;
  std::int64_t max;
};

// What a duration may be; never longer than a day, so that sums and products of times stay exact.
enum class Sign : std::uint8_t { positive, not_negative, any };
inline constexpr Duration duration_max = 24h;

// What a text may be: `pattern` and `accepts` say the same, `expects` in words.
struct TextRule {
  std::string_view pattern;
  std::string_view expects;
  bool (*accepts)(std::string_view text);
};
constexpr bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
inline constexpr TextRule any_text{"", "text", [](std::string_view) { return true; }};
inline constexpr TextRule some_text{"^[\\s\\S]", "text that is not empty",
                                    [](std::string_view text) { return !text.empty(); }};
inline constexpr TextRule name_text{
    "^[a-z0-9][a-z0-9-]{0,99}$", "1 to 100 of the characters a-z, 0-9 and -, not beginning with -",
    [](std::string_view text) {
      const auto fits = [](char letter) {
        return is_digit(letter) || (letter >= 'a' && letter <= 'z') || letter == '-';
      };
      return !text.empty() && text.size() <= 100 && text.front() != '-' &&
             std::all_of(text.begin(), text.end(), fits);
    }};
inline constexpr TextRule client_text{"^([A-Z]|C(2[6-9]|[3-9][0-9]))$", "a client: A to Z, then C26 to C99",
                                      [](std::string_view text) {
                                        if (text.size() == 1) return text[0] >= 'A' && text[0] <= 'Z';
                                        return text.size() == 3 && text[0] == 'C' && is_digit(text[1]) &&
                                               is_digit(text[2]) && text.substr(1) >= "26";
                                      }};
inline constexpr std::int64_t clients_max = 100;

// The vocabulary of each enumeration, and what to call one of its words.
template <class Enum>
struct Vocabulary;
template <>
struct Vocabulary<Fault> {
  static constexpr std::string_view noun = "fault";
  static constexpr const auto& ids = fault_ids;
};
template <>
struct Vocabulary<Property> {
  static constexpr std::string_view noun = "property";
  static constexpr const auto& ids = property_ids;
};
template <>
struct Vocabulary<Belief> {
  static constexpr std::string_view noun = "belief";
  static constexpr const auto& ids = belief_ids;
};
template <>
struct Vocabulary<Verdict> {
  static constexpr std::string_view noun = "verdict";
  static constexpr const auto& ids = verdict_ids;
};
template <>
struct Vocabulary<Mode> {
  static constexpr std::string_view noun = "mode";
  static constexpr const auto& ids = mode_ids;
};
template <>
struct Vocabulary<Place> {
  static constexpr std::string_view noun = "place";
  static constexpr const auto& ids = place_ids;
};
template <>
struct Vocabulary<StrategyKind> {
  static constexpr std::string_view noun = "strategy";
  static constexpr const auto& ids = strategy_ids;
};
template <>
struct Vocabulary<Reduction> {
  static constexpr std::string_view noun = "reduction";
  static constexpr const auto& ids = reduction_ids;
};
template <>
struct Vocabulary<DataLoss> {
  static constexpr std::string_view noun = "loss";
  static constexpr const auto& ids = loss_ids;
};
template <>
struct Vocabulary<Ending> {
  static constexpr std::string_view noun = "end";
  static constexpr const auto& ids = ending_ids;
};
template <>
struct Vocabulary<Keying> {
  static constexpr std::string_view noun = "name";
  static constexpr const auto& ids = keying_ids;
};
template <>
struct Vocabulary<Role> {
  static constexpr std::string_view noun = "role";
  static constexpr const auto& ids = role_ids;
};
template <>
struct Vocabulary<Delays> {
  static constexpr std::string_view noun = "delays";
  static constexpr const auto& ids = delays_ids;
};
template <>
struct Vocabulary<Fencing> {
  static constexpr std::string_view noun = "fencing";
  static constexpr const auto& ids = fencing_ids;
};
template <>
struct Vocabulary<ProgramStep::Op> {
  static constexpr std::string_view noun = "op";
  static constexpr const auto& ids = op_ids;
};

// The words that a file may use: of faults and properties, only what this build can do.
template <class Enum>
std::vector<std::string_view> words_of(const Known& known) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < Vocabulary<Enum>::ids.size(); ++i)
    if (known.allows(static_cast<Enum>(i))) words.push_back(Vocabulary<Enum>::ids[i]);
  return words;
}

template <class Visitor>
void describe(Visitor& v, ProgramStep& step) {
  using Op = ProgramStep::Op;
  v.variant("op", step.op, "What the client does in this step.", [&](auto& of, Op op) {
    switch (op) {
      case Op::acquire:
        of.count(
            "attempts", step.attempts, Bounds{0, 1000},
            "How often acquire() is called at most; if every call fails, the rest of the round is skipped.");
        of.word("mode", step.mode,
                "Shared claims clash only with exclusive ones; exclusive claims with every claim.");
        break;
      case Op::work:
      case Op::fetch:
      case Op::job:
        of.duration("for", step.length, Sign::not_negative, "How long it takes at most.", Need::required);
        of.duration("atLeast", step.at_least, Sign::not_negative,
                    "It may be this short, or take any number of ticks more; without it, exactly \"for\".");
        break;
      case Op::sleep:
        of.duration("for", step.length, Sign::not_negative, "How long it takes.", Need::required);
        break;
      case Op::period:
        of.duration("every", step.length, Sign::positive, "From the begin of one period to the next.",
                    Need::required);
        break;
      case Op::acquire_again: of.word("mode", step.mode, "As of the acquire that it repeats."); break;
      case Op::read:
      case Op::write:
      case Op::release:
      case Op::look_up:
      case Op::store: break;
    }
  });
}

template <class Visitor>
void describe(Visitor& v, ClientPlan& plan) {
  v.text("id", plan.id, client_text, "The client's name: A is the first, B the second, and so on.",
         Need::required);
  v.group("clock", "How wrong its clocks are, all the time.", [&](auto& clock) {
    clock.duration("offset", plan.wall_offset, Sign::any,
                   "Its wall clock shows true time plus this: \"-2s\" is behind.");
    clock.count("driftPpm", plan.drift_ppm, Bounds{-100'000, 100'000},
                "By how many millionths both its clocks run fast; negative: slow.");
  });
  v.named_texts("params", plan.params,
                "Parameters of its lock, where they differ from those of \"algorithm\".");
  v.client("sharesLockOf", plan.shares_lock_of,
           "An earlier client, of the same process: both use its lock object, and a crash ends both.");
  v.duration("start", plan.start, Sign::not_negative, "When its program begins: at this time, …");
  v.duration("startLate", plan.start_late, Sign::not_negative,
             "… or at any tick up to this one. Less than \"start\": exactly then.");
  v.count("repeat", plan.rounds, Bounds{0, 1'000'000}, "How often the program runs; 0: endlessly.");
  v.word("ends", plan.ending,
         "Where it runs endlessly: never, or at will, after any round and whenever it is refused.");
  v.word(
      "role", plan.role,
      "A user wants the lock. A helper (a reaper, a sweeper) never means to have it: no progress is asked of "
      "it, and it does not come back in the calm phase.");
  v.word("locks", plan.keying,
         "The lock's name, or, in each period, the name with the number of the period: job:1, job:2.");
  v.list("do", plan.program, Bounds{1, 100}, ProgramStep(),
         "Its program. Whatever is guarded stands between an acquire and the end of its claim.");
}

// The faults that have a length or a size.
inline constexpr FaultSet measured_faults = fault_table.sized_by(Enactor::world);

template <class Visitor>
void describe(Visitor& v, FaultRule& rule) {
  v.variant("kind", rule.kind, "What may go wrong.", [&](auto& of, Fault kind) {
    of.client("target", rule.target, "The client that it may strike, or whose request; without it, any.");
    // A clock that is wrong is wrong all the time.
    if (kind != Fault::clock_skew) of.word("at", rule.place, "Where in the client's program it may strike.");
    if (measured_faults.contains(kind))
      of.duration("magnitude", rule.magnitude, Sign::not_negative,
                  "At most how long it lasts, or how wrong the clock is. \"0ms\": twice the lock's lease.");
    if (kind == Fault::restart) {
      of.word("loses", rule.loses,
              "What is gone: everything, some of the latest writes, or nothing but scripts.");
      of.duration("magnitude", rule.magnitude, Sign::not_negative,
                  "The latest writes are those of so long before the restart. \"0ms\": of a second.");
    }
    of.count("budget", rule.budget, Bounds{0, 1000}, "How often it may strike in one run.");
  });
}

template <class Visitor>
void describe(Visitor& v, Timing& timing) {
  v.duration("tick", timing.tick, Sign::positive,
             "Exhaustive runs let time pass in these steps; every other time should be a multiple.");
  v.group("delay", "How long a message travels, one way.", [&](auto& delay) {
    delay.duration("min", timing.delay_min, Sign::not_negative, "At least this.");
    delay.duration("max", timing.delay_max, Sign::not_negative,
                   "At most this, unless a fault makes it late.");
    delay.word(
        "of", timing.delays,
        "Free: each message takes its own time. Fixed: all between a client and a server take the same.");
  });
  v.duration("timeout", timing.timeout, Sign::positive, "A client stops waiting for a reply after this.");
  v.duration("retry", timing.retry, Sign::not_negative, "A refused client tries again after this, …");
  v.duration("retryLate", timing.retry_late, Sign::not_negative,
             "… or after any number of ticks up to this. Less than \"retry\": exactly then.");
  v.duration("restart", timing.restart, Sign::not_negative,
             "A crashed client is started again after this, …");
  v.duration("restartLate", timing.restart_late, Sign::not_negative,
             "… or after any number of ticks up to this. Less than \"restart\": exactly then.");
  v.duration("recovery", timing.recovery, Sign::positive,
             "After the last fault: in how many rounds of this length …");
  v.count("recoveryRounds", timing.recovery_rounds, Bounds{1, 1000}, "… must a new client get the lock.");
}

template <class Visitor>
void describe(Visitor& v, Explore& explore) {
  v.word("strategy", explore.strategy, "Every schedule within the bounds, or how a sample of them is drawn.");
  v.seed("seed", explore.seed,
         "Of strategies that sample; a text, because 64 bits do not survive every JSON reader.");
  v.count("runs", explore.runs_max, Bounds{1, 1'000'000'000'000}, "Sampling: how many runs.");
  v.count("states", explore.states_max, Bounds{1, 1'000'000'000'000},
          "Exhaustive: with more, the verdict is unknown.");
  v.count("memoryMax", explore.memory_max, Bounds{1 << 20, std::int64_t{1} << 50},
          "Exhaustive: bytes of the table of states; with more, the verdict is unknown.");
  v.duration("time", explore.time_max, Sign::positive,
             "Real time: then the verdict is unknown, or sampled if sampling.");
  v.count("steps", explore.steps_max, Bounds{1, 1'000'000'000},
          "Sampling: of one run: a longer one counts as endless.");
  v.set("reductions", explore.reductions, Bounds{0, 100},
        "Exhaustive: what is left out because something equivalent was seen. The verdicts are the same.");
}

template <class Visitor>
void describe(Visitor& v, Expect& expect) {
  v.variant("verdict", expect.verdict, "The verdict that makes this file pass.",
            [&](auto& of, Verdict verdict) {
              of.word("property", expect.property,
                      "The property that it is about; without it, every checked property.");
              if (verdict == Verdict::violated)
                of.count("maxSteps", expect.steps_max, Bounds{1, 1'000'000'000},
                         "The shortest story has at most this many steps.");
              of.text("reason", expect.reason, any_text, "Why, in plain words.");
            });
}

template <class Visitor>
void describe(Visitor& v, Scenario& scenario) {
  v.schema_reference("$schema", "For editors: \"./scenario.schema.json\".");
  v.version("version", 1, "Of this format.");
  v.text("name", scenario.name, name_text, "Without it, the name of the file.");
  v.text("description", scenario.description, any_text, "What happens, for readers.");
  v.texts("tags", scenario.tags, Bounds{0, 100}, "Words to find the file by.");
  v.group(
      "algorithm", "The lock on trial.",
      [&](auto& algorithm) {
        algorithm.card("name", scenario.algorithm, "Its id.");
        algorithm.store("store", scenario.algorithm, scenario.runs_on,
                        "What it runs on; its card says so, too.");
        algorithm.params("params", scenario.algorithm, scenario.params,
                         "Its parameters, each as text; others keep their defaults.");
      },
      Need::required);
  v.belief("belief", scenario.algorithm, scenario.belief,
           "When a client believes that it holds the lock; without it, as the lock's authors do.");
  v.count("driverRetries", scenario.driver_retries, Bounds{0, 100},
          "How often the driver sends a request again for which no answer came; without it, as the driver of "
          "upstream does.");
  v.text("key", scenario.key, some_text, "The lock's name.");
  v.named_texts("store", scenario.store,
                "What every server holds when a run begins: keys and their texts, without an expiry.");
  v.redis_settings("redisConfig", scenario.redis_config,
                   "Lines of redis.conf, of every server that is a Redis.");
  v.list("clients", scenario.clients, Bounds{1, clients_max}, default_clients().front(), "Who takes part.");
  v.list("faults", scenario.faults, Bounds{0, 8}, FaultRule(),
         "What may go wrong; any combination within the budgets.");
  v.count("away", scenario.away, Bounds{0, 1},
          "How many servers never answer; which, is a choice. For locks on several servers.");
  v.word(
      "fencing", scenario.fencing,
      "What the resource does with the numbers of grants: refuses those older than the newest that wrote, or "
      "that read or wrote; \"as-text\" takes 10 for older than 9.");
  v.duration("overlap", scenario.overlap_max, Sign::not_negative,
             "mutual-exclusion: claims may overlap for so long. \"0ms\": not even for an instant.");
  v.object("timing", scenario.timing, "How messages travel and when time passes.");
  v.object("explore", scenario.explore, "How schedules are chosen, and when to stop.");
  v.set("check", scenario.check, Bounds{1, 100},
        "The properties to judge; without it, every one that the lock can be asked about.");
  v.object("expect", scenario.expect, "What makes this file pass as a test.");
}

}  // namespace holdfast
