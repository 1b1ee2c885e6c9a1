#include "sim/cli/options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iostream>

#include "sim/cli/version.hpp"
#include "sim/scenario/nearest.hpp"

namespace holdfast::cli {
namespace {

constexpr const char* overview = R"(Which distributed lock really holds, under which faults, and what does it cost?

  compare             every lock under every fault, one verdict each; then costs
  check ALG           one lock in full, with the shortest story of what fails
  run FILE...         scenario files; passes when what a file expects comes true
  replay TRACE        execute a trace again and verify that nothing differs
  show TRACE          print a trace as a diagram, a story or a table
  explain NAME        what a lock, fault, property, belief or verdict means
  list WHAT           algorithms, faults, properties or scenarios
  validate FILE...    check scenario files without running them
  redis               a shell onto the simulated Redis; ADVANCE 100ms moves its clock
  version             the version and what it was built with
)";

constexpr const char* exit_codes = R"(
Exit codes: 0 as expected, 1 violated or expectation not met, 2 inconclusive, 64 usage, 65 bad file,
66 missing file, 70 a bug in holdfast, 130 interrupted. Results go to stdout, everything else to stderr.)";

class Parser {
 public:
  Parser() : app_("", "holdfast") {
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
      for (const CLI::App* command : app_.get_subcommands()) return help(command->help());
      return help(std::string(overview) + "\nUsage: holdfast COMMAND [options]; holdfast COMMAND --help tells its options.\n" + exit_codes + "\n");
    } catch (const CLI::CallForVersion&) {
      return help(std::string("holdfast ") + version + "\n");
    } catch (const CLI::ParseError& error) {
      throw UserError(exit_usage, complaint(error, argc, argv));
    }
    options_.command = app_.get_subcommands().front()->get_name();
    return options_;
  }

 private:
  Options help(const std::string& text) {
    std::cout << text;
    return Options();
  }

  CLI::App* command(const char* name, const char* what, const char* examples) {
    CLI::App* added = app_.add_subcommand(name, what);
    added->footer(std::string("\nExamples:\n") + examples);
    return added;
  }

  void add_output(CLI::App* command, std::vector<std::string> formats) {
    command->add_option("--format", options_.format, "how results are printed")
        ->check(CLI::IsMember(std::move(formats)))->capture_default_str();
    command->add_option("--color", options_.color, "auto: on a terminal, unless NO_COLOR is set")
        ->check(CLI::IsMember({"auto", "always", "never"}))->capture_default_str();
    command->add_option("--width", options_.width, "columns; default: the terminal's, else 100")->check(CLI::Range(40u, 1000u));
    command->add_flag("--ascii", options_.ascii, "no characters beyond ASCII (default with LC_ALL=C)");
  }

  void add_exploration(CLI::App* command) {
    command->add_option("--faults", options_.faults, "only these columns, separated by commas (globs)")->delimiter(',');
    command->add_option("--properties", options_.properties, "judge only these, separated by commas (globs)")->delimiter(',');
    command->add_option_function<std::string>("--belief", [this](const std::string& id) { options_.belief = from_id<Belief>(belief_ids, id); },
                                              "when a client believes that it holds; default: as each lock's authors do")
        ->check(CLI::IsMember(std::vector<std::string>(belief_ids.begin(), belief_ids.begin() + 3)));
    command->add_option("--clients", options_.clients, "how many clients")->check(CLI::Range(1u, 8u))->capture_default_str();
    command->add_option("--rounds", options_.rounds, "how often each client takes the lock")->check(CLI::Range(1u, 100u))->capture_default_str();
    command->add_option("--attempts", options_.attempts, "calls of acquire() before a client gives up a round")
        ->check(CLI::Range(1u, 100u))->capture_default_str();
    add_running(command);
  }

  void add_running(CLI::App* command) {
    command->add_option("--seed", options_.seed, "of everything random, decimal or 0x…")->transform(CLI::Validator(hexadecimal, "NUMBER"));
    command->add_option_function<std::string>("--budget", [this](const std::string& text) { set_budget(text); },
                                              "stop after this much real time; what is open then is unknown: 30s");
    command->add_option("-j,--jobs", options_.jobs, "threads; default: one for each core")->check(CLI::Range(1u, 256u));
    command->add_option("-o,--out", options_.out, "where traces and the matrix are saved")->capture_default_str();
    command->add_option("--progress", options_.progress, "auto: a bar on a terminal, else a line every 10 s")
        ->check(CLI::IsMember({"auto", "bar", "plain", "none"}))->capture_default_str();
  }

  void add_explorers() {
    CLI::App* compare = command("compare", "Every lock under every fault: the verdict matrix, then costs and fairness.",
                                "  holdfast compare\n  holdfast compare --only 'set-nx-px*,token' --faults pause,crash --format markdown");
    add_output(compare, {"text", "json", "markdown", "junit"});
    compare->add_option("--only", options_.only, "only these locks, separated by commas (globs)")->delimiter(',');
    compare->add_option("--except", options_.except, "all locks but these (globs)")->delimiter(',');
    compare->add_option("--expect", options_.expect, "a saved matrix; a verdict that differs from it ends with exit code 1");
    add_exploration(compare);

    CLI::App* check = command("check", "One lock in full, with the shortest story of what fails.",
                              "  holdfast check token\n  holdfast check getset --faults clock-skew --param won-if=still-expired");
    check->add_option("algorithm", options_.names, "its id; see: holdfast list algorithms")->required()->expected(1);
    check->add_option_function<std::vector<std::string>>("--param", [this](const std::vector<std::string>& texts) { set_params(texts); },
                                                         "NAME=VALUE; see: holdfast explain ALG")->delimiter(',');
    add_output(check, {"text", "json", "markdown", "junit"});
    add_exploration(check);
  }

  void add_files() {
    CLI::App* run = command("run", "Explores scenario files; passes when what each expects comes true.",
                            "  holdfast run scenarios/lessons/*.json\n  holdfast run my.json --format junit");
    run->add_option("files", options_.names, "scenario files, or the names of lessons")->required();
    run->add_flag("--rewrite", options_.rewrite, "write the story of each file beside it, as its golden text");
    add_output(run, {"text", "json", "markdown", "junit"});
    add_running(run);

    CLI::App* validate = command("validate", "Checks scenario files without running them.", "  holdfast validate my.json\n  holdfast validate scenarios/lessons/*.json");
    validate->add_option("files", options_.names, "scenario files")->required();

    CLI::App* replay = command("replay", "Executes a trace again and verifies that nothing differs.", "  holdfast replay holdfast-out/token+pause+mutual-exclusion.trace.json\n  holdfast replay TRACE --as story");
    CLI::App* show = command("show", "Prints a trace.", "  holdfast show TRACE --as story\n  holdfast show TRACE --as table");
    for (CLI::App* each : {replay, show}) {
      each->add_option("trace", options_.names, "a trace file (holdfast/trace/1)")->required()->expected(1);
      each->add_option("--as", options_.view, "sequence: a diagram; story: sentences; table: tab-separated")
          ->check(CLI::IsMember({"sequence", "story", "table"}))->capture_default_str();
      add_output(each, {"text"});
    }
  }

  void add_catalogue() {
    CLI::App* list = command("list", "What there is.", "  holdfast list algorithms\n  holdfast list faults --format json");
    list->add_option("what", options_.names, "algorithms, faults, properties or scenarios")->required()->expected(1)
        ->check(CLI::IsMember({"algorithms", "faults", "properties", "scenarios"}));
    add_output(list, {"text", "json"});
    CLI::App* explain = command("explain", "What a lock, fault, property, belief or verdict means.", "  holdfast explain token\n  holdfast explain mutual-exclusion");
    explain->add_option("name", options_.names, "an id")->required()->expected(1);
    add_output(explain, {"text"});
    command("redis", "A shell onto the simulated Redis. Reads commands; ADVANCE 100ms moves the clock.",
            "  echo 'SET job a NX PX 100' | holdfast redis\n  printf 'SET k v PX 50\\nADVANCE 51ms\\nGET k\\n' | holdfast redis");
    command("version", "The version and what it was built with.", "  holdfast version\n  holdfast --version");
  }

  void set_budget(const std::string& text) {
    options_.budget = parse_duration(text);
    if (!options_.budget) throw CLI::ValidationError("--budget", fmt::format("\"{}\" is not a duration with a unit, such as 30s", text));
  }

  void set_params(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos) throw CLI::ValidationError("--param", fmt::format("\"{}\" is not NAME=VALUE", text));
      options_.params.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
  }

  // CLI11 reads decimal numbers only.
  static std::string hexadecimal(std::string& text) {
    if (!text.starts_with("0x")) return {};
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), number, 16);
    if (error != std::errc() || end != text.data() + text.size()) return "not a number: " + text;
    text = std::to_string(number);
    return {};
  }

  // CLI11's own complaints leave out the nearest word, and do not see unknown commands.
  std::string complaint(const CLI::ParseError& error, int argc, char** argv) const {
    const auto suggest = [](std::string_view word, const std::vector<std::string>& words) {
      const std::vector<std::string_view> views(words.begin(), words.end());
      const auto close = nearest(word, views);
      return close ? fmt::format(" — did you mean \"{}\"?", *close) : std::string();
    };
    std::vector<std::string> commands;
    for (const CLI::App* each : app_.get_subcommands({})) commands.push_back(each->get_name());
    if (argc < 2) return "a command is missing (holdfast --help)";
    const std::string first = argv[1];
    const bool is_command = std::find(commands.begin(), commands.end(), first) != commands.end();
    if (!first.starts_with("-") && !is_command)
      return fmt::format("unknown command \"{}\"{} (holdfast --help)", first, suggest(first, commands));
    const CLI::App* command = is_command ? app_.get_subcommand(first) : &app_;
    std::vector<std::string> flags;
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
      for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const std::string flag = word.substr(0, word.find('='));
        if (flag.starts_with("--") && std::find(flags.begin(), flags.end(), flag) == flags.end())
          return fmt::format("unknown option \"{}\"{} (holdfast {} --help)", flag, suggest(flag, flags), first);
      }
    return fmt::format("{} (holdfast {} --help)", error.what(), first.starts_with("-") ? "" : first);
  }

  CLI::App app_;
  Options options_;
};

}  // namespace

Options parse_command_line(int argc, char** argv) { return Parser().parse(argc, argv); }

}  // namespace holdfast::cli
