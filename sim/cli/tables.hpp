// What was learnt of a program, as a file: a lock that needs no program.
#pragma once

#include <memory>
#include <string>

#include "sim/core/lock.hpp"
#include "sim/guest/table.hpp"

namespace holdfast::cli {

// A file, as it was read.
struct LearntTable {
  LearntTable(std::string its_id, std::string its_summary, std::string its_nodes, guest::TimeToTell time)
      : id(std::move(its_id)),
        summary(std::move(its_summary)),
        nodes(std::move(its_nodes)),
        table(id, time) {}
  std::string id;
  std::string summary;
  std::string nodes;
  guest::Table table;
};
// Throws UserError: it is not what save_table() writes.
std::unique_ptr<LearntTable> parse_table(const std::string& text, const std::string& file);

// As its name says: "my_lock.histories.json".
bool is_table_file(const std::string& name);
// Its card's id is the path. Throws UserError: missing, unreadable, not what save_table() writes.
const Card& table_in(const std::string& file);
// Before hours are spent on it. Throws UserError: the card is that of no program, the file's name another.
void require_learnable(const std::string& file, const Card& card);
// Every history of the program that is known. Throws UserError.
void save_table(const std::string& file, const Card& card);

}  // namespace holdfast::cli
