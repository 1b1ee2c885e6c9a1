// kazoo: the Lock of Python's kazoo: the queue of nodes, with the prefix of the lock object in each name.
#include "algorithms/claims.hpp"
#include "algorithms/zookeeper_sessions.hpp"
#include "sim/core/counts.hpp"

namespace holdfast::algorithms {
namespace {

class Kazoo final : public LockOnZooKeeper {
 public:
  explicit Kazoo(const Params& params)
      : LockOnZooKeeper({.timeout = params.duration("ttl"),
                         .is_kept = params.choice("session") == "kept",
                         .heeds_silence = params.choice("suspended") == "heeded",
                         .begins_anew = true}),
        waits_(params.choice("blocking") == "yes") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    // is_acquired, which only release() takes back.
    while (kept().count > 0) {
      env.loop_head();
      if (!waits_) co_return Attempt::refused("acquire() returned False");
      co_await env.clock.sleep(between_tries);
    }
    const Reply opened = co_await open(env);
    if (is_failure(opened)) co_return Attempt::failed("start: " + error_of(opened));
    Background alive;
    if (!kept().alive.is_running()) alive = client(env);
    if (is_kept() && alive.is_running()) kept().alive = std::move(alive);
    if (kept().object.mark.empty()) kept().object.mark = env.random.token();
    const bool is_gotten = co_await insist(env, key);
    if (is_gotten) {
      if (!is_kept()) kept().alive = std::move(alive);
      kept().count = 1;
      co_return granted(kept().session);
    }
    if (is_kept()) co_await clean_up(env);
    if (is_kept()) co_return Attempt::refused("acquire() returned False");
    alive = Background();
    co_await close(env);
    co_return Attempt::refused("acquire() returned False");
  }

  // _inner_release(): False of what is not acquired; True, also if there was nothing to delete. It is sent
  // once, and where no answer comes the lock object still takes itself for acquired.
  Task<Release> release(Env& env, std::string, Grant) const override {
    if (kept().count == 0 || kept().node.empty()) co_return Release::not_held;
    const Reply removed = co_await in(env, kept().session).remove(kept().node);
    const bool is_done = !is_failure(removed) || is_error_of(removed, "NoNode");
    if (is_done) {
      kept().count = 0;
      kept().node.clear();
    }
    if (!is_kept()) {
      kept().count = 0;
      co_await close(env);
    }
    co_return is_done ? Release::released : Release::unknown;
  }

 private:
  // KazooRetry(max_tries=None) around _inner_acquire(): a lost connection, a session that has ended and a
  // node that is gone begin it again. It waits a tenth of a second, then twice as long each time; here, a
  // second.
  Task<bool> insist(Env& env, std::string key) const {
    for (;;) {
      env.loop_head(Args(kept().object.mark));
      Reply gotten = co_await inner_acquire(env, key);
      if (!is_failure(gotten)) co_return gotten.is(1);
      co_await env.clock.sleep(between_tries);
    }
  }

