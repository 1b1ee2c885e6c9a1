// How the command line is read: the commands, their options, and where each word goes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cli/options.hpp"

namespace holdfast::cli {

class Parser {
 public:
  using Words = std::vector<std::string_view>;

  Parser();
  // Throws UserError. Answers --help and --version itself, on stdout; then the command is empty.
  Options parse(const std::vector<std::string>& words);
  // Every command with its options.
  const CLI::App& tree() const { return app_; }
  // The words that an option or argument takes; empty where it takes others.
  std::vector<std::string> words_of(const CLI::Option& option) const;

 private:
  // Options that several commands share; parser.cpp.
  CLI::App* command(const char* name, const char* what, const char* examples);
  // `option` takes these words and no others.
  CLI::Option* takes(CLI::Option* option, const Words& words);
  void add_word(CLI::App* command, const char* name, std::string& into, const Words& allowed,
                const char* help);
  static CLI::Option* add_number(CLI::App* command, const char* name, std::uint32_t& into, std::uint64_t high,
                                 const char* help);
  // Each use of the option takes one word, which may list several globs; so what follows it is no glob.
  static void add_globs(CLI::App* command, const char* name, std::vector<std::string>& into,
                        const char* help);
  void add_output(CLI::App* command, const Words& formats);
  void add_exploration(CLI::App* command);
  void add_experiment(CLI::App* command);
  void add_seed(CLI::App* command);
  void add_progress(CLI::App* command);
  void add_who(CLI::App* command);
  void add_times(CLI::App* command);
  // Of commands that say themselves how long no other pause is.
  void add_pause(CLI::App* command);
  void add_jobs(CLI::App* command, const char* help);
  void add_strategy(CLI::App* command);
  void add_space(CLI::App* command);
  void add_params(CLI::App* command);
  // Taken out of the words before they are parsed; declared for those who ask for help.
  void add_guest(CLI::App* command);
  void add_budget(CLI::App* command, const char* help);
  void add_language(CLI::App* command, const char* help);
  void add_shard(CLI::App* command, const char* help);
  void add_running(CLI::App* command);
  void add_deepening(CLI::App* command);
  static void add_duration(CLI::App* command, const char* name, std::optional<Duration>& into,
                           const char* help, const char* usual);
  void set_params(const std::vector<std::string>& texts);

  // The commands; command_tree.cpp.
  void add_explorers();
  void add_limits();
  void add_answers();
  void add_files();
  void add_catalogue();
  void add_live();
  void add_learning();
  void add_bench();
  void add_baseline();
  void add_doctor();
  void add_completions();

  CLI::App app_;
  Options options_;
  std::vector<std::pair<const CLI::Option*, std::vector<std::string>>> words_;  // for completions
};

}  // namespace holdfast::cli
