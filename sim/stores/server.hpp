// One server of any kind, as a value: a request and a time go in, a reply, changes and pushes come out. It
// knows no clients and no network.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/callback.hpp"
#include "sim/core/change.hpp"
#include "sim/core/command.hpp"
#include "sim/core/reply.hpp"
#include "sim/core/session.hpp"
#include "sim/core/units.hpp"

namespace holdfast::stores {

// What the world must know of a kind of store.
struct Traits {
  bool is_remote;         // behind a network, which takes time and loses messages
  bool persists;          // a restart may keep what it has
  bool is_durable;        // … and keeps all that it has answered to
  bool replicates;        // a replica may take over
  bool elects;            // another of its members may lead, and lacks nothing
  bool has_sessions;      // clients may have connections of their own
  bool repeats_requests;  // a driver may send one twice, on the connection that all share
  bool reads_change_it;   // it remembers in which order its keys were asked for
  bool is_steady;         // it counts time that nobody sets
  bool only_orders;       // what it counts is compared, and nothing else
};

// What something did to a server, in order.
struct Effects {
  Changes changes;
  Pushes pushes;
  std::uint32_t way = 0;  // given: that in which time passes, of ways_to_pass()
};

// What a server has told or was asked so far that says how much a run is worth.
struct Told {
  bool the_time = false;         // the absolute one
  bool texts_apart = false;      // maybe otherwise than as wholes, so that their order matters
  bool texts_in_parts = false;   // maybe by single signs
  NotSimulated not_simulated;    // the first that was asked for
  bool of_transactions = false;  // when one began, that matters later
  bool counts = false;           // as numbers: else which of two is the greater is all that matters
};

// "All that I wrote, on so many replicas", and how long the answer may wait for that; zero: for ever.
struct Acknowledgement {
  std::int64_t replicas;
  Duration patience;
};

class Server {
 public:
  // The last instants at which its keys, and those who wait there, are as they are.
  struct Ends {
    std::optional<WallTime> key;
    std::optional<WallTime> wait;
  };
  // The value is a text that is equal exactly for equal values. `end` is the last instant at which the key is
  // alive, if it has one; what has ended takes room, and may live again.
  using Visitor = Callback<void(std::string_view key, std::string_view value,
                                std::optional<MilliTicks> end_ms, bool has_ended)>;
  // A session that is more than idle; since when its transaction lasts, and until when it waits. Those that
  // wait come last, in their order.
  using SessionVisitor =
      Callback<void(ConnectionId session, std::string_view state, std::optional<WallTime> since,
                    std::optional<WallTime> until, bool waits)>;
  // Part of what a key holds. `name`: of a field or a member, if it has one.
  class Lister {
   public:
    virtual void text(std::string_view text) = 0;                          // the value is this
    virtual void element(std::string_view text) = 0;                       // it has this element
    virtual void ranked(std::string_view name, std::uint64_t rank) = 0;    // … of this rank
    virtual void field(std::string_view name, std::string_view text) = 0;  // … with this text

   protected:
    ~Lister() = default;
  };

  virtual ~Server() = default;
  virtual const Traits& traits() const = 0;
  virtual std::unique_ptr<Server> clone() const = 0;

  // Carries out a request at the server's own wall time `now`. nullopt: the session has to wait, and its
  // answer will be a push. Session 0 is the one that all share; it never waits.
  virtual std::optional<Reply> execute(ConnectionId session, const Command& request, WallTime now,
                                       Effects& effects) = 0;
  // What a scenario says of its file of settings. REQUIRES: it is a Redis.
  virtual void configure(const std::string&, const std::string&) {}
  // What a scenario says that it has from the beginning.
  virtual void put(const std::string& key, const std::string& value, WallTime now);
  // What is over at `now` ends: keys, then waits.
  virtual void pass(WallTime now, Effects& effects) = 0;
  // In how many ways it may do so, where it looks at times now and then.
  virtual std::uint32_t ways_to_pass(WallTime) const { return 1; }
  virtual Ends next() const = 0;
  virtual void visit(const Visitor& visitor) const = 0;

  // --- faults ---

  // It stops and starts, and still has its data or not. All sessions end.
  virtual void restart(bool keeps_data, WallTime now) = 0;
  // How many keys there are of which it may drop any one, where there is no room.
  virtual std::uint32_t ways_to_evict() const = 0;
  // Returns which. REQUIRES: way < ways_to_evict().
  virtual std::string evict(std::uint32_t way, WallTime now, Effects& effects) = 0;

  // --- what only some have ---

  // The connection is gone. False: the session goes on until its request has been answered, by a push.
  virtual bool end(ConnectionId, WallTime, Effects&) { return true; }
  virtual void end_all_sessions() {}
  // Another of its members leads.
  virtual void take_over(WallTime) { end_all_sessions(); }
  virtual void visit_sessions(const SessionVisitor&) const {}
  // Sessions that it may end while their clients live: each has a connection, or a name.
  struct Session {
    ConnectionId connection;
    std::string name;
  };
  virtual std::vector<Session> endable() const { return {}; }
  virtual void end_session(const Session&, WallTime, Effects&) {}
  // Sessions that wait for the same, of which any one may be the next. REQUIRES: one of them goes on before
  // anything is executed.
  virtual std::vector<ConnectionId> rivals() const { return {}; }
  virtual void go_on(ConnectionId, WallTime, Effects&) {}
  virtual std::optional<Acknowledgement> asks_replicas(const Command&) const { return std::nullopt; }
  virtual Told told() const { return {}; }
  // What looked into texts that were made by chance, in words; empty: nothing.
  virtual std::string looked() const { return {}; }
  // What it knows beside its keys: equal for equal knowledge; 0: nothing.
  virtual std::uint64_t digest_of_rest() const { return 0; }
  // The same of numbers that visit() shows by their order alone.
  virtual std::uint64_t digest_of_counts() const { return 0; }

  // --- what follows from the above ---

  virtual std::optional<std::string> value_of(std::string_view key) const;
  virtual bool has(std::string_view key) const { return value_of(key).has_value(); }
  virtual std::optional<WallTime> expiry_of(std::string_view key) const;
  // Of a key that it has.
  virtual void list(std::string_view key, Lister& lister) const;
  virtual bool is_empty() const;
};

}  // namespace holdfast::stores