  // 1 or 0; an error, or lost: again.
  Task<Reply> inner_acquire(Env& env, std::string key) const {
    const std::string prefix = key + "/" + kept().object.mark + "__lock__";
    kept().node.clear();
    if (kept().object.has_tried) {
      const Reply found = co_await find(env, key);
      if (is_failure(found)) co_return found;
    }
    kept().object.has_tried = true;
    if (kept().node.empty()) {
      const Reply answer = co_await in(env, kept().session).create_ephemeral_sequential(prefix);
      const Reply made = created_by(answer);
      // ensure_path() asks before, once for each lock object; the answer changes nothing where it is there.
      if (is_error_of(made, "NoNode")) co_await in(env, kept().session).create(key);
      if (is_failure(made)) co_return made;
      kept().node = made.elements()[0].text();
      kept().czxid = made.elements()[1].number();
    }
    for (;;) {
      env.loop_head(Args(kept().object.mark));
      const Reply names = co_await in(env, kept().session).children(key);
      if (is_failure(names)) co_return names;
      const QueuePlace place = place_in_queue(names, key, kept().node);
      if (!place.is_in) co_return Reply::error("ForceRetryError");
      if (place.before.empty()) co_return Reply::integer(1);
      if (!waits_) co_return Reply::integer(0);
      ZooKeeperWatch watch(env.store());
      const Reply got = co_await watch.get(kept().session, place.before);
      if (is_failure(got) && !is_error_of(got, "NoNode")) co_return got;
      if (!is_failure(got)) co_await watch.next(silence());
    }
  }
  // _find_node(): by the prefix of the object, whichever session has made it.
  Task<Reply> find(Env& env, std::string key) const {
    const Reply names = co_await in(env, kept().session).children(key);
    if (is_failure(names)) co_return names;
    const std::string found = child_with(names, key, kept().object.mark + "__lock__");
    if (found.empty()) co_return Reply::ok();
    const Reply czxid = co_await in(env, kept().session).czxid_of(found);
    if (is_failure(czxid) || czxid.is(0)) co_return czxid;
    kept().node = found;
    kept().czxid = czxid.number();
    co_return Reply::ok();
  }
  // _best_effort_cleanup(): once, and what comes of it is dropped.
  Task<> clean_up(Env& env) const {
    const std::string node = std::exchange(kept().node, std::string());
    if (!node.empty()) co_await in(env, kept().session).remove(node);
  }

  static constexpr Duration between_tries = 1s;
  bool waits_;
};

constexpr std::string_view lesson =
    "The queue of ZooKeeper's recipe in Python. The prefix of a node belongs to the lock object: after a "
    "lost "
    "answer it looks for a node with that prefix, in whatever session it is now. All errors of the "
    "connection "
    "are tried again without end, so acquire() fails by nothing but its own time. `is_acquired` is set by "
    "acquire() and taken back by release() alone: after SUSPENDED, and after LOST, when the node is gone and "
    "somebody else works, it is still True, and release() returns True. Only a listener learns what has "
    "happened, and LOST comes from the server alone: a client that is cut off is not told before it is "
    "connected again. The czxid of the node is a fencing token, which kazoo does not hand out.";

constexpr Protocol protocol{
    .acquire =
        "CONNECT once; CREATE of an ephemeral sequential node, when it was tried before CHILDREN first; "
        "CHILDREN; GET with a watch of the node before the own one, and CHILDREN again",
    .renew = "every third of the timeout PING; after silence RECONNECT; after the end of a session a new one",
    .release = "DELETE of the own node; then CLOSE of the session",
};

std::vector<KnownBug> known_bugs() {
  return {{.what = "is_acquired is True after LOST, and so is what release() returns",
           .lesson = "kazoo-releases-a-lock-that-it-has-lost",
           .repair = "who-unlocks-in-the-session-of-its-node-is-told-that-it-has-ended"}};
}

}  // namespace

Card kazoo() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  // As of zk-recipe: the session begins anew four seconds after the last time, at the latest, and lasts for
  // six; a request that is late or lost is noticed too late for the next one.
  const FaultSet in_time = every_fault_but({pause, late_request, partition, lost_request, session_lost});
  return Card{
      .id = "kazoo",
      .summary =
          "Python's kazoo Lock: the queue of ZooKeeper's recipe, with the lock object's prefix in each name",
      .source = "python-zk/kazoo 4476a3b: kazoo/recipe/lock.py, kazoo/retry.py, kazoo/protocol/connection.py",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write}, in_time},
                 {{owner_only_release, owner_only_change}, every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply,
                  Belief::notified},
      .parameters = {{"ttl", Kind::duration, "10s", "the timeout of the session"},
                     {"blocking", Kind::choice, "yes", "of acquire()", {"yes", "no"}},
                     {"session",
                      Kind::choice,
                      "each",
                      "each: a KazooClient for each lock, stopped after it; kept: one for all of them",
                      {"each", "kept"}},
                     {"suspended",
                      Kind::choice,
                      "ignored",
                      "whether a holder that is notified stops at SUSPENDED; ignored: at LOST",
                      {"ignored", "heeded"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<Kazoo>(params); },
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
