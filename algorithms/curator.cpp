// curator: InterProcessMutex of Apache Curator: the queue of nodes, with a GUID in each name and a deletion
// that is repeated until it is answered.
#include "algorithms/claims.hpp"
#include "algorithms/zookeeper_sessions.hpp"
#include "sim/core/counts.hpp"

namespace holdfast::algorithms {
namespace {

class Curator final : public LockOnZooKeeper {
 public:
  explicit Curator(const Params& params)
      : LockOnZooKeeper({.timeout = params.duration("ttl"),
                         .is_kept = params.choice("session") == "kept",
                         .heeds_silence = params.choice("suspended") == "heeded",
                         .begins_anew = true,
                         .gives_up = true,
                         .pings_again = params.choice("pings") == "several"}),
        waits_(params.choice("blocking") == "yes") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    if (kept().count > 0) {
      ++kept().count;
      co_return granted(kept().object.mark);
    }
    const Reply opened = co_await open(env);
    if (is_failure(opened)) co_return Attempt::failed("connect: " + error_of(opened));
    Background alive;
    if (!kept().alive.is_running()) alive = client(env);
    if (is_kept() && alive.is_running()) kept().alive = std::move(alive);
    const Reply locked = co_await attempt_lock(env, key);
    if (locked.is_ok()) {
      if (!is_kept()) kept().alive = std::move(alive);
      kept().count = 1;
      kept().object.mark = kept().session;
      co_return granted(kept().object.mark);
    }
    if (!is_kept()) {
      alive = Background();
      co_await close(env);
    }
    if (locked.is_nil()) co_return Attempt::refused("acquire() returned false");
    co_return Attempt::failed(error_of(locked));
  }

  // What is not deleted now is deleted beside, and forgotten here at once. Who holds nothing is told
  // "You do not own the lock".
  Task<Release> release(Env& env, std::string, Grant) const override {
    if (kept().count == 0) co_return Release::not_held;
    if (--kept().count > 0) co_return Release::released;
    const std::string node = std::exchange(kept().node, std::string());
    const Reply removed = co_await remove_for_sure(env, node);
    if (!is_kept()) co_await close(env);
    co_return is_failure(removed) ? Release::unknown : Release::released;
  }

 private:
  enum class What : std::uint8_t { children, create, remove, czxid };
  Call call(Env& env, What what, const std::string& path, Where where) const {
    ZooKeeper zookeeper = in(env, kept().session);
    switch (what) {
      case What::children: return zookeeper.children(path, where);
      case What::create: return zookeeper.create(path, where);
      case What::remove: return zookeeper.remove(path, where);
      case What::czxid: break;
    }
    return zookeeper.czxid_of(path, where);
  }
  // RetryLoop: a lost connection and a session that has ended are tried again, in whatever session there is
  // then. ExponentialBackoffRetry(1000, 3) of the documentation; its sleep is a second or several, by chance.
  static bool is_to_retry(const Reply& reply) {
    return reply.is_lost() || is_error_of(reply, "SessionExpired");
  }
  Task<Reply> ask(Env& env, What what, std::string path, Where where = Where::current()) const {
    for (std::uint32_t tried = 0;; ++tried) {
      Reply reply = co_await call(env, what, path, where);
      if (!is_to_retry(reply) || tried == retries) co_return reply;
      co_await env.clock.sleep(between_tries);
    }
  }

  // attemptLock(). OK, nil if it is refused, an error, or lost. Whose own node is gone begins again.
  Task<Reply> attempt_lock(Env& env, std::string key) const {
    for (std::uint32_t tried = 0;; ++tried) {
      env.loop_head(Args(tried));
      kept().node.clear();
      const Reply made = co_await create_protected(env, key);
      if (is_failure(made)) co_return made;
      const Reply locked = co_await lock_loop(env, key, tried);
      if (!is_error_of(locked, "NoNode") || tried == retries) co_return locked;
      co_await env.clock.sleep(between_tries);
    }
  }

