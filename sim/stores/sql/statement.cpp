#include "sim/stores/sql/statement.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "sim/core/time_text.hpp"

namespace holdfast::sql {
namespace {

using Kind = Statement::Kind;

std::optional<std::int64_t> number_of(std::string_view text) {
  if (has_mark(text)) time_oracle->obstruct("a server takes a time for a number");
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number ? std::optional(number) : std::nullopt;
}

std::optional<Moment> moment_of(std::string_view text) {
  const bool is_from_now = text.starts_with("now()");
  if (is_from_now) text.remove_prefix(5);
  if (is_from_now && text.empty()) return Moment{.is_from_now = true};
  if (is_from_now && (!text.starts_with('+') || !text.ends_with("ms"))) return std::nullopt;
  if (!is_from_now) {
    const std::optional<MilliTicks> time = milliticks_in(text);
    return time ? std::optional(Moment{false, Duration(to_ticks(*time))}) : std::nullopt;
  }
  text = text.substr(1, text.size() - 3);
  const std::optional<std::int64_t> distance = number_of(text);
  if (!distance) return std::nullopt;
  return Moment{true, std::chrono::milliseconds(*distance)};
}

// Reads one word after the other; what is missing or unknown makes the whole statement unknown.
class Reader {
 public:
  explicit Reader(const Command& request) : words_(request.argv()) {}
  bool is_at_end() const { return next_ == words_.size(); }
  std::string_view take() {
    if (is_at_end()) is_wrong = true;
    return is_at_end() ? std::string_view() : words_[next_++];
  }
  bool takes(std::string_view word) {
    const bool is_next = !is_at_end() && words_[next_] == word;
    if (is_next) ++next_;
    return is_next;
  }
  template <class T>
  T must(std::optional<T> value) {
    if (!value) is_wrong = true;
    return value.value_or(T());
  }
  // For as long as columns come.
  Assignments assignments() {
    Assignments set;
    for (;;) {
      if (takes("owner")) set.owner = take();
      else if (takes("until")) set.until = must(moment_of(take()));
      else if (takes("n")) count(set, take());
      else if (takes("over")) {
        set.until = must(moment_of(take()));
        set.gives_back = true;
      } else return set;
    }
  }
  void conditions(Statement& statement) {
    if (!takes("WHERE")) return;
    bool is_all_needed = false;
    bool goes_on = true;
    while (goes_on) {
      statement.where.push_back(condition());
      const bool is_and = takes("AND");
      const bool is_or = !is_and && takes("OR");
      is_all_needed |= is_and;
      statement.is_any_enough |= is_or;
      goes_on = is_and || is_or;
    }
    if (is_all_needed && statement.is_any_enough) is_wrong = true;
  }

  bool is_wrong = false;

 private:
  void count(Assignments& set, std::string_view text) {
    set.is_counted = text.starts_with("n+") || text.starts_with("n-");
    const bool is_up = text.starts_with("n+");
    set.number = must(number_of(set.is_counted ? text.substr(is_up ? 2 : 1) : text));
  }
  Condition condition() {
    static constexpr std::array<std::pair<std::string_view, Condition::Is>, 4> signs{
        {{"=", Condition::Is::equal},
         {"<", Condition::Is::below},
         {"<=", Condition::Is::at_most},
         {">", Condition::Is::above}}};
    Condition made{Condition::Column::owner, Condition::Is::equal};
    if (takes("until")) made.column = Condition::Column::until;
    else if (takes("n")) made.column = Condition::Column::number;
    else if (!takes("owner")) is_wrong = true;
    const std::string_view sign = take();
    bool is_known = false;
    for (const auto& [text, is] : signs)
      if (text == sign) {
        made.is = is;
        is_known = true;
      }
    if (!is_known) is_wrong = true;
    const std::string_view value = take();
    if (made.column == Condition::Column::owner) made.text = value;
    else if (made.column == Condition::Column::until) made.moment = must(moment_of(value));
    else made.number = must(number_of(value));
    return made;
  }

