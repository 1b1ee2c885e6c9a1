// One ZooKeeper, as a value: its nodes, sessions, and who watches. request.hpp has what it can be asked for.
// Its members are one here: what they agree on has been agreed on when it is answered. A real member may
// answer a read with what was true a moment ago, but never with less than what this client has seen: as if
// the answer came late, which it may here, too.
//
// ZooKeeper 3.8, Programmer's Guide: The ZooKeeper Data Model; ZooKeeper Sessions; ZooKeeper Watches. What is
// modelled:
// - Nodes that persist, and ephemeral ones, which go with their session, all at once. A sequential one has
//   the number of children that its parent has ever had at the end of its name, in ten digits. czxid: which
//   write created it.
// - A session's timeout is cut to 2 to 20 ticks. Every request of a session begins it anew. It is counted by
//   a steady clock, and its end rounded up to a tick: it comes at the end or up to a tick later, and never
//   before. Half a tick is the step in which it may be late.
// - Who asks over another connection goes on with the same session, if it has not ended. A client learns that
//   it has from the server alone: its requests are errors.
// - A restart and a new leader begin all sessions anew and in full (server/SessionTrackerImpl).
// - A watch tells of one event. It is sent before the answer to whatever is asked after that event. A client
//   that reconnects sets its watches again and is told what it has missed (SetWatches), so they go on here.
// Not modelled: data that changes, versions, access lists, multi, containers and nodes with a ttl, sequences
// beyond 31 bits (they become negative), reads of a member that lags, a leader that was replaced and does not
// know it yet.
//
// A reply: a session's timeout in milliseconds, of RECONNECT 0 if it has ended; OK; of CREATE the path and
// the czxid; of EXISTS 1, or the czxid, or 0; the data; the names of children, the oldest first, where a real
// one has no order. A message of a watch: what happened ("NodeDeleted") and the path; or "SessionExpired".
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
#include "sim/stores/zookeeper/request.hpp"

namespace holdfast::zookeeper {

struct Node {
  std::string data;
  std::string owner;         // the session whose end removes it; empty: it persists
  std::int64_t created = 0;  // czxid
  std::int64_t ever = 0;     // so many children were created in it
};

struct Session {
  Duration timeout{};
  WallTime due{};           // it is over
  Duration late{};          // … which is found so much later
  std::int64_t number = 0;  // so many have begun before it last did
  WallTime ends() const { return due + late; }
};

struct Watch {
  enum class On : std::uint8_t { node, children };
  ConnectionId connection;
  std::string session;
  On on = On::node;
  std::string path;
  bool operator==(const Watch&) const = default;
};

class Tree {
 public:
  static constexpr Duration usual_tick = 2s;  // tickTime of conf/zoo_sample.cfg
  static constexpr int ticks_min = 2;
  static constexpr int ticks_max = 20;

  explicit Tree(Duration tick = usual_tick) : tick_(tick) {}

  // Connection 0 stands for any.
  Reply execute(ConnectionId connection, const Command& words, WallTime now, Changes& changes,
                Pushes& pushes);
  // An operator ends it. REQUIRES: it is there.
  void end_session(const std::string& id, Changes& changes, Pushes& pushes);
  // Sessions end. Of those that may end now, in their order, the n-th does so half a tick later at the
  // earliest if bit n of `late` is set. REQUIRES: there is none that was over before next_end().
  void pass(WallTime now, std::uint32_t late, Changes& changes, Pushes& pushes);
  // Whether some way to pass ends both at one instant.
  bool may_end_together(const Session& one, const Session& other) const;
  // How many values `late` may have.
  std::uint32_t ways_to_pass(WallTime now) const;
  // The last instant before that.
  std::optional<WallTime> next_end() const;
  // … of a session with a node that somebody watches.
  std::optional<WallTime> next_told_end() const;
  void end(ConnectionId connection);
  void end_all_connections() { watches_.clear(); }
  void begin_sessions_anew(WallTime now);
  // A node that persists; where `data` is a number, so many children were created in it.
  void put(const std::string& path, const std::string& data);
  // What a server has that has lived for a while. REQUIRES: it was asked for nothing.
  void begin_at(std::int64_t zxid) { zxid_ = zxid; }

  const std::map<std::string, Node, std::less<>>& nodes() const { return nodes_; }
  const std::map<std::string, Session, std::less<>>& sessions() const { return sessions_; }
  const std::vector<Watch>& watches() const { return watches_; }
  std::int64_t zxid() const { return zxid_; }
  bool has_told_counts() const { return has_told_counts_; }
  // What was asked for first that it has not; empty: nothing.
  std::string_view not_simulated() const { return not_simulated_; }

 private:
  // What happens during one call from outside.
  struct Turn {
    WallTime now;
    Changes& changes;
    Pushes& pushes;
  };

  Reply run(ConnectionId connection, const Request& request, Turn& turn);
  Reply connect(const Request& request, Turn& turn);
  Reply create(const Request& request, Turn& turn);
  Reply remove(const std::string& path, Turn& turn);
  Reply exists(ConnectionId connection, const Request& request);
  Reply children(ConnectionId connection, const Request& request);
  Reply children_of(const std::string& path);
  bool leave(ConnectionId connection, const Request& request, Watch::On on);
  void touch(const std::string& id, Turn& turn);
  void begin(Session& session, WallTime now);
  void close(const std::string& id, Change::Kind how, Turn& turn);
  void take_away(const std::string& path, Change::Kind how, Turn& turn);
  std::vector<Watch> watching(Watch::On on, std::string_view path) const;
  void fire(std::string_view event, const std::string& path, bool is_of_children, Pushes& pushes);
  // Of the node, and of the queue that it stands in.
  void note(const std::string& path, Change::Kind how, Turn& turn);
  bool has_children(std::string_view path) const;
  std::vector<std::string> in_order() const;

  Duration tick_;
  std::map<std::string, Node, std::less<>> nodes_;
  std::map<std::string, Session, std::less<>> sessions_;
  std::vector<Watch> watches_;
  std::int64_t zxid_ = 0;
  std::int64_t begun_ = 0;
  bool has_told_counts_ = false;
  std::string_view not_simulated_;
};

// As an item that changes: "session:ID".
std::string item_of_session(std::string_view id);
// What comes before the last slash; empty: the root.
std::string_view parent_of(std::string_view path);
// Nodes of one parent, in the order of their creation, as one item that has an owner for each:
// "queue:PARENT/". Empty: the node is in the root.
std::string queue_of(std::string_view path);

}  // namespace holdfast::zookeeper
