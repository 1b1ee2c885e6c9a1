// zk-recipe: WriteLock of ZooKeeper's own recipes: a queue of ephemeral sequential nodes, in which each
// client watches the one before its own.
#include "algorithms/claims.hpp"
#include "algorithms/zookeeper_sessions.hpp"
#include "sim/core/counts.hpp"

namespace holdfast::algorithms {
namespace {

class ZkRecipe final : public LockOnZooKeeper {
 public:
  explicit ZkRecipe(const Params& params)
      : LockOnZooKeeper({.timeout = params.duration("ttl"),
                         .is_kept = params.choice("session") == "kept",
                         .pings_again = params.choice("pings") == "several"}),
        waits_(params.choice("blocking") == "yes"),
        is_class_(params.choice("form") == "class") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const Reply opened = co_await open(env);
    if (is_failure(opened)) co_return Attempt::failed("connect: " + error_of(opened));
    Background alive;
    if (!kept().alive.is_running()) alive = client(env);
    if (is_kept() && alive.is_running()) kept().alive = std::move(alive);
    const std::string session = kept().session;
    Attempt attempt = co_await lock(env, key, session);
    if (attempt.is_granted() && !is_kept()) kept().alive = std::move(alive);
    const bool is_over = attempt.kind() == Attempt::Kind::failed || !is_kept();
    if (attempt.is_granted() || !is_over) co_return attempt;
    alive = Background();
    co_await close(env);
    co_return attempt;
  }

  // unlock() sends it once, and forgets the node whatever comes of it. Without one it returns false.
  Task<Release> release(Env& env, std::string, Grant grant) const override {
    const std::string node = std::exchange(kept().node, std::string());
    if (node.empty()) co_return Release::not_held;
    const Reply removed = co_await in(env, grant.token).remove(node);
    const bool is_done = !is_failure(removed) || is_error_of(removed, "NoNode");
    if (!is_kept() || !is_done) co_await close(env);
    co_return is_done ? Release::released : Release::unknown;
  }

 private:
  // ensurePathExists(): what comes of it is written to the log.
  Task<> ensure(Env& env, std::string key, std::string session) const {
    const Reply there = co_await in(env, session).exists(key);
    if (is_failure(there) || there.is(1)) co_return;
    co_await in(env, session).create(key);
  }

  // Whether a node of the session is there, whose number in the queue is not known; or why nobody knows.
  Task<Reply> find(Env& env, std::string key, std::string session) const {
    const Reply names = co_await in(env, session).children(key);
    if (is_failure(names)) co_return names;
    const std::string found = child_with(names, key, prefix_of(session));
    if (found.empty()) co_return Reply::integer(0);
    // As printed, what is found is its name without the directory, which is never equal to the first of the
    // queue, and which unlock() cannot delete.
    if (is_class_) co_return Reply::error("lock() found its node, and never owns it");
    const Reply czxid = co_await in(env, session).czxid_of(found);
    if (is_failure(czxid) || czxid.is(0)) co_return czxid;
    kept().node = found;
    kept().czxid = czxid.number();
    co_return Reply::integer(1);
  }

  // The documentation says to look for a node only where the answer to its creation was lost.
  Task<Reply> enter(Env& env, std::string key, std::string session, bool is_again) const {
    if (is_class_ || is_again) {
      const Reply found = co_await find(env, key, session);
      if (!found.is(0)) co_return found;
    }
    const Reply answer =
        co_await in(env, session).create_ephemeral_sequential(key + "/" + prefix_of(session));
    const Reply made = created_by(answer);
    if (is_error_of(made, "NoNode") && !is_class_) {
      co_await in(env, session).create(key);
      const Reply repeated =
          co_await in(env, session).create_ephemeral_sequential(key + "/" + prefix_of(session));
      if (!is_failure(created_by(repeated))) note(repeated);
      co_return created_by(repeated);
    }
    if (!is_failure(made)) note(made);
    co_return made;
  }
  // Who else is in the queue.
  Task<Reply> look(Env& env, std::string key, std::string session, bool is_again) const {
    if (kept().node.empty()) {
      const Reply entered = co_await enter(env, key, session, is_again);
      if (is_failure(entered)) co_return entered;
    }
    const Reply names = co_await in(env, session).children(key);
    co_return names;
  }
  void note(const Reply& made) const {
    kept().node = made.elements()[0].text();
    kept().czxid = made.elements()[1].number();
  }
  static std::string prefix_of(const std::string& session) { return "x-" + session + "-"; }

