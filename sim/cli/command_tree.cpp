// The commands of holdfast: what each takes, with examples. The man page and the completions follow from it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/report.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/parser.hpp"

namespace holdfast::cli {
namespace {

using Words = Parser::Words;
constexpr const char* of_machines =
    "only the I-th of N parts, for N machines; join the results: holdfast merge";
const Words reports_formats = {"text", "json", "markdown", "junit"};
const Words matrix_formats = {"text", "json", "csv", "markdown", "junit"};

void add_compare(Parser& parser) {
  const auto [app, options] = parser.command<CompareOptions>(
      "compare", "Every lock under every fault: the verdict matrix, then costs and fairness.",
      "  holdfast compare\n"
      "  holdfast compare --only 'set-nx-px*,token' --faults pause,crash\n"
      "  holdfast compare --format json > matrix.json\n"
      "  holdfast compare --stores\n"
      "  holdfast compare --traits\n"
      "  holdfast compare --workload long-section --faults none\n"
      "  holdfast compare --expect matrix.json",
      compare);
  parser.add_output(app, options, matrix_formats);
  add_globs(app, "--only", options.only, "only these locks; globs, separated by commas");
  add_globs(app, "--except", options.except, "all locks but these; globs, separated by commas");
  app->add_option("--expect", options.expect,
                  "a saved matrix; a verdict that differs from it ends with exit code 1")
      ->type_name("FILE");
  app->add_flag("--traits", options.traits,
                "instead: is each lock exclusive, reentrant, available; does it time out, can only the owner "
                "release it");
  app->add_flag("--stores", options.stores,
                "instead: a row for each store and lock that stands for it, what each fault does to holders, "
                "and costs");
  add_params(app, options);
  add_guest(app, options);
  parser.add_exploration(app, options);
  add_pause(app, options);
  parser.add_space(app, options);
  add_deepening(app, options);
  add_live_flags(app, options, "perform every counterexample on a real Redis, too");
  add_shard(app, options.shard, of_machines);
}

void add_check(Parser& parser) {
  const auto [app, options] =
      parser.command<CheckOptions>("check", "One lock in full, with the shortest story of each failure.",
                                   "  holdfast check token\n"
                                   "  holdfast check token --fault pause\n"
                                   "  holdfast check getset --faults clock-skew --param ttl=10s\n"
                                   "  holdfast check --guest 'python3 my_lock.py'\n"
                                   "  holdfast check my_lock.guest.json",
                                   check);
  add_name(app, options, "LOCK", "its id; see: holdfast list algorithms");
  app->add_option("--learn", options.learn,
                  "write what a program did in each history, as a lock that needs no program: "
                  "NAME.histories.json")
      ->type_name("FILE");
  add_params(app, options);
  add_guest(app, options);
  parser.add_output(app, options, matrix_formats);
  parser.add_exploration(app, options);
  add_pause(app, options);
  parser.add_space(app, options);
  add_deepening(app, options);
  add_shard(app, options.shard, of_machines);
}

void add_diff(Parser& parser) {
  const auto [app, options] =
      parser.command<DiffOptions>("diff", "The shortest schedule that breaks one lock and not the other.",
                                  "  holdfast diff set-nx-px token --fault pause\n"
                                  "  holdfast diff getset token --faults crash,pause --format markdown",
                                  diff);
  app->add_option("LOCK", options.names, "two ids; see: holdfast list algorithms")->required()->expected(2);
  add_params(app, options);
  add_guest(app, options);
  parser.add_output(app, options, {"text", "json", "markdown"});
  parser.add_exploration(app, options);
  add_pause(app, options);
}

void add_envelope(Parser& parser) {
  const auto [app, options] = parser.command<EnvelopeOptions>(
      "envelope", "How much of a fault breaks a lock: the size that holds, and the next, which breaks.",
      "  holdfast envelope token --fault pause\n"
      "  holdfast envelope token --fault pause --fault late-reply --format svg > map.svg\n"
      "  holdfast envelope redlock --fault restart --attempts 1",
      envelope);
  add_name(app, options, "LOCK", "its id; see: holdfast list algorithms");
  add_params(app, options);
  add_guest(app, options);
  add_duration(app, "--step", options.step,
               "the tick, and the distance between two sizes that are tried; it divides every other time",
               "500ms, or 1s for a map");
  add_duration(app, "--most", options.most, "the largest size that is tried", "twice the lease");
  parser.add_output(app, options, {"text", "json", "markdown", "svg"});
  parser.add_exploration(app, options);
}

void add_assumptions(Parser& parser) {
  const auto [app, options] = parser.command<AssumptionsOptions>(
      "assumptions", "Which faults break a lock, alone and together, and which do not.",
      "  holdfast assumptions token\n"
      "  holdfast assumptions setnx-expire --properties recovery\n"
      "  holdfast assumptions fenced --faults 'crash,pause,lost-*' --fault-budget 3",
      assumptions);
  add_name(app, options, "LOCK", "its id; see: holdfast list algorithms");
  add_number(app, "--fault-budget", options.fault_budget, 1, 3,
             "how many faults may strike one run, 1 to 3; each strikes once")
      ->default_str("2");
  add_params(app, options);
  add_guest(app, options);
  parser.add_output(app, options, {"text", "json", "markdown"});
  parser.add_exploration(app, options);
}

void add_run(Parser& parser) {
  const auto [app, options] =
      parser.command<RunOptions>("run", "Explores scenario files; passes when all verdicts are as expected.",
                                 "  holdfast run scenarios/lessons/*.json\n"
                                 "  holdfast run two-waiters-both-delete-an-expired-lock\n"
                                 "  holdfast run my.json --format junit",
                                 run_files);
  app->add_option("FILE", options.names, "a scenario file, or the name of a lesson")->required();
  app->add_flag("--rewrite", options.rewrite, "write the story of each file beside it, as its golden text");
  add_shard(app, options.shard, "only every N-th file, from the I-th on; join the results: holdfast merge");
  parser.add_output(app, options, reports_formats);
  add_jobs(app, options);
  parser.add_running(app, options);
}

void add_validate(Parser& parser) {
  const auto [app, options] =
      parser.command<ValidateOptions>("validate", "Checks scenario files without running them.",
                                      "  holdfast validate my.json\n"
                                      "  holdfast validate scenarios/lessons/*.json",
                                      validate);
  app->add_option("FILE", options.names, "a scenario file, or the name of a lesson")->required();
}

// What replay and show have in common.
void add_trace(Parser& parser, CLI::App* app, TraceOptions& options, const Words& formats) {
  add_name(app, options, "TRACE", "a trace file, as compare, check and run save them");
  parser.add_word(app, "--as", options.view, Words(reports::view_ids.begin(), reports::view_ids.end()),
                  "a diagram, sentences, or one event per line with tabs");
  parser.add_output(app, options, formats);
}

void add_replay(Parser& parser) {
  const auto [app, options] = parser.command<ReplayOptions>(
      "replay", "Executes a trace again and verifies that nothing differs.",
      "  holdfast replay holdfast-out/token+pause+mutual-exclusion.trace.json\n"
      "  holdfast replay holdfast-out/token+pause+no-stale-write.trace.json --as story",
      replay_trace);
  add_trace(parser, app, options, {"text"});
  add_guest(app, options);
  add_live_flags(app, options, "perform it on a real Redis, too, and compare every reply");
}

void add_show(Parser& parser) {
  const auto [app, options] = parser.command<ShowOptions>(
      "show", "Prints a trace as a diagram, a story or a table, and explains it.",
      "  holdfast show holdfast-out/token+pause+mutual-exclusion.trace.json\n"
      "  holdfast show holdfast-out/token+pause+mutual-exclusion.trace.json --as table",
      show_trace);
  add_trace(parser, app, options,
            {"text", "json", "html", "svg", "card", "markdown", "mermaid", "plantuml", "perfetto", "itf"});
  add_budget(app, options.budget, "stop explaining the trace after this much real time, such as 5s");
  parser.add_language(app, options, "the language of the texts; diagrams in text are in English");
}

void add_merge(Parser& parser) {
  const auto [app, options] = parser.command<MergeOptions>(
      "merge", "Joins the results of all shards into the JSON of the whole, on stdout.",
      "  holdfast compare --shard 1/2 --format json > 1.json\n"
      "  holdfast compare --shard 2/2 --format json > 2.json\n"
      "  holdfast merge 1.json 2.json > matrix.json",
      merge);
  app->add_option("FILE", options.names, "the output of compare, check or run --shard I/N --format json")
      ->required();
  app->add_flag("--allow-missing", options.allow_missing,
                "print the result although shards or cells are missing");
}

void add_list(Parser& parser) {
  const auto [app, options] =
      parser.command<ListOptions>("list", "Lists the locks, faults, properties, workloads or scenarios.",
                                  "  holdfast list algorithms\n"
                                  "  holdfast list faults --format json",
                                  list);
  parser
      .add_one_of(app, "WHAT", {"algorithms", "locks", "faults", "properties", "workloads", "scenarios"},
                  "algorithms (or locks), faults, properties, workloads or scenarios",
                  [&names = options.names](const std::string& what) {
                    names = {what == "locks" ? "algorithms" : what};
                  })
      ->required();
  parser.add_output(app, options, {"text", "json"});
}

void add_explain(Parser& parser) {
  const auto [app, options] = parser.command<ExplainOptions>(
      "explain", "What a lock, fault, property, workload, verdict or term means.",
      "  holdfast explain token\n"
      "  holdfast explain mutual-exclusion\n"
      "  holdfast explain M\n"
      "  holdfast explain ttl",
      explain);
  add_name(app, options, "NAME", "an id; see: holdfast list algorithms|faults|properties|workloads");
  parser.add_output(app, options, {"text"});
}

void add_redis(Parser& parser) {
  const auto [app, options] = parser.command<RedisOptions>(
      "redis", "The simulated Redis: a shell, or a server that misbehaves on purpose.",
      "  echo 'SET job a NX PX 100' | holdfast redis\n"
      "  printf 'SET k v PX 50\\nADVANCE 51ms\\nGET k\\n' | holdfast redis\n"
      "  holdfast redis --listen redis://127.0.0.1:6390\n"
      "  holdfast redis --listen unix:/tmp/r.sock --rule 'lost-reply of SET once'\n"
      "  redis-cli -p 6390 HOLDFAST RULE late-reply 500ms of EVAL every 3\n"
      "A server lists its rules and commands on HOLDFAST HELP.",
      redis);
  CLI::Option* const listen = add_serving(app, options);
  parser.add_word(app, "--clock", options.clock, {"real", "stands"},
                  "of a server; stands: only HOLDFAST ADVANCE moves it");
  parser.add_output(app, options, {"text", "json"});
  add_seed(app, options);
  for (const char* const of_server : {"--clock", "--format", "--seed"})
    app->get_option(of_server)->needs(listen);
  parser.command<NoOptions>("version", "Prints the version and the compiler.",
                            "  holdfast version\n"
                            "  holdfast --version",
                            print_version);
}

void add_bench(Parser& parser) {
  const auto [app, options] = parser.command<BenchOptions>(
      "bench", "How fast holdfast itself is. Without SUITE: lists what can be measured.",
      "  holdfast bench engine\n"
      "  holdfast bench engine --only 'yardstick/4-*' -j 2\n"
      "  holdfast bench engine --only yardstick/4-3-3-2/token --format json\n"
      "  holdfast bench live --only 'raw/*,token/*'\n"
      "  holdfast bench zoo --runs 20000 --format markdown",
      bench);
  add_servers(app, options);
  app->add_option("SUITE", options.names, "engine, live or zoo")->expected(0, 1);
  add_globs(app, "--only", options.only,
            "only these benchmarks: globs, separated by commas, or a name with any numbers");
  add_jobs(app, options, "threads that close one space together; default: one");
  add_memory(app, options.memory, "of engine: memory for the states of a space, such as 512MiB", "3GiB");
  add_number(app, "--runs", options.runs, 1, 1'000'000'000,
             "of zoo: also count the random runs that find each bug, at most so many");
  parser.add_word(app, "--format", options.format, {"text", "json", "google", "markdown"},
                  "how results are printed; google, of engine: as Google Benchmark does; markdown: of zoo");
  add_budget(app, options.budget, "stop after this much real time, such as 30s; results so far are printed");
}

void add_doctor(Parser& parser) {
  const auto [app, options] = parser.command<DoctorOptions>(
      "doctor", "Is everything installed that holdfast needs? Or: can the source of a lock be explored?",
      "  holdfast doctor\n"
      "  holdfast doctor my_lock.cpp\n"
      "  holdfast doctor my_lock.lua\n"
      "  holdfast doctor --guest 'python3 my_lock.py'\n"
      "  holdfast doctor --upstream ../redis-py redis-py",
      doctor);
  app->add_option("FILE", options.names,
                  "the source of a lock: looks for code that compilers get wrong without a warning, and for "
                  "code that makes two runs differ");
  app->add_option("--upstream", options.upstream,
                  "a checkout of the library of these locks: does it still have the lines that they "
                  "transcribe?")
      ->type_name("DIR");
  add_guest(app, options);
}

void add_completions(Parser& parser) {
  const auto [app, options] =
      parser.command<CompletionsOptions>("completions", "Prints the completions of all commands for a shell.",
                                         "  . <(holdfast completions bash)\n"
                                         "  holdfast completions fish | source",
                                         completions);
  parser
      .add_one_of(app, "SHELL", {"bash", "zsh", "fish"}, "bash, zsh or fish",
                  [&names = options.names](const std::string& shell) { names = {shell}; })
      ->required();
  parser.command<NoOptions>("manual", "Prints every command with its options, as a page for man.",
                            "  holdfast manual | man -l -", manual);
}

// What chooses the experiment, not how it is run and told.
std::vector<std::string> chosen_words(const CLI::App& command) {
  constexpr std::string_view choosing[] = {
      "only",     "except",  "param",      "faults", "properties", "belief",   "driver-retries",
      "workload", "fencing", "clients",    "rounds", "attempts",   "strategy", "runs",
      "seed",     "memory",  "reductions", "work",   "delay",      "pause",    "redis-config"};
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_lnames().empty() && option->count() != 0 &&
        std::find(std::begin(choosing), std::end(choosing), option->get_lnames().front()) !=
            std::end(choosing))
      words.push_back(
          fmt::format("--{}={}", option->get_lnames().front(), fmt::join(option->results(), ",")));
  return words;
}

}  // namespace

