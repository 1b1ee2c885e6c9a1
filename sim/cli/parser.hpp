// How the command line is read: the commands, their options, and where each word goes.
#pragma once

#include <CLI/CLI.hpp>
#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cli/chosen.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/results.hpp"
#include "sim/cli/scripts.hpp"
#include "sim/cli/usage.hpp"

namespace holdfast::cli {

// A command with its options, ready to be performed; empty: the command line has been answered.
using Performance = std::function<int()>;

class Parser {
 public:
  using Words = std::vector<std::string_view>;

  // Throws UserError. Answers --help and --version itself, on stdout.
  Performance parse(const std::vector<std::string>& words);
  // Of the command that parse() has read: its name,
  std::string name() const { return app_.get_subcommands().front()->get_name(); }
  // and what a process does that shares its searches: it loads its locks. Returns where searches are saved;
  // empty: nowhere. Throws as load_locks().
  std::string prepare() const { return prepare_(); }
  // Every command with its options.
  const CLI::App& tree() const { return app_; }
  // The words that an option or argument takes; empty where it takes others.
  std::vector<std::string> words_of(const CLI::Option& option) const;

  template <class Options>
  struct Command {
    CLI::App* app;
    Options& options;  // which the words of a user are written to
  };
  Parser();
  // Adds a command, without any option yet.
  template <class Options>
  Command<Options> command(const char* name, const char* what, const char* examples,
                           std::function<int(const Options&)> perform) {
    const auto options = std::make_shared<Options>();
    CLI::App* const app = add(name, what, examples);
    app->callback([this, app, options, perform] {
      if constexpr (std::derived_from<Options, Guests>) options->guests = guests_;
      if constexpr (std::derived_from<Options, Running>) options->question = question_of(*app, guests_);
      prepare_ = [options] {
        load_locks(*options);
        if constexpr (std::derived_from<Options, Running>) return options->resume;
        return std::string();
      };
      chosen_ = [options, perform] {
        load_locks(*options);
        if constexpr (std::derived_from<Options, LockParams>) {
          if constexpr (std::derived_from<Options, Locks>) use_names_of_locks(*options, options->names);
          else if constexpr (std::derived_from<Options, Selection>) use_names_of_locks(*options, *options);
        }
        return perform(*options);
      };
    });
    return {app, *options};
  }

  // `option` takes these words and no others.
  CLI::Option* takes(CLI::Option* option, const Words& words);
  // An option or argument of which `take` gets one of these words.
  // One or more of these, separated by commas; `take` gets them so.
  CLI::Option* add_some_of(CLI::App* command, const std::string& name, const Words& words,
                           const std::string& help, std::function<void(const std::string&)> take);
  CLI::Option* add_one_of(CLI::App* command, const std::string& name, const Words& words,
                          const std::string& help, std::function<void(const std::string&)> take);
  void add_word(CLI::App* command, const std::string& name, std::string& into, const Words& words,
                const std::string& help);
  template <class Id, class Ids>  // or an optional one
  CLI::Option* add_id(CLI::App* command, const std::string& name, Id& into, const Ids& ids,
                      const std::string& help) {
    using Value = typename decltype(std::optional(into))::value_type;
    return add_one_of(command, name, Words(ids.begin(), ids.end()), help,
                      [&ids, &into](const std::string& word) { into = *from_id<Value>(ids, word); });
  }
  // Options that several commands offer; parser.cpp.
  void add_output(CLI::App* command, Output& into, const Words& formats);
  void add_exploration(CLI::App* command, Exploring& into);
  void add_experiment(CLI::App* command, Experiment& into);
  void add_running(CLI::App* command, Running& into);
  void add_progress(CLI::App* command, std::string& into);
  void add_language(CLI::App* command, Telling& into, const char* help);
  void add_space(CLI::App* command, Space& into);

 private:
  CLI::App* add(const char* name, const char* what, const char* examples);
  // What clients do and believe, and what the resource looks at.
  void add_who(CLI::App* command, Experiment& into);
  void add_strategy(CLI::App* command, Sampling& into);

  CLI::App app_;
  Performance chosen_;
  std::function<std::string()> prepare_;
  std::vector<std::string> guests_;
  std::vector<std::pair<const CLI::Option*, std::vector<std::string>>> words_;  // for completions
};

// Options that several commands offer, and that take any word.
// `name` may begin with a letter of its own: "-j,--jobs".
template <class Number>  // or an optional one
CLI::Option* add_number(CLI::App* command, const std::string& name, Number& into, std::uint64_t low,
                        std::uint64_t high, const std::string& help) {
  const auto set = [option = name.substr(name.find("--")), &into, low, high](const std::string& text) {
    using Value = typename decltype(std::optional(into))::value_type;
    into = static_cast<Value>(whole_number(option, text, low, high));
  };
  return command->add_option_function<std::string>(name, set, help)->type_name("N");
}
// The one positional argument, which must be there.
void add_name(CLI::App* command, Names& into, const char* name, const char* help);
// Each use of the option takes one word, which may list several globs; so what follows it is no glob.
void add_globs(CLI::App* command, const char* name, std::vector<std::string>& into, const char* help);
CLI::Option* add_duration(CLI::App* command, const char* name, std::optional<Duration>& into,
                          const char* help, const char* usual = "");
void add_seed(CLI::App* command, Seed& into);
// Of commands that say themselves how long no other pause is.
void add_pause(CLI::App* command, Pauses& into);
void add_jobs(CLI::App* command, Threads& into, const char* help = "threads; default: one for each core");
void add_params(CLI::App* command, LockParams& into);
void add_redis_config(CLI::App* command, ServerConfig& into);
// Taken out of the words before they are parsed; declared for the help text.
void add_guest(CLI::App* command, Guests& into);
void add_memory(CLI::App* command, std::optional<std::uint64_t>& into, const char* help, const char* usual);
void add_budget(CLI::App* command, std::optional<Duration>& into, const char* help);
void add_deepening(CLI::App* command, Extent& into);
void add_shard(CLI::App* command, std::optional<Part>& into, const char* help);

// --redis: the servers to use.
void add_servers(CLI::App* command, RealServers& into);
// --live and --redis, for a command that can confirm on a real server what it says.
void add_live_flags(CLI::App* command, Confirming& into, const char* help);
// --listen, which it returns, and --rule.
CLI::Option* add_serving(CLI::App* command, RedisOptions& into);

// The commands, in the order in which help and completions tell them.
void add_commands(Parser& parser);  // all; command_tree.cpp
void add_answers(Parser& parser);   // answer_options.cpp
void add_learning(Parser& parser);  // learning_options.cpp
void add_live(Parser& parser);      // live_options.cpp
// baseline's words are parsed again when a baseline is compared.
void add_baseline(Parser& parser, std::function<int(const BaselineOptions&)> perform);

}  // namespace holdfast::cli