  // retryOperation(): after a lost connection again, ten times in all.
  Task<Attempt> lock(Env& env, std::string key, std::string session) const {
    if (is_class_) co_await ensure(env, key, session);
    for (std::uint32_t losses = 0;;) {
      env.loop_head(Args(session, losses));
      const Reply names = co_await look(env, key, session, losses > 0);
      if (names.is_error()) co_return Attempt::failed("lock: " + names.text());
      if (names.is_lost()) {
        if (++losses == tries) co_return Attempt::failed("lock: timeout");
        co_await env.clock.sleep((losses - 1) * retry_delay);
        continue;
      }
      const QueuePlace place = place_in_queue(names, key, kept().node);
      if (place.is_in && place.before.empty()) co_return granted(session);
      if (!waits_) {
        // Who closes its client leaves the queue.
        if (!is_kept()) co_return Attempt::refused("lock() returned false");
        const std::string node = std::exchange(kept().node, std::string());
        if (node.empty()) co_return Attempt::refused("lock() returned false");
        const Reply left = co_await in(env, session).remove(node);
        if (left.is_lost()) co_return Attempt::failed("unlock: timeout");
        co_return Attempt::refused("lock() returned false");
      }
      if (!place.is_in) co_return Attempt::failed("lock: the own node is gone");
      ZooKeeperWatch watch(env.store());
      const Reply there = co_await watch.exists(session, place.before);
      if (there.is_error()) co_return Attempt::failed("lock: " + there.text());
      // As printed, one that has gone meanwhile is waited for all the same, and nothing comes.
      if (there.is_lost() || (there.is(0) && !is_class_)) continue;
      if (there.is(0)) co_await watch.next();
      else co_await watch.next(silence());
    }
  }

  static constexpr std::uint32_t tries = 10;
  static constexpr Duration retry_delay = 500ms;
  bool waits_;
  bool is_class_;
};

constexpr std::string_view lesson =
    "The queue that all others copy. Each client creates an ephemeral node whose name ends in a number that "
    "the server counts; the smallest has the lock, and each of the others watches the one before its own, so "
    "a release wakes one client and nobody is overtaken. A client that dies leaves the queue when its "
    "session "
    "ends. A restart or a new leader begins sessions anew, and no clock that can be set is read. A holder "
    "that "
    "is paused or cut off goes on when its session is over, as with every lease; the czxid of its node is a "
    "fencing token, and the number in its name is none, for it begins anew with a new directory. The session "
    "in the name is there for the answer that is lost: a client that does not know whether it has created a "
    "node looks for it. The class that ZooKeeper ships makes two mistakes which the documentation does not: "
    "what it finds so it never recognises as its own, and where the node before its own goes between two "
    "requests it waits for an event that has been.";

constexpr Protocol protocol{
    .acquire =
        "CONNECT; CREATE of an ephemeral sequential node; CHILDREN; EXISTS with a watch of the next "
        "smaller one, and CHILDREN again; the class: first EXISTS of the directory and CHILDREN",
    .renew = "every third of the timeout PING; every request does",
    .release = "DELETE of the own node; then CLOSE of the session",
};

}  // namespace

Card zk_recipe() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  // The session begins anew four seconds after the last time, at the latest (an answer, two seconds, a
  // request), and lasts for six. A pause and a cut keep its requests away for longer, and so does a request
  // that is late or lost: silence is noticed after four seconds and a moment, and the next request may take
  // one; upstream one more is under way by then (parameter pings). An answer that is late or lost does not:
  // the server had the request. No clock that can be set is read, and a restart or a new leader begins the
  // session anew. Zxids grow with each node, whatever happens.
  const FaultSet in_time = every_fault_but({pause, late_request, partition, lost_request, session_lost});
  return Card{
      .id = "zk-recipe",
      .summary =
          "ZooKeeper's own WriteLock: a queue of ephemeral sequential nodes; each watches the one before",
      .source =
          "apache/zookeeper 53a78e3, recipes/lock: WriteLock.java, ProtocolSupport.java, ZNodeName.java",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write}, in_time},
                 {{fenced_writes, fence_order, owner_only_release, owner_only_change, recovery, progress},
                  every_fault}},
      .bugs = {},
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply,
                  Belief::notified},
      .parameters = {{"ttl", Kind::duration, "6s", "the timeout of the session"},
                     {"blocking",
                      Kind::choice,
                      "yes",
                      "yes: until lockAcquired() is called; no: lock(), and unlock() if that was false",
                      {"yes", "no"}},
                     {"session",
                      Kind::choice,
                      "each",
                      "each: a client of ZooKeeper for each lock, closed after it; kept: one for all of them",
                      {"each", "kept"}},
                     {"form",
                      Kind::choice,
                      "documented",
                      "documented: as the documentation has it (Recipes, Locks); class: WriteLock as it is",
                      {"documented", "class"}},
                     parameter_of_pings("one")},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<ZkRecipe>(params);
      },
      .counters = {counter_of_zookeeper, "%"},
      .store = StoreKind::zookeeper,
      .stands_for_store = Tenure::lease,
      .renews = true,
      .is_compared_by_name = true,
      .waiting = {{"blocking", "yes"}},
      .keys = {"queue:NAME/"},
  };
}

}  // namespace holdfast::algorithms
