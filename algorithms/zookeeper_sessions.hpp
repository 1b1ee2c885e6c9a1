// Sessions that the locks on a ZooKeeper keep alive beside everything else, as its clients do, and the queue
// that the children of a node are.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "algorithms/replies.hpp"
#include "sim/core/any_of.hpp"
#include "sim/core/lock.hpp"
#include "sim/core/zookeeper.hpp"

namespace holdfast::algorithms {

// Of the lock object.
struct ZooKeeperObject {
  std::string mark;        // or of the grant
  bool has_tried = false;  // to create the node
};

struct ZooKeeperKept {
  std::string session;          // empty: there is none, or its end is known
  std::int64_t granted_ms = 0;  // its timeout, which the server may have cut
  std::string node;             // the own one, with its path
  std::int64_t czxid = 0;       // its own
  std::uint32_t count = 0;      // how often the lock is held
  ZooKeeperObject object;
  Background alive;
  std::map<std::string, Background> deleting;  // by path
};

// Where a node stands among the children of its parent.
struct QueuePlace {
  bool is_in = false;
  std::string before;  // the nearest that is smaller; empty: it is the first
};

// The answer to CREATE, its path and czxid; any other is none that ZooKeeper gives.
inline Reply created_by(const Reply& answer) {
  const bool is_known = is_failure(answer) || answer.elements().size() == 2;
  return is_known ? answer : Reply::error("MarshallingError");
}

inline std::string_view sequence_of(std::string_view name) {
  constexpr std::size_t digits = 10;
  return name.substr(name.size() - std::min(digits, name.size()));
}
// REQUIRES: `children` are those of `parent`.
inline QueuePlace place_in_queue(const Reply& children, const std::string& parent, const std::string& path) {
  QueuePlace place;
  const std::string_view own = sequence_of(path);
  std::string_view nearest;
  for (const Reply& child : children.elements()) {
    const std::string_view sequence = sequence_of(child.text());
    place.is_in |= parent + "/" + child.text() == path;
    if (sequence < own && (place.before.empty() || sequence > nearest)) {
      place.before = parent + "/" + child.text();
      nearest = sequence;
    }
  }
  return place;
}
// The path of the first child whose name has this in it; empty: none.
inline std::string child_with(const Reply& children, const std::string& parent, std::string_view part) {
  for (const Reply& child : children.elements())
    if (child.text().find(part) != std::string::npos) return parent + "/" + child.text();
  return {};
}

class LockOnZooKeeper : public LockThatKeeps<ZooKeeperKept> {
 protected:
  struct Client {
    Duration timeout{};          // of its session
    bool is_kept = false;        // beyond the lock
    bool heeds_silence = false;  // the holder stops when the connection is lost
    bool begins_anew = false;    // when the session has ended
    bool gives_up = false;       // a session, by its own clock, a timeout after the connection was lost
    bool pings_again = false;    // before it knows whether a ping was answered
  };
  explicit LockOnZooKeeper(const Client& client) : client_(client) {}

  // What the server has granted (ClientCnxn, negotiatedSessionTimeout).
  Duration timeout() const {
    return kept().granted_ms > 0 ? std::chrono::milliseconds(kept().granted_ms) : client_.timeout;
  }
  bool is_kept() const { return client_.is_kept; }
  static ZooKeeper in(Env& env, const std::string& session) { return ZooKeeper(env.store(), session); }

  // A session, unless one is kept.
  Task<Reply> open(Env& env) const {
    if (!is_kept()) forget();
    if (!kept().session.empty()) co_return Reply::ok();
    const std::string session = env.random.token();
    const Reply connected = co_await in(env, session).connect(client_.timeout);
    if (!is_failure(connected)) note_session(session, connected);
    co_return connected;
  }
  // The caller keeps it for as long as the client of ZooKeeper lives: with kept(), beyond its call. A call
  // that is given up takes it along.
  Background client(Env& env) const { return Background(env, *this, &LockOnZooKeeper::renew); }
  void forget() const {
    kept().session.clear();
    kept().granted_ms = 0;
    kept().node.clear();
    kept().object.has_tried = false;
    kept().alive = Background();
    kept().deleting.clear();
  }
  // The handle is closed, which removes all that is left.
  Task<Reply> close(Env& env) const {
    const std::string session = kept().session;
    forget();
    if (session.empty()) co_return Reply::ok();
    const Reply closed = co_await in(env, session).close();
    co_return closed;
  }
  // Of two thirds of the session's timeout without a word. Who waits for a watch is woken then, because the
  // client is disconnected, and told by the next connection what it has missed; here it looks again after so
  // long, also if only that one event was lost.
  Duration silence() const { return timeout() * 2 / 3 + 1ms; }
  Attempt granted(std::string session) const {
    Grant grant(std::move(session));
    grant.lease = timeout();
    grant.fence = static_cast<std::uint64_t>(kept().czxid);
    return Attempt(grant);
  }