void add_baseline(Parser& parser, std::function<int(const BaselineOptions&)> perform) {
  const auto [app, options] = parser.command<BaselineOptions>(
      "baseline", "Saves the results of a comparison, and says what has changed since.",
      "  holdfast baseline save main --only 'redis-py,token' --bench 'random/*'\n"
      "  holdfast baseline compare main --format junit > baseline.xml\n"
      "  holdfast baseline accept main\n"
      "  holdfast baseline history main\n"
      "  holdfast baseline list --store ci/baselines",
      perform);
  app->parse_complete_callback(
      [app = app, &options = options] { options.chosen_words = chosen_words(*app); });
  const Words actions = {"save", "compare", "list", "accept", "history"};
  const auto set_names = [&options = options, actions](const std::vector<std::string>& words) {
    require_one_of("ACTION", words.front(), actions);
    options.names = words;
  };
  parser
      .takes(
          app->add_option_function<std::vector<std::string>>(
              "ACTION", set_names,
              "save, compare, list, accept or history, then the NAME of a baseline: compare ends with exit "
              "code 3 when something is worse; accept makes the last compare the baseline; history plots the "
              "commits that changed its file"),
          actions)
      ->required()
      ->expected(1, 2);
  app->add_option("--store", options.store, "the folder of the baselines, also HOLDFAST_BASELINES")
      ->type_name("DIR")
      ->default_str("holdfast-baselines");
  app->add_flag("--force", options.force, "save: replace a baseline about other locks or options");
  app->add_flag("--counts", options.counts,
                "compare: what the explorer counted, too: states, transitions, runs, steps; otherwise only "
                "verdicts and costs make a difference");
  add_globs(app, "--only", options.only, "save: only these locks; globs, separated by commas");
  add_globs(app, "--except", options.except, "save: all locks but these");
  add_params(app, options);
  add_globs(app, "--bench", options.benchmarks,
            "save: measure these benchmarks, too; see: holdfast bench engine");
  add_number(app, "--repetitions", options.repetitions, 1, 1000,
             "how often each benchmark is measured; fewer than 7 tell nothing")
      ->default_str("10");
  app->add_option(
         "--against", options.against,
         "compare: measure this other holdfast, in turns with this one, instead of using the times in the "
         "baseline")
      ->type_name("PROGRAM");
  app->add_option("--measured", options.measured,
                  "save, compare: take the times from this JSON file of Google Benchmark, instead of "
                  "measuring")
      ->type_name("FILE");
  parser.add_output(app, options, {"text", "json", "junit"});
  parser.add_exploration(app, options);
  add_pause(app, options);
  parser.add_space(app, options);
}

void add_commands(Parser& parser) {
  add_compare(parser);
  add_check(parser);
  add_diff(parser);
  add_envelope(parser);
  add_assumptions(parser);
  add_answers(parser);
  add_run(parser);
  add_validate(parser);
  add_replay(parser);
  add_show(parser);
  add_merge(parser);
  add_live(parser);
  add_learning(parser);
  add_bench(parser);
  add_baseline(parser, baseline);
  add_doctor(parser);
  add_completions(parser);
  add_list(parser);
  add_explain(parser);
  add_redis(parser);
}

}  // namespace holdfast::cli
