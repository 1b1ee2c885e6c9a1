// etcd-mutex: concurrency.Mutex of etcd's Go client: who created its key first, with the lease of a session,
// has the lock; the others wait for the one before them.
#include "algorithms/claims.hpp"
#include "algorithms/etcd_sessions.hpp"
#include "sim/core/counts.hpp"

namespace holdfast::algorithms {
namespace {

class EtcdMutex final : public LockWithSessions {
 public:
  explicit EtcdMutex(const Params& params)
      : LockWithSessions(params),
        waits_(params.choice("blocking") == "yes"),
        is_kept_(params.choice("session") == "kept"),
        compares_(params.choice("unlock") == "compare") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    // Session.Done(): who finds it closed calls NewSession() again.
    if (const auto it = kept().sessions.find(kept().lease);
        it != kept().sessions.end() && !it->second.is_running()) {
      kept().sessions.erase(it);
      kept().lease.clear();
    }
    std::string lease = kept().lease;
    Background alive;
    if (lease.empty()) {
      lease = env.random.token();
      const Reply granted = co_await Etcd(env.store()).grant(lease, ttl());
      if (is_failure(granted)) co_return Attempt::failed("NewSession: " + error_of(granted));
      if (is_kept_) {
        kept().lease = lease;
        kept().sessions[lease] = session(env, lease);
      } else {
        alive = session(env, lease);
      }
    }
    Attempt attempt = co_await lock(env, key, lease);
    if (attempt.is_granted() && !is_kept_) kept().sessions[lease] = std::move(alive);
    if (attempt.is_granted() || is_kept_) co_return attempt;
    alive.stop();
    co_await Etcd(env.store()).revoke(lease);
    co_return attempt;
  }

  // Unlock() looks at no count; Close() revokes the lease.
  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    const std::string own = key + "/" + grant.token;
    const auto created = static_cast<std::int64_t>(grant.fence.value_or(0));
    Release release = Release::unknown;
    if (compares_) {
      const EtcdTxn give = EtcdTxn().if_created(own, created).then().remove(own);
      const Reply given = co_await Etcd(env.store()).transact(give);
      if (!is_failure(given)) release = is_met(given) ? Release::released : Release::not_held;
    } else {
      const Reply removed = co_await Etcd(env.store()).remove(own);
      release = silent_release_by(removed);
    }
    if (is_kept_) co_return release;
    kept().sessions.erase(grant.token);
    co_await Etcd(env.store()).revoke(grant.token);
    co_return release;
  }

 private:
  static EtcdGet first_of(const std::string& key) {
    return EtcdGet(key + "/").prefix().first().tell("create");
  }

  Task<Attempt> lock(Env& env, std::string key, std::string lease) const {
    const std::string own = key + "/" + lease;
    const EtcdTxn enter = EtcdTxn()
                              .if_absent(own)
                              .then()
                              .put(own, "", lease)
                              .revision()
                              .get(first_of(key))
                              .otherwise()
                              .get(EtcdGet(own).tell("create"))
                              .get(first_of(key));
    const Reply entered = co_await Etcd(env.store()).transact(enter);
    if (is_failure(entered)) co_return Attempt::failed("Txn: " + error_of(entered));
    const std::vector<Reply>& told = entered.elements();
    const bool is_new = is_met(entered);
    const std::int64_t created = is_new ? told[2].number() : number_in(told[1]);
    const std::int64_t first = number_in(told[is_new ? 3 : 2]);
    if (first == created) co_return granted(lease, created);
    if (!waits_) {
      const Reply left = co_await Etcd(env.store()).remove(own);
      if (is_failure(left)) co_return Attempt::failed("TryLock: " + error_of(left));
      co_return Attempt::refused("mutex: Locked by another session");
    }
    std::string why = co_await wait_deletes(env, key, lease, created);
    if (why.empty()) {
      const Reply there = co_await Etcd(env.store()).get(EtcdGet(own));
      if (there.is(1)) co_return granted(lease, created);
      if (there.is(0)) co_return Attempt::failed("mutex: session is expired");
      why = "Lock: " + error_of(there);
    }
    // A client that waited in vain leaves the queue: Unlock(client.Ctx()).
    co_await Etcd(env.store()).remove(own);
    co_return Attempt::failed(why);
  }