  // CreateBuilderImpl and ProtectedMode: after a lost answer it looks for its GUID. What it finds of an
  // earlier session it deletes beside, and creates another.
  Task<Reply> create_protected(Env& env, std::string key) const {
    const std::string guid = env.random.token();
    const std::string path = key + "/_c_" + guid + "-lock-";
    std::string session = kept().session;
    for (std::uint32_t tried = 0;; ++tried) {
      if (tried > 0) {
        const Reply found = co_await find(env, key, guid, session);
        if (!is_error_of(found, "NoNode")) co_return found;
        session = kept().session;
      }
      Reply made = co_await in(env, kept().session).create_ephemeral_sequential(path);
      if (is_error_of(made, "NoNode")) {
        co_await ask(env, What::create, key);
        made = co_await in(env, kept().session).create_ephemeral_sequential(path);
      }
      made = created_by(made);
      if (!is_failure(made)) {
        kept().node = made.elements()[0].text();
        kept().czxid = made.elements()[1].number();
        co_return Reply::ok();
      }
      if (!is_to_retry(made) || tried == retries) co_return made;
      co_await env.clock.sleep(between_tries);
    }
  }
  // NoNode: there is none of this session.
  Task<Reply> find(Env& env, std::string key, std::string guid, std::string session) const {
    const Reply names = co_await ask(env, What::children, key);
    if (is_failure(names)) co_return names;
    const std::string found = child_with(names, key, guid);
    if (found.empty()) co_return Reply::error("NoNode");
    if (session != kept().session) {
      delete_beside(env, found);
      co_return Reply::error("NoNode");
    }
    const Reply czxid = co_await ask(env, What::czxid, found);
    if (is_failure(czxid)) co_return czxid;
    if (czxid.is(0)) co_return Reply::error("NoNode");
    kept().node = found;
    kept().czxid = czxid.number();
    co_return Reply::ok();
  }

  // internalLockLoop(): it looks at names alone, and not at whose session they are of.
  Task<Reply> lock_loop(Env& env, std::string key, std::uint32_t tried) const {
    Reply why = Reply::nil();
    for (std::uint32_t losses = 0;;) {
      env.loop_head(Args(tried, losses));
      const Reply names = co_await ask(env, What::children, key);
      why = names;
      if (is_failure(names)) break;
      const QueuePlace place = place_in_queue(names, key, kept().node);
      why = Reply::error("NoNode");
      if (!place.is_in) break;
      if (place.before.empty()) co_return Reply::ok();
      if (!waits_) {
        // Its time is over before the watch, which nobody waits for.
        const Reply got = co_await in(env, kept().session).get(place.before);
        if (is_error_of(got, "NoNode")) continue;
        why = is_failure(got) ? got : Reply::nil();
        break;
      }
      ZooKeeperWatch watch(env.store());
      const Reply got = co_await watch.get(kept().session, place.before);
      why = got;
      if (is_to_retry(got) && losses++ == retries) break;
      if (is_to_retry(got)) co_await env.clock.sleep(between_tries);
      if (!is_failure(got)) co_await watch.next(silence());
    }
    // Who closes its client at once leaves the queue.
    const std::string node = std::exchange(kept().node, std::string());
    if (is_kept()) co_await remove_for_sure(env, node);
    co_return why;
  }

  // deleteOurPath(): delete().guaranteed(). What is not there is deleted.
  Task<Reply> remove_for_sure(Env& env, std::string path) const {
    if (path.empty()) co_return Reply::ok();
    const Reply removed = co_await ask(env, What::remove, path);
    if (!is_failure(removed) || is_error_of(removed, "NoNode")) co_return Reply::ok();
    delete_beside(env, path);
    co_return removed;
  }
  void delete_beside(Env& env, const std::string& path) const {
    std::erase_if(kept().deleting, [](const auto& each) { return !each.second.is_running(); });
    kept().deleting[path] = Background(env, *this, &Curator::keep_deleting, path);
  }
  Task<> keep_deleting(Env& env, std::string path) const {
    for (;;) {
      env.loop_head();
      const Reply removed = co_await in(env, kept().session).remove(path);
      if (!is_to_retry(removed)) co_return;
      co_await env.clock.sleep(between_tries);
    }
  }

