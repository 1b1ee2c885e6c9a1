// A request to an etcd, as words: the parts of its v3 API that locks send.
//
// - GRANT LEASE SECONDS, KEEPALIVE LEASE, TIMETOLIVE LEASE, REVOKE LEASE. A lease is named by its client, by
//   any text, where etcd has a number.
// - PUT KEY VALUE [LEASE LEASE], DELETE KEY [PREFIX], COMPACT REVISION, and REVISION: that of a reply's
//   header.
// - GET KEY [PREFIX] [SORT | FIRST | LAST] [BELOW REVISION] [TELL column …]: sorted by key, or by the
//   revision of their creation; of the first or the last only; of those that were created before that
//   revision. Columns are key, value, lease, create and mod: only what a client looks at is told. None: how
//   many there are.
// - TXN IF condition … THEN operation ; … ELSE operation ; …, where an operation is PUT, DELETE, GET or
//   REVISION. A condition is create|mod KEY =|!=|<|> NUMBER, or value|lease KEY =|!=|<|> TEXT; all must hold.
//   None holds of no key but "create KEY = 0", "mod KEY = 0".
// - WATCH KEY [PREFIX] [FROM REVISION] [PREV] [NOPUT], on a connection of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/command.hpp"

namespace holdfast::etcd {

enum class Column : std::uint8_t { key, value, lease, create, mod };

struct Condition {
  enum class Is : std::uint8_t { equal, unequal, below, above };
  Column column = Column::create;
  std::string key = {};
  Is is = Is::equal;
  std::string text = {};
  std::int64_t number = 0;
};

struct Operation {
  enum class Kind : std::uint8_t { put, remove, get, revision };
  enum class Which : std::uint8_t { by_key, by_creation, first, last };
  Kind kind = Kind::revision;
  std::string key = {};
  bool is_prefix = false;
  std::string value = {};
  std::string lease = {};  // empty: none
  Which which = Which::by_key;
  std::int64_t created_before = 0;  // 0: whenever
  std::vector<Column> told = {};
  bool is_write() const { return kind == Kind::put || kind == Kind::remove; }
};

struct Request {
  enum class Kind : std::uint8_t {
    unknown,  // beyond these forms
    grant,
    keep_alive,
    time_to_live,
    revoke,
    compact,
    operate,  // `then`, of one
    transact,
    watch,
  };
  Kind kind = Kind::unknown;
  std::string lease = {};
  std::int64_t number = 0;  // seconds, or a revision; of a watch 0: from now on
  std::vector<Condition> conditions = {};
  std::vector<Operation> then = {};
  std::vector<Operation> otherwise = {};
  // Of a watch.
  std::string key = {};
  bool is_prefix = false;
  bool tells_previous = false;
  bool skips_puts = false;
};

Request parse(const Command& words);

}  // namespace holdfast::etcd
