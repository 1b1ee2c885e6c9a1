// What was learnt of a program, as a file: a lock that needs no program.
#pragma once

#include <string>

#include "sim/core/lock.hpp"

namespace holdfast::cli {

// As its name says: "my_lock.histories.json".
bool is_table_file(const std::string& name);
// Its card's id is the path. Throws UserError: missing, unreadable, not what save_table() writes.
const Card& table_in(const std::string& file);
// Before hours are spent on it. Throws UserError: the card is that of no program, the file's name another.
void require_learnable(const std::string& file, const Card& card);
// Every history of the program that is known. Throws UserError.
void save_table(const std::string& file, const Card& card);

}  // namespace holdfast::cli
