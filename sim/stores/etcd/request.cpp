#include "sim/stores/etcd/request.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace holdfast::etcd {
namespace {

using Kind = Request::Kind;
using Which = Operation::Which;

constexpr std::array<std::pair<std::string_view, Column>, 5> columns{{{"key", Column::key},
                                                                      {"value", Column::value},
                                                                      {"lease", Column::lease},
                                                                      {"create", Column::create},
                                                                      {"mod", Column::mod}}};
constexpr std::array<std::pair<std::string_view, Condition::Is>, 4> signs{{{"=", Condition::Is::equal},
                                                                           {"!=", Condition::Is::unequal},
                                                                           {"<", Condition::Is::below},
                                                                           {">", Condition::Is::above}}};

// Reads one word after the other; what is missing or unknown makes the whole request unknown.
class Reader {
 public:
  explicit Reader(const Command& request) : words_(request.argv()) {}
  bool is_at_end() const { return next_ == words_.size(); }
  bool is_wrong() const { return is_wrong_; }
  void fail() { is_wrong_ = true; }
  std::string take() {
    if (is_at_end()) is_wrong_ = true;
    return is_at_end() ? std::string() : std::string(words_[next_++]);
  }
  bool takes(std::string_view word) {
    const bool is_next = !is_at_end() && words_[next_] == word;
    if (is_next) ++next_;
    return is_next;
  }
  std::int64_t number() {
    const std::string text = take();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    is_wrong_ |= error != std::errc() || end != text.data() + text.size();
    return number;
  }
  // Which of these the next word is.
  template <class Table>
  auto takes_one_of(const Table& table) {
    std::optional<typename Table::value_type::second_type> found;
    for (const auto& [text, meaning] : table)
      if (!found && takes(text)) found = meaning;
    return found;
  }
  template <class T>
  T must(std::optional<T> value) {
    is_wrong_ |= !value;
    return value.value_or(T());
  }

  Operation operation() {
    Operation it;
    if (takes("REVISION")) return it;
    if (takes("PUT")) {
      it.kind = Operation::Kind::put;
      it.key = take();
      it.value = take();
      if (takes("LEASE")) it.lease = take();
    } else if (takes("DELETE")) {
      it.kind = Operation::Kind::remove;
      it.key = take();
      it.is_prefix = takes("PREFIX");
    } else {
      is_wrong_ |= !takes("GET");
      read_get(it);
    }
    return it;
  }
  std::vector<Operation> operations() {
    std::vector<Operation> all;
    if (is_at_end() || words_[next_] == "ELSE") return all;
    do all.push_back(operation());
    while (takes(";"));
    return all;
  }
  Condition condition() {
    Condition it;
    it.column = must(takes_one_of(columns));
    it.key = take();
    it.is = must(takes_one_of(signs));
    is_wrong_ |= it.column == Column::key;
    const bool is_of_text = it.column == Column::value || it.column == Column::lease;
    if (is_of_text) it.text = take();
    else it.number = number();
    return it;
  }

 private:
  void read_get(Operation& it) {
    it.kind = Operation::Kind::get;
    it.key = take();
    it.is_prefix = takes("PREFIX");
    if (takes("SORT")) it.which = Which::by_creation;
    else if (takes("FIRST")) it.which = Which::first;
    else if (takes("LAST")) it.which = Which::last;
    if (takes("BELOW")) it.created_before = number();
    if (!takes("TELL")) return;
    while (const std::optional<Column> column = takes_one_of(columns)) it.told.push_back(*column);
    is_wrong_ |= it.told.empty();
  }

  const WordsView words_;
  std::size_t next_ = 0;
  bool is_wrong_ = false;
};

void read_watch(Reader& reader, Request& request) {
  request.kind = Kind::watch;
  request.key = reader.take();
  request.is_prefix = reader.takes("PREFIX");
  if (reader.takes("FROM")) request.number = reader.number();
  request.tells_previous = reader.takes("PREV");
  request.skips_puts = reader.takes("NOPUT");
}

void read_transaction(Reader& reader, Request& request) {
  request.kind = Kind::transact;
  bool is_open = reader.takes("IF");
  if (!is_open && !reader.takes("THEN")) return reader.fail();
  while (is_open && !reader.is_at_end()) {
    is_open = !reader.takes("THEN");
    if (is_open) request.conditions.push_back(reader.condition());
  }
  if (is_open) return reader.fail();
  request.then = reader.operations();
  if (reader.takes("ELSE")) request.otherwise = reader.operations();
}

}  // namespace

Request parse(const Command& words) {
  static constexpr std::array<std::pair<std::string_view, Kind>, 4> of_leases{
      {{"GRANT", Kind::grant},
       {"KEEPALIVE", Kind::keep_alive},
       {"TIMETOLIVE", Kind::time_to_live},
       {"REVOKE", Kind::revoke}}};
  Reader reader(words);
  Request request;
  if (const std::optional<Kind> of_lease = reader.takes_one_of(of_leases)) {
    request.kind = *of_lease;
    request.lease = reader.take();
    if (*of_lease == Kind::grant) request.number = reader.number();
  } else if (reader.takes("COMPACT")) {
    request.kind = Kind::compact;
    request.number = reader.number();
  } else if (reader.takes("TXN")) {
    read_transaction(reader, request);
  } else if (reader.takes("WATCH")) {
    read_watch(reader, request);
  } else {
    request.kind = Kind::operate;
    request.then.push_back(reader.operation());
  }
  if (reader.is_wrong() || !reader.is_at_end()) request.kind = Kind::unknown;
  return request;
}

}  // namespace holdfast::etcd