 private:
  // zookeeper-server, ClientCnxn.SendThread: pings when nothing was sent for half of the time after which
  // silence is a lost connection; that is two thirds of the session's timeout. It counts from what was sent
  // last (a second less, if that is longer ago), whether or not it was answered, so several may be under way;
  // here a second one, half as long after the first. kazoo has one, and breaks the connection where that is
  // not answered when the next is due (connection.py, ping_outstanding). Upstream, every answer counts as a
  // sign of life, and so does every request at the server.
  Task<> renew(Env& env) const {
    for (;;) {
      env.loop_head();
      const std::string session = kept().session;
      co_await env.clock.sleep(timeout() / 3);
      AnyOf<Reply> under_way;
      under_way.begin(1, ping(env, session, answered_within()));
      if (client_.pings_again) under_way.begin(pause_ends, pause(env, timeout() / 6));
      Reply pinged = Reply::lost();
      while (pinged.is_lost() && !under_way.is_empty()) {
        const auto ended = co_await under_way.next();
        if (ended.id != pause_ends) pinged = ended.result;
        else under_way.begin(2, ping(env, session, answered_within() - timeout() / 6));
      }
      under_way.drop_all();
      if (kept().session != session) continue;
      if (!is_failure(pinged)) {
        env.renewed(session, timeout());
        continue;
      }
      if (pinged.is_lost()) {
        const bool goes_on = co_await find_again(env, session);
        if (goes_on) continue;
      }
      env.lost(session);
      if (!client_.begins_anew) {
        kept().session.clear();
        co_return;
      }
      co_await begin_anew(env);
    }
  }

  static Task<Reply> ping(Env& env, std::string session, Duration at_most) {
    const Reply pinged = co_await in(env, session).ping().within(at_most);
    co_return pinged;
  }
  static Task<Reply> pause(Env& env, Duration length) {
    co_await env.clock.sleep(length);
    co_return Reply::nil();
  }

  // Whether the session goes on. Upstream waits up to a second before it connects again: left out.
  Task<bool> find_again(Env& env, std::string session) const {
    if (client_.heeds_silence) env.lost(session);
    if (client_.gives_up) {
      const bool is_found = co_await find_in_time(env, session);
      co_return is_found;
    }
    for (;;) {
      env.loop_head(Args(session));
      const Reply again = co_await in(env, session).reconnect().within(answered_within());
      if (again.is(0)) co_return false;
      if (!is_failure(again)) co_return true;
    }
  }
  Task<bool> find_in_time(Env& env, std::string session) const {
    const Stopwatch suspended(env.clock);
    while (suspended.elapsed() < timeout()) {
      const Reply again = co_await in(env, session).reconnect().within(answered_within());
      if (again.is(0)) co_return false;
      if (!is_failure(again)) co_return true;
    }
    co_return false;
  }

  Task<> begin_anew(Env& env) const {
    const std::string session = env.random.token();
    for (;;) {
      env.loop_head(Args(session));
      const Reply connected =
          co_await in(env, session).connect(client_.timeout).within(answered_within());
      if (is_failure(connected)) continue;
      note_session(session, connected);
      co_return;
    }
  }
  void note_session(const std::string& session, const Reply& connected) const {
    kept().session = session;
    kept().granted_ms = connected.number();
  }

  // A third of the session's timeout; an answer that nothing delays has come by then.
  Duration answered_within() const { return timeout() / 3 + 1ms; }

  static constexpr std::uint32_t pause_ends = 0;
  Client client_;
};

inline Parameter parameter_of_pings(std::string_view default_value) {
  return {"pings",
          Parameter::Kind::choice,
          default_value,
          "how many may be under way: several, as in ZooKeeper's client; one: the next when none is, which "
          "has fewer states, and loses the session by one request that is lost",
          {"several", "one"}};
}

}  // namespace holdfast::algorithms
