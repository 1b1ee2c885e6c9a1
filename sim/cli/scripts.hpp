// Locks that are files of Lua, or programs of any language: they stand wherever the name of a lock does.
#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "reports/report.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/programs.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::cli {

// nullptr: the name is that of no file of Lua, and of none that describes a program. A name without a
// directory may be one of those that come with holdfast. Throws UserError: missing, unreadable; BadCard.
const Card* script_called(const std::string& name);
// Loads the locks among these words, which become the ids of their cards. Throws as script_called().
void load_named(std::vector<std::string>& words);
// Loads the locks that a command line names. Throws as script_called(), and UserError for a program.
template <class Options>
void load_locks(Options& options) {
  if constexpr (std::derived_from<Options, Guests>)
    for (const std::string& command : options.guests) load_program(command);
  if constexpr (std::derived_from<Options, Guests> && std::derived_from<Options, Selection>)
    if (!options.only.empty())
      options.only.insert(options.only.end(), options.guests.begin(), options.guests.end());
  if constexpr (std::derived_from<Options, Locks>) load_named(options.names);
  if constexpr (std::derived_from<Options, Selection>) load_named(options.only);
}

// What was learnt of those among them.
std::vector<reports::LearntProgram> learnt_programs(const std::vector<const Card*>& cards);

}  // namespace holdfast::cli
