// Programs of any language that are locks: commands, and files that describe them.
#pragma once

#include <string>

#include "sim/core/lock.hpp"
#include "sim/process/program.hpp"

namespace holdfast::cli {

// Its card's id is the command. Throws UserError.
void load_program(const std::string& command);

// As its name says: "my_lock.guest.json".
bool is_program_file(const std::string& name);
// Throws UserError: with the place and the nearest word.
process::Command parse_program(const std::string& text, const std::string& file);
// Its card's id is the path. Throws UserError.
const Card& program_in(const std::string& file);

}  // namespace holdfast::cli
