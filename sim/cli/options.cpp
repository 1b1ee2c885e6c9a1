#include "sim/cli/options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <limits>

#include "reports/report.hpp"
#include "sim/cli/live_options.hpp"
#include "sim/cli/usage.hpp"
#include "sim/cli/version.hpp"
#include "sim/scenario/problem.hpp"

namespace holdfast::cli {
namespace {

using Words = std::vector<std::string_view>;
const Words reports_formats = {"text", "json", "markdown", "junit"};

class Parser {
 public:
  Parser() : app_("", "holdfast") {
    app_.formatter(help_formatter());
    app_.set_help_flag("-h,--help", "this text");
    app_.set_version_flag("--version", std::string("holdfast ") + version);
    app_.require_subcommand(1);
    add_explorers();
    add_files();
    add_catalogue();
  }

  Options parse(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      const std::vector<CLI::App*> commands = app_.get_subcommands();
      return answer(commands.empty() ? overview() : commands.front()->help());
    } catch (const CLI::CallForVersion&) {
      return answer(std::string("holdfast ") + version + "\n");
    } catch (const CLI::ParseError& error) {
      throw UserError(exit_usage, complaint(error, app_, std::vector<std::string>(argv + 1, argv + argc)));
    }
    options_.command = app_.get_subcommands().front()->get_name();
    return options_;
  }

 private:
  static Options answer(const std::string& text) {
    std::cout << text;
    return Options();
  }

  CLI::App* command(const char* name, const char* what, const char* examples) {
    CLI::App* added = app_.add_subcommand(name, what);
    added->footer(std::string("Examples:\n") + examples);
    return added;
  }

  static void add_word(CLI::App* command, const char* name, std::string& into, const Words& allowed,
                       const char* help) {
    const auto set = [name, &into, allowed](const std::string& word) {
      require_one_of(name, word, allowed);
      into = word;
    };
    const std::string text = fmt::format("{}: {}", help, fmt::join(allowed, ", "));
    command->add_option_function<std::string>(name, set, text)->type_name("WORD")->default_str(into);
  }

  template <class Number>
  static CLI::Option* add_number(CLI::App* command, const char* name, Number& into, std::uint64_t high,
                                 const char* help) {
    const std::string option = std::string(name).substr(std::string(name).find("--"));
    const auto set = [option, &into, high](const std::string& text) {
      into = static_cast<Number>(whole_number(option, text, 1, high));
    };
    return command->add_option_function<std::string>(name, set, help)->type_name("N");
  }

  // Each use of the option takes one word, which may list several globs; so what follows it is no glob.
  static void add_globs(CLI::App* command, const char* name, std::vector<std::string>& into,
                        const char* help) {
    command->add_option(name, into, help)->delimiter(',')->allow_extra_args(false)->type_name("GLOBS");
  }

  void add_output(CLI::App* command, const Words& formats) {
    add_word(command, "--format", options_.format, formats, "how results are printed");
    add_word(command, "--color", options_.color, {"auto", "always", "never"},
             "auto means on a terminal, unless NO_COLOR is set");
    const auto set_width = [this](const std::string& text) {
      options_.width = static_cast<std::uint32_t>(whole_number("--width", text, 40, 1000));
    };
    command
        ->add_option_function<std::string>("--width", set_width,
                                           "columns, 40 to 1000; else the terminal's, or 100")
        ->type_name("N");
    command->add_flag("--ascii", options_.ascii, "no characters beyond ASCII; so it is with LC_ALL=C");
  }

