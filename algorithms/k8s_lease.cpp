// k8s-lease: leader election of Kubernetes' Go client: compare-and-set on one record, and each candidate
// counts from when it saw that record change.
#include <algorithm>
#include <map>
#include <string>

#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/counts.hpp"
#include "sim/core/etcd.hpp"

namespace holdfast::algorithms {
namespace {

struct Kept {
  std::string identity;
  std::string record;        // as it was seen last
  std::int64_t version = 0;  // its resourceVersion
  SteadyTime seen{};         // when it was seen to change
  std::map<std::string, Background> renewals;
};

class K8sLease final : public LockThatKeeps<Kept> {
 public:
  explicit K8sLease(const Params& params)
      : lease_(params.duration("ttl")),
        waits_(params.choice("blocking") == "yes"),
        is_by_record_(params.choice("counts") == "record"),
        gives_back_(params.choice("release-on-cancel") == "yes") {
    const Duration fifth = lease_ / 5;
    retry_ = std::max<Duration>(1s, whole(lease_ * 2 / 15));
    const Duration deadline = params.duration("renew-deadline");
    deadline_ = deadline > Duration::zero() ? deadline : whole(fifth * 4) - retry_;
  }

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    if (kept().identity.empty()) kept().identity = env.random.identity();
    for (;;) {
      env.loop_head();
      const Reply led = co_await try_to_lead(env, key, false, deadline_);
      if (led.is(1)) break;
      if (!waits_ && led.is_lost()) co_return Attempt::failed("error retrieving resource lock");
      if (!waits_) co_return Attempt::refused("lock is held and has not yet expired");
      co_await env.clock.sleep(retry_);
    }
    const std::string me = kept().identity;
    kept().renewals[me] = Background(env, *this, &K8sLease::renew, key);
    Grant grant(me);
    grant.lease = lease_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant grant) const override {
    kept().renewals.erase(grant.token);
    // Without ReleaseOnCancel the record stays until others find that it is over. With it, it names nobody.
    if (!gives_back_) co_return Release::released;
    if (!kept().record.starts_with(grant.token + ' ')) co_return Release::not_held;
    const Reply freed = co_await write(env, key, "", deadline_);
    co_return freed.is(1) ? Release::released : freed.is_lost() ? Release::unknown : Release::not_held;
  }

 private:
  static Duration whole(Duration time) { return std::chrono::floor<std::chrono::seconds>(time); }
  // LeaseDurationSeconds is an integer.
  std::string record_of(const std::string& holder) const {
    return holder + ' ' + std::to_string(whole(lease_) / Duration(1s));
  }
  // That in the record, since kubernetes #114872; before that, one's own.
  bool is_valid(SteadyTime now) const {
    const std::string& record = kept().record;
    const Duration length =
        is_by_record_ ? std::chrono::seconds(std::stoll(record.substr(record.find(' ') + 1))) : lease_;
    return kept().seen + length > now;
  }

  // 1: written; 0: another was faster; lost: not known.
  Task<Reply> write(Env& env, std::string key, std::string record, Duration at_most) const {
    EtcdTxn update;
    if (kept().version == 0) update.if_absent(key);
    else update.if_modified(key, kept().version);
    update.then().put(key, record).revision();
    const Reply written = co_await Etcd(env.store()).transact(update).within(at_most);
    if (is_failure(written)) co_return Reply::lost();
    if (!is_met(written)) co_return Reply::integer(0);
    kept().record = record;
    kept().version = written.elements()[2].number();
    kept().seen = env.clock.steady();
    co_return Reply::integer(1);
  }

  // leaderelection.go, tryAcquireOrRenew. 1: it leads; 0: another does; lost: not known.
  Task<Reply> try_to_lead(Env& env, std::string key, bool leads, Duration at_most) const {
    const std::string me = kept().identity;
    const SteadyTime now = env.clock.steady();
    if (leads && is_valid(now)) {
      const Reply updated = co_await write(env, key, record_of(me), at_most);
      if (!updated.is(0)) co_return updated;
    }
    const Reply got = co_await Etcd(env.store()).get(EtcdGet(key).tell("value", "mod")).within(at_most);
    if (is_failure(got)) co_return Reply::lost();
    const std::string record = text_in(got);
    const std::int64_t version = number_in(got, 1);
    if (record != kept().record || version != kept().version) {
      kept().record = record;
      kept().version = version;
      kept().seen = env.clock.steady();
    }
    const bool is_mine = record.starts_with(me + ' ');
    if (!record.empty() && !is_mine && is_valid(now)) co_return Reply::integer(0);
    const Reply taken = co_await write(env, key, record_of(me), at_most);
    co_return taken;
  }