  static constexpr std::uint32_t retries = 3;
  static constexpr Duration between_tries = 1s;
  bool waits_;
};

constexpr std::string_view lesson =
    "The queue of ZooKeeper's recipe, made for connections that break. A node has a GUID in its name, so an "
    "answer that is lost is looked for; what cannot be deleted now is deleted beside until the server "
    "answers. "
    "Nobody is overtaken, no clock that can be set decides who holds the lock, and a restart or a new leader "
    "only make sessions longer. But acquire() looks at names and not at sessions: a client whose session has "
    "ended in its own eyes, and lives on at the server for a moment, finds its old node at the head of the "
    "queue and takes it for the lock, just before it goes. isAcquiredInThisProcess() stays true whatever "
    "happens to the session. A listener hears of SUSPENDED after two thirds of the timeout without a word, "
    "and "
    "of LOST a whole timeout later: who stops at LOST has worked beside the next holder for most of it, and "
    "who stops at SUSPENDED stops in time, as long as it is not paused. The czxid of the node is a fencing "
    "token; Curator does not hand it out.";

constexpr Protocol protocol{
    .acquire =
        "CONNECT once; CREATE of an ephemeral sequential node with a GUID, after a lost answer CHILDREN and "
        "EXISTS first; CHILDREN; GET with a watch of the node before the own one, and CHILDREN again",
    .renew = "every third of the timeout PING; after silence RECONNECT; a timeout after that a new session",
    .release = "DELETE of the own node, repeated beside; then CLOSE of the session",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "acquire() is granted on the node of a session that is about to end",
       .tracker = "apache/curator #1121",
       .lesson = "curator-takes-the-node-of-its-dying-session-for-the-lock",
       .repair = "a-resource-that-knows-czxids-refuses-the-node-of-a-dying-session"},
      {.what = "a holder that is cut off goes on when others have the lock, also if it stops at LOST",
       .tracker = "apache/curator #727",
       .lesson = "who-stops-at-lost-works-beside-the-next-holder-of-curator",
       .repair = "who-stops-at-suspended-stops-in-time-when-it-is-cut-off"},
  };
}

}  // namespace

Card curator() {
  using enum Fault;
  using enum Property;
  using Kind = Parameter::Kind;
  // As of zk-recipe: the session begins anew four seconds after the last time, at the latest, and lasts for
  // six; a request that is late or lost is noticed too late for the next one.
  const FaultSet in_time = every_fault_but({pause, late_request, partition, lost_request, session_lost});
  return Card{
      .id = "curator",
      .summary =
          "Apache Curator's InterProcessMutex: the queue of ZooKeeper's recipe, with a GUID in each name",
      .source =
          "apache/curator 88dee99: LockInternals.java, StandardLockInternalsDriver.java, "
          "InterProcessMutex.java, ProtectedMode.java, ConnectionStateManager.java",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{mutual_exclusion, no_stale_write}, in_time},
                 {{owner_only_release, owner_only_change}, every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply,
                  Belief::notified},
      .parameters = {{"ttl", Kind::duration, "60s", "the timeout of the session"},
                     {"blocking",
                      Kind::choice,
                      "yes",
                      "yes: acquire(), which waits; no: acquire(0, unit)",
                      {"yes", "no"}},
                     {"session",
                      Kind::choice,
                      "each",
                      "each: a CuratorFramework for each lock, closed after it; kept: one for all of them",
                      {"each", "kept"}},
                     {"suspended",
                      Kind::choice,
                      "ignored",
                      "whether a holder that is notified stops at SUSPENDED; ignored: at LOST",
                      {"ignored", "heeded"}},
                     parameter_of_pings("one")},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<Curator>(params); },
      .counters = {counter_of_zookeeper, "%"},
      .store = StoreKind::zookeeper,
      .stands_for_store = Tenure::lease,
      .renews = true,
      .is_compared_by_name = true,
      .is_reentrant = true,
      .waiting = {{"blocking", "yes"}},
      .keys = {"queue:NAME/"},
  };
}

}  // namespace holdfast::algorithms
