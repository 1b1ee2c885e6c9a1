// One etcd, as a value: keys with their revisions, leases, and who watches. request.hpp has what it can be
// asked for. Its members are one here: what they agree on has been agreed on when it is answered, and reads
// are linearizable, which is the default.
//
// etcd documentation 3.4: API reference; Data model; "KV API guarantees"; learning/api.md (Lease, Watch,
// Txn). What is modelled:
// - Each transaction that writes takes one revision; one that only reads, and a delete of nothing, take none.
// - The end of a lease, and a revocation, remove all its keys in one revision, in the order of keys. A put
//   without a lease detaches its key from the one that it had.
// - A lease lasts for whole seconds, and for two at least (one and a half election timeouts; 1 s by default).
//   Its end is looked for every half second, so keys go at its end or up to half a second later, and never
//   before. It is counted by a steady clock.
// - A keep-alive of a lease that is gone is no error: it answers 0.
// - A new leader, and a restart, begin all leases anew, each in full and an election timeout longer
//   (lease/lessor.go, Promote).
// - A watch tells everything from its revision on, in order, each revision in one message; what is older than
//   a compaction cancels it. The past is kept for those who were told a revision on their own connection.
// - A value that is emptied says that the key is given back, as a record that names nobody does.
// Not modelled: reads of the past, stale reads (serializable), a leader that was replaced and does not know
// it yet, nested transactions.
//
// A reply: OK; a lease's seconds; how many keys; rows of the columns that were asked for; of a transaction 1
// or 0 and what each operation answers. A message of a watch is an array of events: PUT or DELETE, key,
// value, what was there before (if that was asked for), revision; or "canceled" with the revision of the
// compaction.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/change.hpp"
#include "sim/core/reply.hpp"
#include "sim/core/session.hpp"
#include "sim/stores/etcd/request.hpp"

namespace holdfast::etcd {

struct Stored {
  std::string value;
  std::string lease;  // empty: none
  std::int64_t created = 0;
  std::int64_t modified = 0;
};

struct Lease {
  std::int64_t seconds = 0;
  WallTime due{};           // it is over
  bool is_late = false;     // … which is found later
  std::int64_t number = 0;  // so many have begun before it last did
  WallTime ends() const;
};

struct Happened {
  std::int64_t revision = 0;
  std::string key;
  std::optional<std::string> value;     // nullopt: deleted
  std::optional<std::string> previous;  // nullopt: there was none
};

struct Watcher {
  ConnectionId session;
  std::string key;
  bool is_prefix = false;
  bool tells_previous = false;
  bool skips_puts = false;
  std::int64_t from = 0;
};

class Keyspace {
 public:
  static constexpr std::int64_t seconds_min = 2;
  static constexpr std::int64_t seconds_max = 9'000'000'000;
  static constexpr Duration slack_max = 500ms;
  static constexpr Duration election_timeout = 1s;  // the default
  // So many events may be told to who begins to watch later: who was told a revision on the same connection.
  static constexpr std::size_t remembered_max = 24;

  // Session 0 stands for any connection.
  Reply execute(ConnectionId session, const Command& words, WallTime now, Changes& changes, Pushes& pushes);
  // An operator revokes it. REQUIRES: it is there.
  void revoke(const std::string& lease, WallTime now, Changes& changes, Pushes& pushes);
  // Leases end. Of those that are over now, in their order, the n-th ends `slack_max` later if bit n of
  // `late` is set. REQUIRES: there is none that was over before next_end().
  void pass(WallTime now, std::uint32_t late, Changes& changes, Pushes& pushes);
  // How many values `late` may have.
  std::uint32_t ways_to_pass(WallTime now) const;
  // The last instant before that.
  std::optional<WallTime> next_end() const;
  // … of a lease with a key that somebody watches.
  std::optional<WallTime> next_told_end() const;
  void end(ConnectionId session);
  void end_all_sessions();
  void begin_leases_anew(WallTime now);
  void put(const std::string& key, const std::string& value);
  // What a server has that has lived for a while. REQUIRES: it was asked for nothing.
  void begin_at(std::int64_t revision) { revision_ = forgotten_ = revision; }

  const std::map<std::string, Stored, std::less<>>& keys() const { return keys_; }
  const std::map<std::string, Lease, std::less<>>& leases() const { return leases_; }
  const std::vector<Watcher>& watchers() const { return watchers_; }
  const std::vector<Happened>& remembered() const { return remembered_; }
  // By connection, the revision from which it may begin to watch.
  const std::map<std::uint32_t, std::int64_t>& looking() const { return looking_; }
  std::int64_t revision() const { return revision_; }
  std::int64_t compacted() const { return compacted_; }
  std::int64_t forgotten() const { return forgotten_; }  // and all before it
  bool has_told_revisions() const { return has_told_revisions_; }
  // What was asked for first that it has not; empty: nothing.
  std::string_view not_simulated() const { return not_simulated_; }

 private:
  // What happens during one call from outside.
  struct Turn {
    WallTime now;
    Changes& changes;
    Pushes& pushes;
    std::vector<Happened> events = {};
  };

  Reply run(ConnectionId session, const Request& request, Turn& turn);
  void note_look(ConnectionId session, const Request& request, const Reply& reply);
  Reply grant(const Request& request, Turn& turn);
  void begin(Lease& lease, WallTime from);
  std::vector<std::string> leases_in_order() const;
  Reply keep_alive(const std::string& id, Turn& turn);
  Reply compact(std::int64_t revision, Turn& turn);
  Reply transact(const Request& request, Turn& turn);
  Reply operate(const Operation& it, Turn& turn);
  Reply get(const Operation& it);
  Reply cell(Column column, const std::string& key, const Stored& stored);
  Reply watch(ConnectionId session, const Request& request, Turn& turn);
  bool holds(const Condition& it) const;
  // nullopt: there is nothing that keeps these from being carried out.
  std::optional<Reply> error_in(const std::vector<Operation>& operations) const;
  void write(const Operation& it, Turn& turn);
  void remove(const std::string& key, Change::Kind how, Turn& turn);
  void end_lease(const std::string& id, Change::Kind how, Turn& turn);
  // Of the key, and of the queue that it stands in.
  void note(const std::string& key, Change::Kind how, Turn& turn);
  void commit(Turn& turn);
  void forget();
  void tell(const Watcher& watcher, const std::vector<Happened>& events, Pushes& pushes);

  std::map<std::string, Stored, std::less<>> keys_;
  std::map<std::string, Lease, std::less<>> leases_;
  std::vector<Watcher> watchers_;
  std::vector<Happened> remembered_;  // the oldest first
  std::map<std::uint32_t, std::int64_t> looking_;
  std::int64_t revision_ = 1;
  std::int64_t begun_ = 0;
  std::int64_t compacted_ = 0;
  std::int64_t forgotten_ = 1;
  bool has_told_revisions_ = false;
  std::string_view not_simulated_;
};

inline WallTime Lease::ends() const { return is_late ? due + Keyspace::slack_max : due; }

// As an item that changes: "lease:ID".
std::string item_of_lease(std::string_view id);
// Keys that share what comes before their last "/", in the order of their creation, as one item that has an
// owner for each: "queue:DIRECTORY/". Empty: the key is in none.
std::string queue_of(std::string_view key);

}  // namespace holdfast::etcd