  // Every retry period; what does not succeed for the renew deadline ends it.
  Task<> renew(Env& env, std::string key) const {
    const std::string me = kept().identity;
    for (;;) {
      env.loop_head();
      co_await env.clock.sleep(retry_);
      const Stopwatch began(env.clock);
      for (;;) {
        const Duration rest = deadline_ - began.elapsed();
        if (rest <= Duration::zero()) {
          env.lost(me);
          co_return;
        }
        const Reply led = co_await try_to_lead(env, key, true, rest);
        if (led.is(1)) break;
        const Duration left = deadline_ - began.elapsed();
        co_await env.clock.sleep(std::min(left, retry_));
      }
      env.renewed(me, lease_);
    }
  }

  Duration lease_;
  Duration retry_{};
  Duration deadline_{};
  bool waits_;
  bool is_by_record_;
  bool gives_back_;
};

constexpr std::string_view lesson =
    "No lease of the server's: one record with a holder and a number of seconds, written only if it is "
    "still the version that was read. A candidate does not compare clocks. It notes when it saw the record "
    "change, by its own steady clock, and takes over when the record has not changed for as long as it "
    "says. The leader writes it anew every two seconds, and stops when it could not for ten; others wait "
    "for fifteen. So clocks that are set, a cut, a restart and a new leader of the store do no harm: who is "
    "cut off stops before others begin. What does harm is a leader that does not run: a pause longer than "
    "the rest of the fifteen seconds has two leaders, until the old one finds out. Nothing is given back "
    "unless asked for, so a leader that dies, or ends, is missed for fifteen seconds. The number in the "
    "record has whole seconds: what is below is cut off, and others wait for less than the leader thinks.";

constexpr Protocol protocol{
    .acquire =
        "GET of the record; absent: TXN that creates it; changed since it was seen: note when; seen for "
        "less than its seconds: refused; else TXN that writes it if its revision is the same",
    .renew = "every retry period a TXN as above; no success for the renew deadline: stopped",
    .release = "nothing; with ReleaseOnCancel a TXN that writes no holder and one second",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what =
           "durations are cut to whole seconds in the record: others wait for less than the leader thinks",
       .lesson = "seconds-that-are-cut-off-give-kubernetes-two-leaders",
       .repair = "whole-seconds-keep-leaders-of-kubernetes-apart"},
      {.what = "a renewal on its way makes the version old that a release compares: the record stays",
       .instead = "check k8s-lease --fault none --property release-frees"},
      {.what = "a candidate counts its own duration, not that of the record",
       .tracker = "kubernetes/kubernetes #47671",
       .instead = "a scenario in which a client has a shorter ttl, with counts=own"},
  };
}

}  // namespace

Card k8s_lease() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  // The leader stops a retry period and a renew deadline after its last answer, four fifths of the lease, and
  // an answer takes less than the fifth that is left; another counts at least the whole lease from then. So
  // only a leader that stands still goes on too long: in a pause, or in the write that follows one.
  const FaultSet while_it_runs = every_fault_but({pause});
  return Card{
      .id = "k8s-lease",
      .summary = "Kubernetes leader election: compare-and-set on a record, counted from its last change",
      .source =
          "kubernetes/client-go 32ce75a, tools/leaderelection/leaderelection.go; the API server is an "
          "etcd's transactions",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write}, while_it_runs}},
      .bugs = known_bugs(),
      .belief = Belief::notified,
      .beliefs = {Belief::notified, Belief::until_release},
      .parameters =
          {{"ttl", Kind::duration, "15s",
            "LeaseDuration; RetryPeriod is two fifteenths of it, a second at least, RenewDeadline four "
            "fifths less that: 15s, 2s and 10s"},
           {"renew-deadline", Kind::duration, "0s", "RenewDeadline; 0: as ttl says"},
           {"blocking", Kind::choice, "yes", "yes: tries every retry period; no: once", {"yes", "no"}},
           {"counts",
            Kind::choice,
            "record",
            "whose duration others wait for; own: as before kubernetes #114872",
            {"record", "own"}},
           {"release-on-cancel",
            Kind::choice,
            "yes",
            "whether the record is given back at the end; so in the library's example, its default is no",
            {"yes", "no"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<K8sLease>(params);
      },
      .ignores_date = true,
      .counters = {counter_of_etcd},
      .store = StoreKind::etcd,
      .stands_for_store = Tenure::lease,
      .renews = true,
      .is_compared_by_name = true,
      .waiting = {{"blocking", "yes"}},
      .keys = {"NAME"},
  };
}

}  // namespace holdfast::algorithms