  const WordsView words_;
  std::size_t next_ = 0;
};

// "pg_try_advisory_xact_lock_shared", part by part.
void read_advisory(Reader& reader, std::string_view word, Statement& statement) {
  const auto has = [&](std::string_view part) {
    const bool is_there = word.starts_with(part);
    if (is_there) word.remove_prefix(part.size());
    return is_there;
  };
  if (word == "pg_advisory_unlock_all") {
    statement.kind = Kind::advisory_unlock_all;
    return;
  }
  reader.is_wrong |= !has("pg_");
  statement.tries = has("try_");
  reader.is_wrong |= !has("advisory_");
  statement.is_of_transaction = has("xact_");
  const bool unlocks = has("unlock");
  reader.is_wrong |= unlocks ? statement.tries || statement.is_of_transaction : !has("lock");
  statement.is_shared = has("_shared");
  reader.is_wrong |= !word.empty();
  statement.kind = unlocks ? Kind::advisory_unlock : Kind::advisory_lock;
  statement.name = reader.take();
}

void read_insert(Reader& reader, Statement& statement) {
  statement.kind = Kind::insert;
  statement.name = reader.take();
  statement.set = reader.assignments();
  reader.is_wrong |= statement.set.is_counted;
  if (reader.takes("ON CONFLICT DO NOTHING")) statement.on_conflict = Statement::OnConflict::nothing;
  if (reader.takes("ON CONFLICT DO UPDATE")) {
    statement.on_conflict = Statement::OnConflict::update;
    reader.conditions(statement);
  }
}

void read_select(Reader& reader, Statement& statement) {
  using Locking = Statement::Locking;
  statement.kind = Kind::select;
  statement.name = reader.take();
  reader.conditions(statement);
  if (reader.takes("FOR UPDATE")) statement.locking = Locking::waits;
  else if (reader.takes("FOR UPDATE NOWAIT")) statement.locking = Locking::fails;
  else if (reader.takes("FOR UPDATE SKIP LOCKED")) statement.locking = Locking::skips;
}

void read_setting(Reader& reader, Statement& statement) {
  statement.kind = reader.takes("lock_timeout") ? Kind::set_lock_timeout : Kind::set_deadlock_timeout;
  if (statement.kind == Kind::set_deadlock_timeout) reader.is_wrong |= !reader.takes("deadlock_timeout");
  statement.timeout = std::chrono::milliseconds(reader.must(number_of(reader.take())));
}

}  // namespace

bool Statement::reads_now() const {
  return (set.until && set.until->is_from_now) ||
         std::any_of(where.begin(), where.end(),
                     [](const Condition& each) { return each.moment.is_from_now; });
}

Statement parse(const Command& request) {
  Reader reader(request);
  Statement statement;
  if (reader.takes("BEGIN")) statement.kind = Kind::begin;
  else if (reader.takes("COMMIT")) statement.kind = Kind::commit;
  else if (reader.takes("ROLLBACK")) statement.kind = Kind::rollback;
  else if (reader.takes("SET")) read_setting(reader, statement);
  else if (reader.takes("INSERT")) read_insert(reader, statement);
  else if (reader.takes("SELECT")) read_select(reader, statement);
  else if (reader.takes("UPDATE")) {
    statement.kind = Kind::update;
    statement.name = reader.take();
    reader.is_wrong |= !reader.takes("SET");
    statement.set = reader.assignments();
    reader.conditions(statement);
  } else if (reader.takes("DELETE")) {
    statement.kind = Kind::remove;
    statement.name = reader.take();
    reader.conditions(statement);
  } else read_advisory(reader, reader.take(), statement);
  if (reader.is_wrong || !reader.is_at_end()) statement.kind = Kind::unknown;
  return statement;
}

}  // namespace holdfast::sql
