// The text of SQL that the words of a statement stand for (sim/stores/sql/statement.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::live {

// Makes the table that all statements are about, unless it is there.
extern const std::string_view sql_of_table;

std::string sql_of(const std::vector<std::string>& words);

}  // namespace holdfast::live