  void add_exploration(CLI::App* command) {
    add_globs(command, "--faults,--fault", options_.faults,
              "only under these faults; globs, separated by commas");
    add_globs(command, "--properties,--property", options_.properties,
              "judge only these; globs, separated by commas; bounded-bypass "
              "only by its name, and alone: its clients never stop");
    const auto set_belief = [this](const std::string& id) {
      // `notified` needs a lock that tells its holder of a loss, and none does yet.
      require_one_of("--belief", id, Words(belief_ids.begin(), belief_ids.begin() + 3));
      options_.belief = from_id<Belief>(belief_ids, id);
    };
    command
        ->add_option_function<std::string>("--belief", set_belief,
                                           "when a client believes that it holds: until-release, "
                                           "deadline-from-request or deadline-from-reply; else as each "
                                           "lock's authors do")
        ->type_name("WORD");
    add_number(command, "--clients", options_.clients, 8, "how many clients, 1 to 8")->default_str("2");
    add_number(command, "--rounds", options_.rounds, 100, "how often each client takes the lock")
        ->default_str("1");
    add_number(command, "--attempts", options_.attempts, 100,
               "calls of acquire() before a client gives up a round")
        ->default_str("2");
    add_strategy(command);
    const auto set_seed = [this](const std::string& text) {
      options_.seed = whole_number("--seed", text, 0, std::numeric_limits<std::uint64_t>::max());
    };
    command->add_option_function<std::string>("--seed", set_seed, "of everything random, such as 7 or 0x1f")
        ->type_name("N")
        ->default_str("1");
    add_jobs(command, "threads; else one for each core");
    add_running(command);
  }

  void add_jobs(CLI::App* command, const char* help) {
    add_number(command, "-j,--jobs", options_.jobs, 256, help);
  }

  void add_strategy(CLI::App* command) {
    const auto set = [this](const std::string& id) {
      require_one_of("--strategy", id, Words(strategy_ids.begin(), strategy_ids.end()));
      options_.strategy = from_id<StrategyKind>(strategy_ids, id);
    };
    command
        ->add_option_function<std::string>(
            "--strategy", set,
            fmt::format("how schedules are chosen: {}; all but exhaustive take a sample",
                        fmt::join(strategy_ids, ", ")))
        ->type_name("WORD")
        ->default_str("exhaustive, or portfolio with --runs");
    const auto set_runs = [this](const std::string& text) {
      options_.runs = whole_number("--runs", text, 1, 1'000'000'000'000);
    };
    command
        ->add_option_function<std::string>("--runs", set_runs, "how many runs a sample takes for each cell")
        ->type_name("N")
        ->default_str("10000");
  }

  void add_space(CLI::App* command) {
    const auto set_reductions = [this](const std::vector<std::string>& words) {
      Words allowed(reduction_ids.begin(), reduction_ids.end());
      allowed.push_back("none");
      options_.reductions.emplace();
      for (const std::string& word : words) {
        require_one_of("--reductions", word, allowed);
        if (word == "none" && words.size() > 1)
          throw CLI::ValidationError("--reductions", "none stands alone");
        if (word != "none") options_.reductions->insert(*from_id<Reduction>(reduction_ids, word));
      }
    };
    command
        ->add_option_function<std::vector<std::string>>(
            "--reductions", set_reductions,
            fmt::format(
                "exhaustive: what is left out because something equivalent was seen: none, or some of "
                "{}; the verdicts are the same",
                fmt::join(reduction_ids, ",")))
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("WORDS")
        ->default_str(fmt::format("{}", fmt::join(reduction_ids, ",")));
    const auto set_memory = [this](const std::string& text) { options_.memory = bytes("--memory", text); };
    command
        ->add_option_function<std::string>(
            "--memory", set_memory,
            "exhaustive: room for the states of a cell, such as 512MiB; with more states it is unknown")
        ->type_name("SIZE")
        ->default_str("3GiB");
  }

  void add_params(CLI::App* command) {
    command
        ->add_option_function<std::vector<std::string>>(
            "--param", [this](const std::vector<std::string>& texts) { set_params(texts); },
            "NAME=VALUE of the lock; see: holdfast explain ALG")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("PARAM");
  }

  void add_budget(CLI::App* command, const char* help) {
    const auto set = [this](const std::string& text) { set_budget(text); };
    command->add_option_function<std::string>("--budget", set, help)->type_name("TIME");
  }

