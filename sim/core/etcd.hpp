// What an algorithm may ask of an etcd, which is the store of cards with StoreKind::etcd:
// `const Reply reply = co_await Etcd(env.store()).grant(lease, 15s);`
//
// sim/stores/etcd/request.hpp has the words, keyspace.hpp what they do and answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "sim/core/store.hpp"

namespace holdfast {

// One operation, alone or in a transaction (etcd documentation, API reference: RangeRequest, PutRequest,
// DeleteRangeRequest): EtcdGet("job/").prefix().first().tell("create")
class EtcdGet {
 public:
  explicit EtcdGet(std::string_view key) : words_("GET", key) {}
  EtcdGet& prefix() { return add("PREFIX"); }
  // By the revision of their creation: the first, or the last; of those that were created before `revision`.
  EtcdGet& first() { return add("FIRST"); }
  EtcdGet& last() { return add("LAST"); }
  EtcdGet& below(std::int64_t revision) {
    add("BELOW").words_.add(revision);
    return *this;
  }
  // The columns that the client looks at: key, value, lease, create, mod.
  template <class... Columns>
  EtcdGet& tell(Columns... columns) {
    add("TELL");
    (add(columns), ...);
    return *this;
  }
  WordsView list() const { return words_.argv(); }

 private:
  EtcdGet& add(std::string_view word) {
    words_.add(word);
    return *this;
  }
  Command words_;
};

// If all conditions hold, some operations, else others; all at once (API reference: TxnRequest).
class EtcdTxn {
 public:
  EtcdTxn() : words_("TXN", "IF") {}
  EtcdTxn& if_absent(std::string_view key) { return condition("create", key, std::int64_t{0}); }
  EtcdTxn& if_created(std::string_view key, std::int64_t revision) {
    return condition("create", key, revision);
  }
  EtcdTxn& if_modified(std::string_view key, std::int64_t revision) {
    return condition("mod", key, revision);
  }
  EtcdTxn& if_value(std::string_view key, std::string_view value) { return condition("value", key, value); }
  EtcdTxn& then() { return part("THEN"); }
  EtcdTxn& otherwise() { return part("ELSE"); }
  EtcdTxn& put(std::string_view key, std::string_view value, std::string_view lease = {}) {
    operation().add("PUT").add(key).add(value);
    if (!lease.empty()) words_.add("LEASE").add(lease);
    return *this;
  }
  EtcdTxn& remove(std::string_view key) {
    operation().add("DELETE").add(key);
    return *this;
  }
  EtcdTxn& get(const EtcdGet& it) {
    operation();
    for (const std::string_view word : it.list()) words_.add(word);
    return *this;
  }
  // The header's.
  EtcdTxn& revision() {
    operation().add("REVISION");
    return *this;
  }
  const Command& words() const { return words_; }

 private:
  EtcdTxn& condition(std::string_view column, std::string_view key, const auto& with) {
    words_.add(column).add(key).add("=").add(with);
    return *this;
  }
  EtcdTxn& part(std::string_view word) {
    words_.add(word);
    is_first_ = true;
    return *this;
  }
  Command& operation() {
    if (!std::exchange(is_first_, false)) words_.add(";");
    return words_;
  }
  Command words_;
  bool is_first_ = true;
};
static_assert(SafeInAwait<EtcdGet> && SafeInAwait<EtcdTxn>);

class Etcd {
 public:
  explicit Etcd(Store& store) : store_(store) {}

  // API reference: Lease. The name of a lease is its client's, any text. What is below a second is cut off.
  Call grant(std::string_view lease, Duration ttl, Where where = Where::current()) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(ttl).count();
    return store_.send(Command("GRANT", lease, seconds), where);
  }
  // 0: it is gone, which is no error.
  Call keep_alive(std::string_view lease, Where where = Where::current()) {
    return store_.send(Command("KEEPALIVE", lease), where);
  }
  Call revoke(std::string_view lease, Where where = Where::current()) {
    return store_.send(Command("REVOKE", lease), where);
  }
  // -1: it is gone.
  Call time_to_live(std::string_view lease, Where where = Where::current()) {
    return store_.send(Command("TIMETOLIVE", lease), where);
  }
  // API reference: KV.
  Call get(const EtcdGet& it, Where where = Where::current()) {
    return store_.send(Command(it.list()), where);
  }
  // How many it deleted.
  Call remove(std::string_view key, Where where = Where::current()) {
    return store_.send(Command("DELETE", key), where);
  }
  // 1 or 0, then what each operation answers.
  Call transact(const EtcdTxn& transaction, Where where = Where::current()) {
    return store_.send(transaction.words(), where);
  }

 private:
  Store& store_;
};
static_assert(SafeInAwait<Etcd>);

// Whether a transaction found its conditions met.
inline bool is_met(const Reply& reply) { return !reply.elements().empty() && reply.elements()[0].is(1); }
// The number in a column of the first row that operation `place` of a transaction told; 0: there is none.
inline std::int64_t number_in(const Reply& rows, std::size_t column = 0) {
  return rows.elements().empty() ? 0 : rows.elements()[0].elements()[column].number();
}
inline std::string text_in(const Reply& rows, std::size_t column = 0) {
  return rows.elements().empty() ? std::string() : rows.elements()[0].elements()[column].text();
}

// A watch of one key (API reference: Watch): what happens to it comes one after the other, from a revision
// on.
class EtcdWatch final : public OwnConnection {
 public:
  using OwnConnection::OwnConnection;
  // What happens after this may be told to the same watch.
  Call look(const EtcdTxn& transaction, Where where = Where::current()) {
    return send(transaction.words(), where);
  }
  // Without a timeout, as the streams of its drivers are.
  Call deletes_of(std::string_view key, std::int64_t from, Where where = Where::current()) {
    return send_and_wait(Command("WATCH", key, "FROM", from, "NOPUT"), where);
  }
  Call next(Where where = Where::current()) { return receive(for_ever, where); }
};

}  // namespace holdfast
