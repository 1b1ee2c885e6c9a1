// Locks that are files of Lua, or programs of any language: they stand wherever the name of a lock does.
#pragma once

#include <string>
#include <vector>

#include "reports/report.hpp"
#include "sim/cli/options.hpp"
#include "sim/core/lock.hpp"

namespace holdfast::cli {

// nullptr: the name is that of no file of Lua, and of none that describes a program. A name without a
// directory may be one of those that come with holdfast. Throws UserError: missing, unreadable; BadCard.
const Card* script_called(const std::string& name);
// Those that the command line names; their names become the ids of their cards. Throws as script_called(),
// and UserError for a program.
void load_scripts(Options& options);

// What was learnt of those among them.
std::vector<reports::LearntProgram> learnt_programs(const std::vector<const Card*>& cards);

}  // namespace holdfast::cli
