#include "sim/cli/parser.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "reports/language.hpp"
#include "sim/cli/usage.hpp"
#include "sim/core/redis_settings.hpp"
#include "sim/scenario/problem.hpp"

namespace holdfast::cli {

CLI::App* Parser::add(const char* name, const char* what, const char* examples) {
  CLI::App* added = app_.add_subcommand(name, what);
  added->footer(std::string("Examples:\n") + examples);
  return added;
}

CLI::Option* Parser::add_one_of(CLI::App* command, const std::string& name, const Words& words,
                                const std::string& help, std::function<void(const std::string&)> take) {
  const auto set = [name, words = std::vector<std::string>(words.begin(), words.end()),
                    take](const std::string& word) {
    require_one_of(name, word, Words(words.begin(), words.end()));
    take(word);
  };
  return takes(command->add_option_function<std::string>(name, set, help), words)->type_name("WORD");
}

CLI::Option* Parser::add_some_of(CLI::App* command, const std::string& name, const Words& words,
                                 const std::string& help, std::function<void(const std::string&)> take) {
  const auto set = [name, words = std::vector<std::string>(words.begin(), words.end()),
                    take](const std::vector<std::string>& chosen) {
    for (const std::string& word : chosen) require_one_of(name, word, Words(words.begin(), words.end()));
    take(fmt::format("{}", fmt::join(chosen, ",")));
  };
  return takes(command->add_option_function<std::vector<std::string>>(name, set, help), words)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("WORDS");
}

void Parser::add_word(CLI::App* command, const std::string& name, std::string& into, const Words& words,
                      const std::string& help) {
  add_one_of(command, name, words, fmt::format("{}: {}", help, fmt::join(words, ", ")),
             [&into](const std::string& word) { into = word; })
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

void add_name(CLI::App* command, Names& into, const char* name, const char* help) {
  command->add_option(name, into.names, help)->required()->expected(1);
}

void add_globs(CLI::App* command, const char* name, std::vector<std::string>& into, const char* help) {
  command->add_option(name, into, help)->delimiter(',')->allow_extra_args(false)->type_name("GLOBS");
}

void Parser::add_output(CLI::App* command, Output& into, const Words& formats) {
  add_word(command, "--format", into.format, formats, "how results are printed");
  add_word(command, "--color", into.color, {"auto", "always", "never"},
           "auto: on a terminal, unless NO_COLOR is set");
  add_number(command, "--width", into.width, 40, 1000,
             "columns, 40 to 1000; default: the terminal's, or "
             "100");
  command->add_flag("--ascii", into.ascii, "ASCII characters only, as with LC_ALL=C or LANG=C");
}

void Parser::add_exploration(CLI::App* command, Exploring& into) {
  add_experiment(command, into);
  add_strategy(command, into);
  add_seed(command, into);
  add_jobs(command, into);
  add_running(command, into);
}

void Parser::add_experiment(CLI::App* command, Experiment& into) {
  add_globs(command, "--faults,--fault", into.faults, "only under these faults; globs, separated by commas");
  add_globs(
      command, "--properties,--property", into.properties,
      "judge only these; globs, separated by commas; bounded-bypass, livelock, availability, reentrancy, "
      "single-fill, once-per-period, fenced-writes and no-lost-update by name only, and alone: each needs "
      "programs of its own");
  add_who(command, into);
  add_number(command, "--clients", into.clients, 1, 8, "how many clients, 1 to 8")->default_str("2");
  add_number(command, "--rounds", into.rounds, 1, 100, "how often each client takes the lock")
      ->default_str("1");
  add_number(command, "--attempts", into.attempts, 1, 100,
             "calls of acquire() before a client gives up a round")
      ->default_str("2");
  add_duration(command, "--work", into.work,
               "the longest work under the lock; a multiple of 500ms, as all times",
               "1s; for locks that renew, 1s longer than the lease");
  add_duration(command, "--delay", into.delay, "the longest time that a message takes one way", "1s");
}

void add_pause(CLI::App* command, Pauses& into) {
  add_duration(command, "--pause", into.pause, "the longest pause of a process", "twice the lease");
}

void add_seed(CLI::App* command, Seed& into) {
  add_number(command, "--seed", into.seed, 0, std::numeric_limits<std::uint64_t>::max(),
             "the seed of all random choices, such as 7 or 0x1f")
      ->default_str("1");
}

// "NAME=VALUE", taken apart.
std::pair<std::string, std::string> name_and_value(const char* option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw CLI::ValidationError(option, in_quotes(text) + " is not NAME=VALUE");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void add_redis_config(CLI::App* command, ServerConfig& into) {
  const auto set = [&into](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const auto [name, value] = name_and_value("--redis-config", text);
      if (!is_redis_setting(name, value))
        throw CLI::ValidationError("--redis-config", redis_setting_problem(name, value));
      into.redis_config.emplace_back(name, value);
    }
  };
  command
      ->add_option_function<std::vector<std::string>>(
          "--redis-config", set,
          "NAME=VALUE, a line of the servers' redis.conf: cluster-enabled=yes or "
          "notify-keyspace-events=KEA")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("SETTING");
}

void Parser::add_who(CLI::App* command, Experiment& into) {
  add_id(command, "--workload", into.workload, workload_ids,
         "what clients do, such as long-section, open-load or reader-flood; see: holdfast list workloads")
      ->default_str("contend");
  add_id(command, "--belief", into.belief, belief_ids,
         fmt::format("when a client believes that it holds the lock: {}; default: as each lock's authors do",
                     fmt::join(belief_ids, ", ")));
  add_number(command, "--driver-retries", into.driver_retries, 0, 100,
             "how often drivers send a request without an answer again, 0 to 100; default: as each library's "
             "driver");
  add_redis_config(command, into);
  add_id(command, "--fencing", into.fencing, fencing_ids,
         "whether the resource refuses fencing tokens older than the newest that wrote (first-write), or "
         "that read or wrote (first-read)")
      ->default_str("none");
}

void add_jobs(CLI::App* command, Threads& into, const char* help) {
  add_number(command, "-j,--jobs", into.jobs, 1, 256, help);
}

void Parser::add_strategy(CLI::App* command, Sampling& into) {
  add_id(
      command, "--strategy", into.strategy, strategy_ids,
      fmt::format("how schedules are chosen: {}; all but exhaustive sample", fmt::join(strategy_ids, ", ")))
      ->default_str("exhaustive, or portfolio with --runs");
  add_number(command, "--runs", into.runs, 1, 1'000'000'000'000, "how many runs a sample takes for each cell")
      ->default_str("10000");
}

void Parser::add_space(CLI::App* command, Space& into) {
  Words allowed(reduction_ids.begin(), reduction_ids.end());
  allowed.push_back("none");
  Words usual;
  for (std::size_t i = 0; i < reduction_ids.size(); ++i)
    if (Explore().reductions.contains(static_cast<Reduction>(i))) usual.emplace_back(reduction_ids[i]);
  const auto set_reductions = [&into, allowed](const std::vector<std::string>& words) {
    into.reductions.emplace();
    for (const std::string& word : words) {
      require_one_of("--reductions", word, allowed);
      if (word == "none" && words.size() > 1) throw CLI::ValidationError("--reductions", "none stands alone");
      if (word != "none") into.reductions->insert(*from_id<Reduction>(reduction_ids, word));
    }
  };
  takes(command->add_option_function<std::vector<std::string>>(
            "--reductions", set_reductions,
            fmt::format("state-space reductions of exhaustive runs: none, or some of {}; they change no "
                        "verdict",
                        fmt::join(reduction_ids, ","))),
        allowed)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("WORDS")
      ->default_str(fmt::format("{}", fmt::join(usual, ",")));
  add_memory(command, into.memory,
             "memory for the states of a cell, exhaustive, such as 512MiB; with more states the cell is "
             "unknown",
             "3GiB");
}

void add_params(CLI::App* command, LockParams& into) {
  const auto set = [&into](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) into.params.push_back(name_and_value("--param", text));
  };
  command
      ->add_option_function<std::vector<std::string>>(
          "--param", set,
          "NAME=VALUE, a parameter of the lock, under its name here "
          "or in its library; see: holdfast explain LOCK")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("PARAM");
}

void add_guest(CLI::App* command, Guests& into) {
  command
      ->add_option("--guest", into.guests,
                   "a program of any language instead of a lock's id: it reads \"acquire KEY\" and \"release "
                   "KEY\", and answers granted, refused, released and so on; its server is at 127.0.0.1:6379")
      ->type_name("COMMAND");
}

CLI::Option* add_duration(CLI::App* command, const char* name, std::optional<Duration>& into,
                          const char* help, const char* usual) {
  const auto set = [name, &into](const std::string& text) {
    into = parse_duration(text);
    if (!into) throw CLI::ValidationError(name, in_quotes(text) + " " + duration_complaint(text));
  };
  return command->add_option_function<std::string>(name, set, help)->type_name("TIME")->default_str(usual);
}

void add_memory(CLI::App* command, std::optional<std::uint64_t>& into, const char* help, const char* usual) {
  const auto set = [&into](const std::string& text) { into = bytes("--memory", text); };
  command->add_option_function<std::string>("--memory", set, help)->type_name("SIZE")->default_str(usual);
}

void add_budget(CLI::App* command, std::optional<Duration>& into, const char* help) {
  add_duration(command, "--budget", into, help);
}

void Parser::add_language(CLI::App* command, Telling& into, const char* help) {
  add_word(command, "--language", into.language,
           Words(reports::language_ids.begin(), reports::language_ids.end()), help);
}

void add_shard(CLI::App* command, std::optional<Part>& into, const char* help) {
  const auto set = [&into](const std::string& text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos)
      throw CLI::ValidationError("--shard", in_quotes(text) + " is not I/N, such as 1/4");
    Part part;
    part.count = static_cast<std::uint32_t>(whole_number("--shard", text.substr(slash + 1), 1, 10'000));
    part.index = static_cast<std::uint32_t>(whole_number("--shard", text.substr(0, slash), 1, part.count));
    into = part;
  };
  command->add_option_function<std::string>("--shard", set, help)->type_name("I/N");
}

void add_deepening(CLI::App* command, Extent& into) {
  add_duration(command, "--deepen", into.deepen,
               "without --clients, --rounds and --attempts: go on with larger bounds for so long, such as "
               "30m");
}

void Parser::add_running(CLI::App* command, Running& into) {
  add_budget(command, into.budget,
             "stop after this much real time, such as 30s; open verdicts are unknown then");
  command
      ->add_option("-o,--out", into.out,
                   "where traces and the matrix are saved; what another command line has saved there stays")
      ->type_name("DIR")
      ->default_str(into.out);
  command
      ->add_option("--resume", into.resume,
                   "save searches in DIR every minute and when stopped, and resume those saved there")
      ->type_name("DIR");
  add_progress(command, into.progress);
}

void Parser::add_progress(CLI::App* command, std::string& into) {
  add_word(command, "--progress", into, {"auto", "bar", "plain", "none"},
           "auto: a bar on a terminal, elsewhere a line every 10 s");
}

}  // namespace holdfast::cli
