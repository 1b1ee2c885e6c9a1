#include "sim/live/sql_text.hpp"

namespace holdfast::live {
namespace {

std::string time_text(std::string_view word) {
  if (word == "now()") return "now()";
  if (word.starts_with("now()+"))
    return "now() + interval '" + std::string(word.substr(6, word.size() - 8)) + " milliseconds'";
  return "to_timestamp(" + std::string(word) + " / 1000.0)";
}

// The row is given back with a time that is `over`, which is a time as any other.
std::string name_of(const std::string& column) { return column == "over" ? "until" : column; }
bool is_column(std::string_view word) {
  return word == "owner" || word == "until" || word == "over" || word == "n";
}
std::string value_text(const std::string& column, const std::string& word) {
  if (column == "owner") return "'" + word + "'";
  if (name_of(column) == "until") return time_text(word);
  return word.starts_with("n") ? "l." + word : word;
}

class Statement {
 public:
  explicit Statement(const std::vector<std::string>& words) : words_(words) {}
  std::string text() {
    const std::string first = take();
    if (first.starts_with("pg_"))
      return "SELECT " + first + (is_at_end() ? "()" : "(hashtext('" + take() + "'))");
    if (first == "SET") {
      const std::string name = take();
      return "SET " + name + " = " + take();
    }
    if (is_at_end()) return first;
    name_ = "'" + take() + "'";
    if (first == "INSERT") return insert();
    if (first == "UPDATE") {
      take();
      const std::string set = assignments();
      return "UPDATE locks AS l SET " + set + where();
    }
    if (first == "DELETE") return "DELETE FROM locks AS l" + where();
    const std::string select = "SELECT owner, n FROM locks AS l" + where();
    return is_at_end() ? select : select + " " + take();
  }

 private:
  bool is_at_end() const { return next_ == words_.size(); }
  bool is_at_column() const { return !is_at_end() && is_column(words_[next_]); }
  std::string take() { return words_.at(next_++); }
  std::string insert() {
    std::string columns = "name";
    std::string values = name_;
    std::string updates;
    while (is_at_column()) {
      const std::string column = take();
      columns += ", " + name_of(column);
      values += ", " + value_text(column, take());
      updates += (updates.empty() ? "" : ", ") + name_of(column) + " = excluded." + name_of(column);
    }
    std::string text = "INSERT INTO locks AS l (" + columns + ") VALUES (" + values + ")";
    if (is_at_end()) return text;
    const bool does_nothing = take() == "ON CONFLICT DO NOTHING";
    text += " ON CONFLICT (name) DO ";
    return text + (does_nothing ? "NOTHING" : "UPDATE SET " + updates + where());
  }
  std::string assignments() {
    std::string text;
    while (is_at_column()) {
      const std::string column = take();
      text += (text.empty() ? "" : ", ") + name_of(column) + " = " + value_text(column, take());
    }
    return text;
  }
  std::string where() {
    std::string text = " WHERE l.name = " + name_;
    if (is_at_end() || words_[next_] != "WHERE") return text;
    take();
    text += " AND (";
    for (bool goes_on = true; goes_on;) {
      const std::string column = take();
      const std::string sign = take();
      text += "l." + column + " " + sign + " " + value_text(column, take());
      goes_on = !is_at_end() && (words_[next_] == "AND" || words_[next_] == "OR");
      if (goes_on) text += " " + take() + " ";
    }
    return text + ")";
  }

  const std::vector<std::string>& words_;
  std::size_t next_ = 0;
  std::string name_;
};

}  // namespace

const std::string_view sql_of_table =
    "CREATE TABLE IF NOT EXISTS locks (name text PRIMARY KEY, owner text NOT NULL DEFAULT '', until "
    "timestamptz, n bigint NOT NULL DEFAULT 0)";

std::string sql_of(const std::vector<std::string>& words) { return Statement(words).text(); }

}  // namespace holdfast::live
