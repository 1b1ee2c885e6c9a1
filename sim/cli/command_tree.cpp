// The commands of holdfast: what each takes, with examples. The man page and the completions follow from it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/report.hpp"
#include "sim/cli/answer_options.hpp"
#include "sim/cli/learning_options.hpp"
#include "sim/cli/live_options.hpp"
#include "sim/cli/parser.hpp"
#include "sim/cli/usage.hpp"

namespace holdfast::cli {
namespace {

using Words = Parser::Words;
const Words reports_formats = {"text", "json", "markdown", "junit"};

}  // namespace

void Parser::add_explorers() {
  CLI::App* compare =
      command("compare", "Every lock under every fault: the verdict matrix, then costs and fairness.",
              "  holdfast compare\n"
              "  holdfast compare --only 'set-nx-px*,token' --faults pause,crash\n"
              "  holdfast compare --format json > matrix.json\n"
              "  holdfast compare --traits\n"
              "  holdfast compare --workload long-section --faults none\n"
              "  holdfast compare --expect matrix.json");
  add_output(compare, reports_formats);
  add_globs(compare, "--only", options_.only, "only these locks; globs, separated by commas");
  add_globs(compare, "--except", options_.except, "all locks but these; globs, separated by commas");
  compare
      ->add_option("--expect", options_.expect,
                   "a saved matrix; verdicts that differ from it end with exit code 1")
      ->type_name("FILE");
  compare->add_flag("--traits", options_.traits,
                    "instead: is it exclusive, reentrant, available; does it time out, who may release it");
  add_guest(compare);
  add_exploration(compare);
  add_pause(compare);
  add_space(compare);
  add_deepening(compare);
  add_live_flags(compare, options_, "then perform every counterexample on a real Redis");
  add_shard(compare, "only the I-th of N parts, for N machines; join the results: holdfast merge");

  CLI::App* check = command("check", "One lock in full, with the shortest story of what fails.",
                            "  holdfast check token\n"
                            "  holdfast check token --fault pause\n"
                            "  holdfast check getset --faults clock-skew --param ttl=10s\n"
                            "  holdfast check --guest 'python3 my_lock.py'\n"
                            "  holdfast check my_lock.guest.json");
  check->add_option("ALG", options_.names, "its id; see: holdfast list algorithms")->required()->expected(1);
  check
      ->add_option("--learn", options_.learn,
                   "write what a program did, in each history, as a lock that needs no program: "
                   "NAME.histories.json")
      ->type_name("FILE");
  add_params(check);
  add_guest(check);
  add_output(check, reports_formats);
  add_exploration(check);
  add_pause(check);
  add_space(check);
  add_deepening(check);
  add_shard(check, "only the I-th of N parts, for N machines; join the results: holdfast merge");

  CLI::App* diff = command("diff", "The shortest schedule that breaks one lock and not the other.",
                           "  holdfast diff set-nx-px token --fault pause\n"
                           "  holdfast diff getset token --faults crash,pause --format markdown");
  diff->add_option("LOCK", options_.names, "two ids; see: holdfast list algorithms")->required()->expected(2);
  add_guest(diff);
  add_output(diff, {"text", "json", "markdown"});
  add_exploration(diff);
  add_pause(diff);
  add_limits();
}

void Parser::add_limits() {
  CLI::App* envelope =
      command("envelope", "How much of a fault it takes to break a lock: what holds, and what breaks.",
              "  holdfast envelope token --fault pause\n"
              "  holdfast envelope token --fault pause --fault late-reply --format svg > map.svg\n"
              "  holdfast envelope redlock --fault restart --attempts 1");
  envelope->add_option("ALG", options_.names, "its id; see: holdfast list algorithms")
      ->required()
      ->expected(1);
  add_params(envelope);
  add_guest(envelope);
  add_duration(envelope, "--step", options_.step,
               "between two sizes that are tried, and of all time; it divides every other time",
               "500ms, or 1s of a map");
  add_duration(envelope, "--most", options_.most, "the largest size that is tried", "twice the lease");
  add_output(envelope, {"text", "json", "markdown", "svg"});
  add_exploration(envelope);

  CLI::App* assumptions =
      command("assumptions", "Which faults break a lock, alone and together, and which do not.",
              "  holdfast assumptions token\n"
              "  holdfast assumptions setnx-expire --properties recovery\n"
              "  holdfast assumptions fenced --faults 'crash,pause,lost-*' --fault-budget 3");
  assumptions->add_option("ALG", options_.names, "its id; see: holdfast list algorithms")
      ->required()
      ->expected(1);
  assumptions->preparse_callback([this](std::size_t) { options_.fault_budget = 2; });
  add_number(assumptions, "--fault-budget", options_.fault_budget, 3,
             "how many faults may strike one run, 1 to 3; each strikes once")
      ->default_str("2");
  add_params(assumptions);
  add_guest(assumptions);
  add_output(assumptions, {"text", "json", "markdown"});
  add_exploration(assumptions);
  add_answers();
}

void Parser::add_answers() {
  CLI::App* ttl = add_ttl_command(app_, options_);
  add_params(ttl);
  add_guest(ttl);
  add_output(ttl, {"text", "json"});
  add_jobs(ttl, "threads; else one for each core");
  add_running(ttl);
  CLI::App* choose = add_choose_command(app_, options_);
  for (const ChoiceQuestion& each : choice_questions()) {
    const std::string name = "--" + std::string(each.option);
    std::string& into = each.in(options_.choice);
    const std::vector<std::string> words = each.words();
    const auto set = [name, words, &into](const std::string& word) {
      require_one_of(name, word, Words(words.begin(), words.end()));
      into = word;
    };
    const std::string help = fmt::format("{} {}", each.text, fmt::join(words, ", "));
    takes(choose->add_option_function<std::string>(name, set, help), Words(words.begin(), words.end()))
        ->type_name("WORD")
        ->default_str(std::string(each.usual));
  }
  add_output(choose, {"text", "json"});
  add_seed(choose);
  add_jobs(choose, "threads; else one for each core");
  add_running(choose);
}

void Parser::add_files() {
  CLI::App* run = command("run", "Explores scenario files; passes when what each expects comes true.",
                          "  holdfast run scenarios/lessons/*.json\n"
                          "  holdfast run two-waiters-both-delete-an-expired-lock\n"
                          "  holdfast run my.json --format junit");
  run->add_option("FILE", options_.names, "a scenario file, or the name of a lesson")->required();
  run->add_flag("--rewrite", options_.rewrite, "write the story of each file beside it, as its golden text");
  add_shard(run, "only every N-th file, from the I-th on; join the results: holdfast merge");
  add_output(run, reports_formats);
  add_jobs(run, "threads; else one for each core");
  add_running(run);

  CLI::App* validate = command("validate", "Checks scenario files without running them.",
                               "  holdfast validate my.json\n"
                               "  holdfast validate scenarios/lessons/*.json");
  validate->add_option("FILE", options_.names, "a scenario file, or the name of a lesson")->required();

  CLI::App* replay =
      command("replay", "Executes a trace again and verifies that nothing differs.",
              "  holdfast replay holdfast-out/token+pause+mutual-exclusion.trace.json\n"
              "  holdfast replay holdfast-out/token+pause+no-stale-write.trace.json --as story");
  CLI::App* show = command("show", "Prints a trace as a diagram, a story or a table, and explains it.",
                           "  holdfast show holdfast-out/token+pause+mutual-exclusion.trace.json\n"
                           "  holdfast show holdfast-out/token+pause+mutual-exclusion.trace.json --as table");
  for (CLI::App* each : {replay, show}) {
    each->add_option("TRACE", options_.names, "a trace file, as compare, check and run save them")
        ->required()
        ->expected(1);
    add_word(each, "--as", options_.view, Words(reports::view_ids.begin(), reports::view_ids.end()),
             "a diagram, sentences, or one event per line with tabs");
    add_output(each, each == show ? Words{"text", "json", "html", "svg", "card", "markdown", "mermaid",
                                          "plantuml", "perfetto", "itf"}
                                  : Words{"text"});
  }
  add_guest(replay);
  add_live_flags(replay, options_, "then perform it on a real Redis, and compare every reply");
  add_budget(show, "stop explaining the trace after this much real time, such as 5s");
  add_language(show, "of what is told; diagrams in text are in English");
}

void Parser::add_catalogue() {
  CLI::App* merge = command("merge", "Joins the results of all shards into the JSON of the whole, on stdout.",
                            "  holdfast compare --shard 1/2 --format json > 1.json\n"
                            "  holdfast compare --shard 2/2 --format json > 2.json\n"
                            "  holdfast merge 1.json 2.json > matrix.json");
  merge->add_option("FILE", options_.names, "what compare, check or run --shard I/N --format json printed")
      ->required();
  merge->add_flag("--allow-missing", options_.allow_missing,
                  "print what there is, although shards or cells are missing");
  add_live();
  add_learning();
  add_bench();
  add_baseline();
  add_doctor();
  add_completions();
  CLI::App* list = command("list", "What there is.",
                           "  holdfast list algorithms\n"
                           "  holdfast list faults --format json");
  const Words lists = {"algorithms", "locks", "faults", "properties", "workloads", "scenarios"};
  const auto set_what = [this, lists](const std::string& what) {
    require_one_of("WHAT", what, lists);
    options_.names = {what == "locks" ? "algorithms" : what};
  };
  takes(list->add_option_function<std::string>(
            "WHAT", set_what, "algorithms (or locks), faults, properties, workloads or scenarios"),
        lists)
      ->required();
  add_output(list, {"text", "json"});
  CLI::App* explain = command("explain", "What a lock, fault, property, workload, verdict or term means.",
                              "  holdfast explain token\n"
                              "  holdfast explain mutual-exclusion\n"
                              "  holdfast explain M\n"
                              "  holdfast explain ttl");
  explain
      ->add_option("NAME", options_.names, "an id; see: holdfast list algorithms|faults|properties|workloads")
      ->required()
      ->expected(1);
  add_output(explain, {"text"});
  CLI::App* redis =
      command("redis", "The simulated Redis: a shell, or a server that misbehaves on purpose.",
              "  echo 'SET job a NX PX 100' | holdfast redis\n"
              "  printf 'SET k v PX 50\\nADVANCE 51ms\\nGET k\\n' | holdfast redis\n"
              "  holdfast redis --listen redis://127.0.0.1:6390\n"
              "  holdfast redis --listen unix:/tmp/r.sock --rule 'lost-reply of SET once'\n"
              "  redis-cli -p 6390 HOLDFAST RULE late-reply 500ms of EVAL every 3\n"
              "Of a server, HOLDFAST HELP says which rules there are and what else it does.");
  CLI::Option* const listen = add_serving(redis, options_);
  add_word(redis, "--clock", options_.serve.clock, {"real", "stands"},
           "of a server; stands: it moves only when HOLDFAST ADVANCE says so");
  add_output(redis, {"text", "json"});
  add_seed(redis);
  for (const char* const of_server : {"--clock", "--format", "--seed"})
    redis->get_option(of_server)->needs(listen);
  command("version", "The version and what it was built with.",
          "  holdfast version\n"
          "  holdfast --version");
}

void Parser::add_learning() {
  CLI::App* report = add_report_command(app_, options_);
  CLI::App* lesson = add_lesson_command(app_, options_);
  add_output(lesson, {"text", "markdown", "html", "slides"});
  for (CLI::App* each : {report, lesson}) add_language(each, "of what is told of runs");
  CLI::App* exercise = add_exercise_command(app_, options_);
  add_output(exercise, {"text", "json"});
  add_jobs(exercise, "threads; else one for each core");
  CLI::App* play = add_play_command(app_, options_);
  add_output(play, {"text"});
  add_experiment(play);
  add_pause(play);
  add_running(play);
  for (CLI::App* each : {report, lesson, play}) add_jobs(each, "threads; else one for each core");
}

void Parser::add_live() {
  CLI::App* live = add_live_command(app_, options_);
  add_params(live);
  add_guest(live);
  add_output(live, {"text", "json"});
  CLI::App* hunt = add_hunt_command(app_, options_);
  add_globs(hunt, "--faults,--fault", options_.faults, "only under these faults; globs, separated by commas");
  add_globs(hunt, "--properties,--property", options_.properties, "judge only these; globs");
  add_seed(hunt);
  add_jobs(hunt, "threads that explore; else one for each core");
  add_progress(hunt);
  add_output(hunt, {"text", "json"});
}

void Parser::add_bench() {
  CLI::App* bench = command("bench", "How fast holdfast itself is. Without a word: what can be measured.",
                            "  holdfast bench engine\n"
                            "  holdfast bench engine --only 'yardstick/4-*' -j 2\n"
                            "  holdfast bench engine --only yardstick/4-3-3-2/token --format json\n"
                            "  holdfast bench live --only 'raw/*,token/*'\n"
                            "  holdfast bench zoo --runs 20000 --format markdown");
  add_redis(bench, options_);
  bench->add_option("SUITE", options_.names, "engine, live or zoo")->expected(0, 1);
  add_globs(bench, "--only", options_.only,
            "only these benchmarks: globs, separated by commas, or a name with any numbers");
  add_jobs(bench, "threads that close one space together; else one");
  const auto set_runs = [this](const std::string& text) {
    options_.runs = whole_number("--runs", text, 1, 1'000'000'000);
  };
  bench
      ->add_option_function<std::string>("--runs", set_runs,
                                         "of zoo: count the random runs to each bug, too; at most so many")
      ->type_name("N");
  add_word(bench, "--format", options_.format, {"text", "json", "google", "markdown"},
           "how results are printed; google, of engine: as Google Benchmark does; markdown: of zoo");
  add_budget(bench, "stop after this much real time, such as 30s; what was measured is printed");
}

void Parser::add_baseline() {
  CLI::App* baseline = command("baseline", "Keeps what a comparison found, and tells what has changed since.",
                               "  holdfast baseline save main --only 'redis-py,token' --bench 'random/*'\n"
                               "  holdfast baseline compare main --format junit > baseline.xml\n"
                               "  holdfast baseline accept main\n"
                               "  holdfast baseline list --store ci/baselines");
  const Words actions = {"save", "compare", "list", "accept"};
  const auto set_names = [this, actions](const std::vector<std::string>& words) {
    require_one_of("ACTION", words.front(), actions);
    options_.names = words;
  };
  takes(baseline->add_option_function<std::vector<std::string>>(
            "ACTION", set_names,
            "save, compare, list or accept, then the NAME of a baseline: compare ends with exit code 3 when "
            "something is worse; accept takes over what the last compare found"),
        actions)
      ->required()
      ->expected(1, 2);
  baseline
      ->add_option("--store", options_.store, "the folder of the baselines; else HOLDFAST_BASELINES names it")
      ->type_name("DIR")
      ->default_str("holdfast-baselines");
  baseline->add_flag("--force", options_.force, "save: replace a baseline that is about something else");
  add_globs(baseline, "--only", options_.only, "save: only these locks; globs, separated by commas");
  add_globs(baseline, "--except", options_.except, "save: all locks but these");
  add_globs(baseline, "--bench", options_.benchmarks,
            "save: measure these benchmarks, too; see: holdfast bench engine");
  add_number(baseline, "--repetitions", options_.repetitions, 1000,
             "how often each benchmark is measured; it takes 7 to tell anything")
      ->default_str("10");
  baseline
      ->add_option(
          "--against", options_.against,
          "compare: measure this holdfast, too, in turns with this one, instead of believing the times "
          "in the baseline")
      ->type_name("PROGRAM");
  baseline
      ->add_option("--measured", options_.measured,
                   "save, compare: times from this file of Google Benchmark's JSON, instead of measuring")
      ->type_name("FILE");
  add_output(baseline, {"text", "json", "junit"});
  add_exploration(baseline);
  add_pause(baseline);
  add_space(baseline);
}

void Parser::add_doctor() {
  CLI::App* doctor = command(
      "doctor", "Is everything here that holdfast needs? Or, of a lock's source: is it fit to be explored?",
      "  holdfast doctor\n"
      "  holdfast doctor my_lock.cpp\n"
      "  holdfast doctor my_lock.lua\n"
      "  holdfast doctor --guest 'python3 my_lock.py'\n"
      "  holdfast doctor --upstream ../redis-py redis-py");
  doctor->add_option(
      "FILE", options_.names,
      "the source of a lock: looks for what a compiler gets wrong without a word, and for what "
      "makes two runs differ");
  doctor
      ->add_option("--upstream", options_.upstream,
                   "a checkout of the library of these locks: does it still say what they transcribe?")
      ->type_name("DIR");
  add_guest(doctor);
}

void Parser::add_completions() {
  CLI::App* completions = command("completions", "What a shell needs to complete the commands.",
                                  "  . <(holdfast completions bash)\n"
                                  "  holdfast completions fish | source");
  const Words shells = {"bash", "zsh", "fish"};
  const auto set_shell = [this, shells](const std::string& shell) {
    require_one_of("SHELL", shell, shells);
    options_.names = {shell};
  };
  takes(completions->add_option_function<std::string>("SHELL", set_shell, "bash, zsh or fish"), shells)
      ->required();
  command("manual", "Every command with its options, as a page for man.", "  holdfast manual | man -l -");
}

}  // namespace holdfast::cli
