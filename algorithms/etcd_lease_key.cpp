// etcd-lease-key: one transaction creates the key, with a lease that is kept alive, if it is not there.
#include "algorithms/claims.hpp"
#include "algorithms/etcd_sessions.hpp"

namespace holdfast::algorithms {
namespace {

enum class Giving : std::uint8_t { removes, compares, revokes };

class EtcdLeaseKey final : public LockWithSessions {
 public:
  explicit EtcdLeaseKey(const Params& params)
      : LockWithSessions(params),
        renews_(params.choice("renewal") == "yes"),
        giving_(giving_of(params)) {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const std::string lease = env.random.token();
    const Reply granted = co_await Etcd(env.store()).grant(lease, ttl());
    if (is_failure(granted)) co_return Attempt::failed("Grant: " + error_of(granted));
    Background kept_alive;
    if (renews_) kept_alive = session(env, lease);
    const EtcdTxn take = EtcdTxn().if_absent(key).then().put(key, lease, lease);
    const Reply taken = co_await Etcd(env.store()).transact(take);
    if (is_failure(taken) || !is_met(taken)) {
      kept_alive.stop();
      // The answer tells nothing that would change anything.
      co_await Etcd(env.store()).revoke(lease);
      if (is_failure(taken)) co_return Attempt::failed("Txn: " + error_of(taken));
      co_return Attempt::refused("the key exists");
    }
    if (renews_) kept().sessions[lease] = std::move(kept_alive);
    Grant grant(lease);
    grant.lease = ttl();
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    kept().sessions.erase(grant.token);
    if (giving_ == Giving::revokes) {
      const Reply revoked = co_await Etcd(env.store()).revoke(grant.token);
      if (revoked.is_error()) co_return Release::not_held;
      co_return revoked.is_ok() ? Release::released : Release::unknown;
    }
    if (giving_ == Giving::removes) {
      const Reply removed = co_await Etcd(env.store()).remove(key);
      co_return release_by(removed);
    }
    const EtcdTxn give = EtcdTxn().if_value(key, grant.token).then().remove(key);
    const Reply given = co_await Etcd(env.store()).transact(give);
    if (is_failure(given)) co_return Release::unknown;
    co_return is_met(given) ? Release::released : Release::not_held;
  }

 private:
  static Giving giving_of(const Params& params) {
    const std::string_view choice = params.choice("release");
    if (choice == "delete") return Giving::removes;
    return choice == "compare" ? Giving::compares : Giving::revokes;
  }
  bool renews_;
  Giving giving_;
};

constexpr std::string_view lesson =
    "The lock that articles print: a lease that is kept alive, and a key that is created with it if nobody "
    "has it. It is SET NX PX with a watchdog, on a store that loses nothing when a server dies: a restart "
    "or a new leader only make leases longer, and no clock that is set counts, neither the client's nor the "
    "server's. All else is as with every lease: it ends under a holder that is paused or cut off, and what "
    "the client learns of it comes too late or is not looked at. To revoke the lease at the end removes "
    "only what hangs on it; a plain delete of the key, as it is printed just as often, removes the lock of "
    "the next one. The revision of the key would be a fencing token; this form does not use it.";

constexpr Protocol protocol{
    .acquire =
        "GRANT of a lease, then one TXN: if the key was never created, PUT with the lease; refused: REVOKE",
    .renew = "every third of the lease KEEPALIVE, which answers 0 when it is gone",
    .release = "REVOKE of the lease; or a TXN that compares the value and deletes; or a plain DELETE",
};

std::vector<KnownBug> known_bugs() {
  return {{.what = "a plain delete after the lease removes the lock of the next holder",
           .instead = "check etcd-lease-key --param release=delete --fault pause"}};
}

}  // namespace

Card etcd_lease_key() {
  using enum Fault;
  using enum Property;
  // The lease is renewed four seconds after the last time, at the latest (an answer, two seconds, a request),
  // and lasts for six. A pause, a cut and a message that is late or lost keep it from that; nothing else
  // does: no clock that can be set is read, and a restart or a new leader begins the lease anew.
  const FaultSet in_time =
      every_fault_but({pause, late_request, late_reply, partition, lost_request, lost_reply, session_lost});
  return Card{
      .id = "etcd-lease-key",
      .summary = "one etcd transaction creates a key, with a lease that is kept alive, if it is absent",
      .source =
          "etcd documentation 3.4, API reference: Txn, LeaseGrant, LeaseKeepAlive; as articles print it",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write}, in_time},
                 {{owner_only_release, owner_only_change, truthful_release, recovery, progress},
                  every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply,
                  Belief::notified},
      .parameters =
          {{"ttl", Parameter::Kind::duration, "5s", "of the lease, in whole seconds, two at least"},
           {"renewal", Parameter::Kind::choice, "yes", "whether the lease is kept alive", {"yes", "no"}},
           {"release",
            Parameter::Kind::choice,
            "revoke",
            "revoke: the lease; compare: a transaction that looks at the value; delete: the key",
            {"revoke", "compare", "delete"}},
           parameter_of_keep_alives("one")},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<EtcdLeaseKey>(params);
      },
      .store = StoreKind::etcd,
      .stands_for_store = Tenure::lease,
      .renews = true,
      .is_compared_by_name = true,
      .keys = {"NAME"},
  };
}

}  // namespace holdfast::algorithms