  void add_shard(CLI::App* command, const char* help) {
    const auto set = [this](const std::string& text) {
      const std::size_t slash = text.find('/');
      if (slash == std::string::npos)
        throw CLI::ValidationError("--shard", in_quotes(text) + " is not I/N, such as 1/4");
      Part part;
      part.count = static_cast<std::uint32_t>(whole_number("--shard", text.substr(slash + 1), 1, 10'000));
      part.index = static_cast<std::uint32_t>(whole_number("--shard", text.substr(0, slash), 1, part.count));
      options_.shard = part;
    };
    command->add_option_function<std::string>("--shard", set, help)->type_name("I/N");
  }

  void add_running(CLI::App* command) {
    add_budget(command, "stop after this much real time, such as 30s; what is open then is unknown");
    command->add_option("-o,--out", options_.out, "where traces and the matrix are saved")
        ->type_name("DIR")
        ->default_str(options_.out);
    add_word(command, "--progress", options_.progress, {"auto", "bar", "plain", "none"},
             "auto means a bar on a terminal, else a line every 10 s");
  }

  void add_explorers() {
    CLI::App* compare =
        command("compare", "Every lock under every fault: the verdict matrix, then costs and fairness.",
                "  holdfast compare\n"
                "  holdfast compare --only 'set-nx-px*,token' --faults pause,crash\n"
                "  holdfast compare --format json > matrix.json\n"
                "  holdfast compare --expect matrix.json");
    add_output(compare, reports_formats);
    add_globs(compare, "--only", options_.only, "only these locks; globs, separated by commas");
    add_globs(compare, "--except", options_.except, "all locks but these; globs, separated by commas");
    compare
        ->add_option("--expect", options_.expect,
                     "a saved matrix; verdicts that differ from it end with exit code 1")
        ->type_name("FILE");
    add_exploration(compare);
    add_space(compare);
    add_live_flags(compare, options_, "then perform every counterexample on a real Redis");
    add_shard(compare, "only the I-th of N parts, for N machines; join the results: holdfast merge");

    CLI::App* check = command("check", "One lock in full, with the shortest story of what fails.",
                              "  holdfast check token\n"
                              "  holdfast check token --fault pause\n"
                              "  holdfast check getset --faults clock-skew --param ttl=10s");
    check->add_option("ALG", options_.names, "its id; see: holdfast list algorithms")
        ->required()
        ->expected(1);
    add_params(check);
    add_output(check, reports_formats);
    add_exploration(check);
    add_space(check);
    add_shard(check, "only the I-th of N parts, for N machines; join the results: holdfast merge");

    CLI::App* diff = command("diff", "The shortest schedule that breaks one lock and not the other.",
                             "  holdfast diff set-nx-px token --fault pause\n"
                             "  holdfast diff getset token --faults crash,pause --format markdown");
    diff->add_option("LOCK", options_.names, "two ids; see: holdfast list algorithms")
        ->required()
        ->expected(2);
    add_output(diff, {"text", "json", "markdown"});
    add_exploration(diff);
  }

  void add_files() {
    CLI::App* run = command("run", "Explores scenario files; passes when what each expects comes true.",
                            "  holdfast run scenarios/lessons/*.json\n"
                            "  holdfast run two-waiters-both-delete-an-expired-lock\n"
                            "  holdfast run my.json --format junit");
    run->add_option("FILE", options_.names, "a scenario file, or the name of a lesson")->required();
    run->add_flag("--rewrite", options_.rewrite,
                  "write the story of each file beside it, as its golden text");
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
    CLI::App* show =
        command("show", "Prints a trace as a diagram, a story or a table, and explains it.",
                "  holdfast show holdfast-out/token+pause+mutual-exclusion.trace.json\n"
                "  holdfast show holdfast-out/token+pause+mutual-exclusion.trace.json --as table");
    for (CLI::App* each : {replay, show}) {
      each->add_option("TRACE", options_.names, "a trace file, as compare, check and run save them")
          ->required()
          ->expected(1);
      add_word(each, "--as", options_.view, Words(reports::view_ids.begin(), reports::view_ids.end()),
               "a diagram, sentences, or one event per line with tabs");
      add_output(each, each == show ? Words{"text", "json"} : Words{"text"});
    }
    add_live_flags(replay, options_, "then perform it on a real Redis, and compare every reply");
    add_budget(show, "stop explaining the trace after this much real time, such as 5s");
  }

  void add_catalogue() {
    CLI::App* merge =
        command("merge", "Joins the results of all shards into the JSON of the whole, on stdout.",
                "  holdfast compare --shard 1/2 --format json > 1.json\n"
                "  holdfast compare --shard 2/2 --format json > 2.json\n"
                "  holdfast merge 1.json 2.json > matrix.json");
    merge->add_option("FILE", options_.names, "what compare, check or run --shard I/N --format json printed")
        ->required();
    merge->add_flag("--allow-missing", options_.allow_missing,
                    "print what there is, although shards or cells are missing");
    add_live();
    add_bench();
    CLI::App* list = command("list", "What there is.",
                             "  holdfast list algorithms\n"
                             "  holdfast list faults --format json");
    const auto set_what = [this](const std::string& what) {
      require_one_of("WHAT", what, {"algorithms", "faults", "properties", "scenarios"});
      options_.names = {what};
    };
    list->add_option_function<std::string>("WHAT", set_what, "algorithms, faults, properties or scenarios")
        ->required();
    add_output(list, {"text", "json"});
    CLI::App* explain = command("explain", "What a lock, fault, property, belief or verdict means.",
                                "  holdfast explain token\n"
                                "  holdfast explain mutual-exclusion");
    explain->add_option("NAME", options_.names, "an id; see: holdfast list algorithms|faults|properties")
        ->required()
        ->expected(1);
    add_output(explain, {"text"});
    command("redis", "A shell onto the simulated Redis. Reads commands; ADVANCE 100ms moves the clock.",
            "  echo 'SET job a NX PX 100' | holdfast redis\n"
            "  printf 'SET k v PX 50\\nADVANCE 51ms\\nGET k\\n' | holdfast redis");
    command("version", "The version and what it was built with.",
            "  holdfast version\n"
            "  holdfast --version");
  }

  void add_live() {
    CLI::App* live = add_live_command(app_, options_);
    add_params(live);
    add_output(live, {"text", "json"});
  }

  void add_bench() {
    CLI::App* bench = command("bench", "How fast holdfast itself is. Without a word: what can be measured.",
                              "  holdfast bench engine\n"
                              "  holdfast bench engine --only 'yardstick/4-*' -j 2\n"
                              "  holdfast bench engine --only yardstick/4-3-3-2/token --format json\n"
                              "  holdfast bench live --only 'raw/*,token/*'");
    add_redis(bench, options_);
    bench->add_option("SUITE", options_.names, "engine or live")->expected(0, 1);
    add_globs(bench, "--only", options_.only,
              "only these benchmarks: globs, separated by commas, or a name with any numbers");
    add_jobs(bench, "threads that close one space together; else one");
    add_word(bench, "--format", options_.format, {"text", "json"}, "how results are printed");
    add_budget(bench, "stop after this much real time, such as 30s; what was measured is printed");
  }

  void set_budget(const std::string& text) {
    options_.budget = parse_duration(text);
    if (!options_.budget)
      throw CLI::ValidationError("--budget", in_quotes(text) + " is not a duration with a unit, such as 30s");
  }

  void set_params(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos)
        throw CLI::ValidationError("--param", in_quotes(text) + " is not NAME=VALUE");
      options_.params.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
  }

  CLI::App app_;
  Options options_;
};

}  // namespace

Options parse_command_line(int argc, char** argv) { return Parser().parse(argc, argv); }

}  // namespace holdfast::cli