  // Empty: there is none before the own one. A stream that breaks is opened anew by the client of etcd, from
  // the revision after the last that it was told of, and nobody learns of it (watch.go,
  // watchGRPCStream.run()); only a watch that is canceled ends, after a compaction with an error.
  Task<std::string> wait_deletes(Env& env, std::string key, std::string lease, std::int64_t created) const {
    for (;;) {
      env.loop_head(Args(lease, created));
      const EtcdTxn look =
          EtcdTxn().then().get(EtcdGet(key + "/").prefix().last().below(created).tell("key")).revision();
      EtcdWatch watch(env.store());
      const Reply looked = co_await watch.look(look);
      if (is_failure(looked)) co_return "waitDeletes: " + error_of(looked);
      const std::string before = text_in(looked.elements()[1]);
      if (before.empty()) co_return std::string();
      // Upstream watches from the revision that it looked at, at which the key was there.
      const Reply opened = co_await watch.deletes_of(before, looked.elements()[2].number() + 1);
      if (is_failure(opened)) continue;
      const Reply event = co_await watch.next();
      if (text_in(event) == "canceled") co_return "mvcc: required revision has been compacted";
    }
  }

  Attempt granted(const std::string& lease, std::int64_t created) const {
    Grant grant(lease);
    grant.lease = ttl();
    grant.fence = static_cast<std::uint64_t>(created);
    return Attempt(grant);
  }

  bool waits_;
  bool is_kept_;
  bool compares_;
};

constexpr std::string_view lesson =
    "A queue in the server. Each client creates a key of its own under the name of the lock, with the lease "
    "of its session, and the session whose key is the oldest that is left has the lock; each of the others "
    "watches the key before its own, so an unlock wakes one client, and nobody is overtaken. The lease is "
    "kept alive in the background: a client that dies leaves the queue when the lease ends. A restart or a "
    "new leader begins leases anew, and no clock that can be set is read. What breaks it is what breaks "
    "every lease: a holder that is paused or cut off goes on when its lease is over. Session.Done() comes "
    "too late to prevent that: the client counts from when the last answer arrived, looks once a second, "
    "and the server counts from when it was asked. The revision at which the key was created is a fencing "
    "token, and saves what the lock cannot. Unlock() deletes by name: sent once more, it removes the next "
    "lock of the same session.";

constexpr Protocol protocol{
    .acquire =
        "GRANT of a lease; TXN: if the own key is absent PUT it with the lease, and who is first; then a "
        "WATCH of the key before the own one, until none is left, and a GET of the own key. TryLock: DELETE "
        "instead",
    .renew =
        "every third of the lease KEEPALIVE, and again where no answer comes; 0, or no answer for a lease "
        "and a second: Session.Done()",
    .release = "DELETE of the own key, by its name; then REVOKE of the lease",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what =
           "Unlock() deletes by name: a request that comes late removes the next lock of the same session",
       .tracker = "etcd-io/etcd #22082",
       .lesson = "an-unlock-of-etcd-that-comes-late-removes-the-next-lock-of-its-session",
       .repair = "a-session-for-each-lock-of-etcd-keeps-late-unlocks-from-the-next"},
      {.what = "a holder that is cut off goes on when others have the lock, also if it listens to Done()",
       .tracker = "etcd-io/etcd #10811",
       .instead = "check etcd-mutex --fault partition --belief notified"},
  };
}

}  // namespace

Card etcd_mutex() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  // The lease is renewed four seconds after the last time, at the latest (an answer, two seconds, a request),
  // and lasts for six. A pause, a cut and messages that are late or lost (two requests, one after the other)
  // keep it from that; nothing else does: no clock that can be set is read, and a restart or a new leader
  // begins the lease anew. Numbers are revisions: they grow with each key that is created, whatever happens.
  const FaultSet in_time =
      every_fault_but({pause, late_request, late_reply, partition, lost_request, lost_reply, session_lost});
  return Card{
      .id = "etcd-mutex",
      .summary = "etcd's Go mutex: a queue of keys with leases; the first that was created holds the lock",
      .source =
          "etcd-io/etcd c34dc7e, client/v3/concurrency: mutex.go, session.go, key.go; client/v3/lease.go",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write}, in_time},
                 {{fenced_writes, fence_order, owner_only_release, owner_only_change, recovery, progress},
                  every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply,
                  Belief::notified},
      .parameters =
          {{"ttl", Kind::duration, "60s", "of the session's lease, in whole seconds, two at least"},
           {"blocking", Kind::choice, "yes", "yes: Lock(), which waits; no: TryLock()", {"yes", "no"}},
           {"session",
            Kind::choice,
            "each",
            "each: NewSession() before each lock, and Close() after it; kept: one for all of them",
            {"each", "kept"}},
           {"unlock",
            Kind::choice,
            "by-name",
            "by-name: Unlock() deletes the key of that name; compare: only if it is the one that was created",
            {"by-name", "compare"}},
           parameter_of_keep_alives("several")},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<EtcdMutex>(params);
      },
      .counters = {counter_of_etcd},
      .store = StoreKind::etcd,
      .stands_for_store = Tenure::lease,
      .renews = true,
      .is_compared_by_name = true,
      .waiting = {{"blocking", "yes"}},
      .keys = {"queue:NAME/"},
  };
}

}  // namespace holdfast::algorithms
