// The options of commands that answer a question: which lease, which lock.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "sim/cli/options.hpp"

namespace holdfast::cli {

// With all of its own options; those of output, parameters, threads and running are not among them.
CLI::App* add_ttl_command(CLI::App& app, Options& options);
CLI::App* add_choose_command(CLI::App& app, Options& options);

// What choose asks, in this order; an option and a question alike.
struct ChoiceQuestion {
  std::string_view option;
  std::string_view text;
  std::string& (*in)(ChoiceOptions& choice);
  std::vector<std::string> (*words)();
  std::string_view usual;  // empty: it must be answered
};
const std::vector<ChoiceQuestion>& choice_questions();

}  // namespace holdfast::cli
