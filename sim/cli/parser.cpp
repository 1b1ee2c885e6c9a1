#include "sim/cli/parser.hpp"

#include <fmt/format.h>

#include <limits>

#include "reports/language.hpp"
#include "sim/cli/usage.hpp"
#include "sim/scenario/problem.hpp"

namespace holdfast::cli {

CLI::App* Parser::command(const char* name, const char* what, const char* examples) {
  CLI::App* added = app_.add_subcommand(name, what);
  added->footer(std::string("Examples:\n") + examples);
  return added;
}

void Parser::add_word(CLI::App* command, const char* name, std::string& into, const Words& allowed,
                      const char* help) {
  const auto set = [name, &into, allowed](const std::string& word) {
    require_one_of(name, word, allowed);
    into = word;
  };
  const std::string text = fmt::format("{}: {}", help, fmt::join(allowed, ", "));
  takes(command->add_option_function<std::string>(name, set, text), allowed)
      ->type_name("WORD")
      ->default_str(into);
}

CLI::Option* Parser::takes(CLI::Option* option, const Words& words) {
  words_.emplace_back(option, std::vector<std::string>(words.begin(), words.end()));
  return option;
}

std::vector<std::string> Parser::words_of(const CLI::Option& option) const {
  for (const auto& [known, words] : words_)
    if (known == &option) return words;
  return {};
}

CLI::Option* Parser::add_number(CLI::App* command, const char* name, std::uint32_t& into, std::uint64_t high,
                                const char* help) {
  const std::string option = std::string(name).substr(std::string(name).find("--"));
  const auto set = [option, &into, high](const std::string& text) {
    into = static_cast<std::uint32_t>(whole_number(option, text, 1, high));
  };
  return command->add_option_function<std::string>(name, set, help)->type_name("N");
}

void Parser::add_globs(CLI::App* command, const char* name, std::vector<std::string>& into,
                       const char* help) {
  command->add_option(name, into, help)->delimiter(',')->allow_extra_args(false)->type_name("GLOBS");
}

void Parser::add_output(CLI::App* command, const Words& formats) {
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
  command->add_flag("--ascii", options_.ascii,
                    "no characters beyond ASCII; so it is with LC_ALL=C or LANG=C");
}

void Parser::add_exploration(CLI::App* command) {
  add_experiment(command);
  add_strategy(command);
  add_seed(command);
  add_jobs(command, "threads; else one for each core");
  add_running(command);
}

void Parser::add_experiment(CLI::App* command) {
  add_globs(command, "--faults,--fault", options_.faults,
            "only under these faults; globs, separated by commas");
  add_globs(
      command, "--properties,--property", options_.properties,
      "judge only these; globs, separated by commas; bounded-bypass, livelock, availability, reentrancy, "
      "single-fill, fenced-writes and no-lost-update only by name, and alone: each has clients of its own");
  add_who(command);
  add_number(command, "--clients", options_.clients, 8, "how many clients, 1 to 8")->default_str("2");
  add_number(command, "--rounds", options_.rounds, 100, "how often each client takes the lock")
      ->default_str("1");
  add_number(command, "--attempts", options_.attempts, 100,
             "calls of acquire() before a client gives up a round")
      ->default_str("2");
  add_times(command);
}

void Parser::add_times(CLI::App* command) {
  add_duration(command, "--work", options_.work,
               "how long clients work under the lock, at most; a multiple of 500ms, as all times",
               "1s; of locks that renew, 1s longer than the lease");
  add_duration(command, "--delay", options_.delay, "how long a message takes one way, at most", "1s");
}

void Parser::add_pause(CLI::App* command) {
  add_duration(command, "--pause", options_.pause, "the longest pause of a process", "twice the lease");
}

void Parser::add_seed(CLI::App* command) {
  const auto set_seed = [this](const std::string& text) {
    options_.seed = whole_number("--seed", text, 0, std::numeric_limits<std::uint64_t>::max());
  };
  command->add_option_function<std::string>("--seed", set_seed, "of everything random, such as 7 or 0x1f")
      ->type_name("N")
      ->default_str("1");
}

// What clients do and believe, and what the resource looks at.
void Parser::add_who(CLI::App* command) {
  const Words workloads(workload_ids.begin(), workload_ids.end());
  const auto set_workload = [this, workloads](const std::string& id) {
    require_one_of("--workload", id, workloads);
    options_.workload = *from_id<Workload>(workload_ids, id);
  };
  takes(command->add_option_function<std::string>(
            "--workload", set_workload,
            "what clients do, such as long-section, open-load or reader-flood; see: holdfast list workloads"),
        workloads)
      ->type_name("WORD")
      ->default_str("contend");
  const Words beliefs(belief_ids.begin(), belief_ids.end());
  const auto set_belief = [this, beliefs](const std::string& id) {
    require_one_of("--belief", id, beliefs);
    options_.belief = from_id<Belief>(belief_ids, id);
  };
  takes(command->add_option_function<std::string>(
            "--belief", set_belief,
            fmt::format("when a client believes that it holds: {}; else as each lock's authors do",
                        fmt::join(belief_ids, ", "))),
        beliefs)
      ->type_name("WORD");
  const auto set_retries = [this](const std::string& text) {
    options_.driver_retries = static_cast<std::uint32_t>(whole_number("--driver-retries", text, 0, 100));
  };
  command
      ->add_option_function<std::string>(
          "--driver-retries", set_retries,
          "how often drivers send a request again for which no answer came, 0 to 100; else each as it does")
      ->type_name("N");
  const Words fencings(fencing_ids.begin(), fencing_ids.end());
  const auto set_fencing = [this, fencings](const std::string& id) {
    require_one_of("--fencing", id, fencings);
    options_.fencing = *from_id<Fencing>(fencing_ids, id);
  };
  takes(command->add_option_function<std::string>(
            "--fencing", set_fencing,
            "whether the resource refuses grants that are older than the newest that wrote (first-write), or "
            "that read or wrote (first-read); else it does not look"),
        fencings)
      ->type_name("WORD")
      ->default_str("none");
}

void Parser::add_jobs(CLI::App* command, const char* help) {
  add_number(command, "-j,--jobs", options_.jobs, 256, help);
}

void Parser::add_strategy(CLI::App* command) {
  const Words strategies(strategy_ids.begin(), strategy_ids.end());
  const auto set = [this, strategies](const std::string& id) {
    require_one_of("--strategy", id, strategies);
    options_.strategy = from_id<StrategyKind>(strategy_ids, id);
  };
  takes(command->add_option_function<std::string>(
            "--strategy", set,
            fmt::format("how schedules are chosen: {}; all but exhaustive take a sample",
                        fmt::join(strategy_ids, ", "))),
        strategies)
      ->type_name("WORD")
      ->default_str("exhaustive, or portfolio with --runs");
  const auto set_runs = [this](const std::string& text) {
    options_.runs = whole_number("--runs", text, 1, 1'000'000'000'000);
  };
  command->add_option_function<std::string>("--runs", set_runs, "how many runs a sample takes for each cell")
      ->type_name("N")
      ->default_str("10000");
}

void Parser::add_space(CLI::App* command) {
  Words allowed(reduction_ids.begin(), reduction_ids.end());
  allowed.push_back("none");
  Words usual;
  for (std::size_t i = 0; i < reduction_ids.size(); ++i)
    if (Explore().reductions.contains(static_cast<Reduction>(i))) usual.emplace_back(reduction_ids[i]);
  const auto set_reductions = [this, allowed](const std::vector<std::string>& words) {
    options_.reductions.emplace();
    for (const std::string& word : words) {
      require_one_of("--reductions", word, allowed);
      if (word == "none" && words.size() > 1) throw CLI::ValidationError("--reductions", "none stands alone");
      if (word != "none") options_.reductions->insert(*from_id<Reduction>(reduction_ids, word));
    }
  };
  takes(command->add_option_function<std::vector<std::string>>(
            "--reductions", set_reductions,
            fmt::format("exhaustive: what is left out because something equivalent was seen: none, or some "
                        "of {}; the verdicts are the same",
                        fmt::join(reduction_ids, ","))),
        allowed)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("WORDS")
      ->default_str(fmt::format("{}", fmt::join(usual, ",")));
  const auto set_memory = [this](const std::string& text) { options_.memory = bytes("--memory", text); };
  command
      ->add_option_function<std::string>(
          "--memory", set_memory,
          "exhaustive: room for the states of a cell, such as 512MiB; with more states it is unknown")
      ->type_name("SIZE")
      ->default_str("3GiB");
}

void Parser::add_params(CLI::App* command) {
  command
      ->add_option_function<std::vector<std::string>>(
          "--param", [this](const std::vector<std::string>& texts) { set_params(texts); },
          "NAME=VALUE of the lock; see: holdfast explain ALG")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("PARAM");
}

void Parser::add_guest(CLI::App* command) {
  command
      ->add_option("--guest", options_.guests,
                   "a program of any language in place of a lock's id: it reads \"acquire KEY\" and "
                   "\"release KEY\", and answers granted, refused, released and so on; its server is at "
                   "127.0.0.1:6379")
      ->type_name("COMMAND");
}

void Parser::add_duration(CLI::App* command, const char* name, std::optional<Duration>& into,
                          const char* help, const char* usual) {
  const auto set = [name, &into](const std::string& text) {
    into = parse_duration(text);
    if (!into)
      throw CLI::ValidationError(name, in_quotes(text) + " " + duration_complaint(text));
  };
  command->add_option_function<std::string>(name, set, help)->type_name("TIME")->default_str(usual);
}

void Parser::add_budget(CLI::App* command, const char* help) {
  add_duration(command, "--budget", options_.budget, help, "");
}

void Parser::add_language(CLI::App* command, const char* help) {
  add_word(command, "--language", options_.language,
           Words(reports::language_ids.begin(), reports::language_ids.end()), help);
}

void Parser::add_shard(CLI::App* command, const char* help) {
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

void Parser::add_deepening(CLI::App* command) {
  add_duration(command, "--deepen", options_.deepen,
               "where nobody chooses --clients, --rounds or --attempts: go on with larger bounds for so "
               "long, such as 30m",
               "");
}

void Parser::add_running(CLI::App* command) {
  add_budget(command, "stop after this much real time, such as 30s; what is open then is unknown");
  command->add_option("-o,--out", options_.out, "where traces and the matrix are saved")
      ->type_name("DIR")
      ->default_str(options_.out);
  command
      ->add_option("--resume", options_.resume,
                   "save searches there every minute and when stopped, and go on with those that are there")
      ->type_name("DIR");
  add_progress(command);
}

void Parser::add_progress(CLI::App* command) {
  add_word(command, "--progress", options_.progress, {"auto", "bar", "plain", "none"},
           "auto means a bar on a terminal, else a line every 10 s");
}

void Parser::set_params(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      throw CLI::ValidationError("--param", in_quotes(text) + " is not NAME=VALUE");
    options_.params.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
}

}  // namespace holdfast::cli
