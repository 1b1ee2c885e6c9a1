// What servers keep, what replicas and files still hold of it, and the digest of that.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/stores/kinds.hpp"
#include "sim/trace/digest.hpp"
#include "sim/trace/event.hpp"
#include "sim/world/client_state.hpp"
#include "sim/world/contents.hpp"
#include "sim/world/dates.hpp"
#include "sim/world/faults.hpp"
#include "sim/world/holdings.hpp"
#include "sim/world/knowledge.hpp"
#include "sim/world/lock_facts.hpp"

namespace holdfast {

class Client;
class Clients;
class Network;

// One for each key that holds grants of a lock, by key, in rising order.
struct LockedKey {
  std::string key;
  Holdings holdings;
};
using LockedKeys = std::vector<LockedKey>;

// A key of the server, as far as states differ in it.
struct Key {
  History content;        // its name and its value, but for a token
  Ticks expires;          // microseconds since the epoch, if it is mortal
  Token token;            // number 0: none
  bool is_named = false;  // the token is in its name: nobody else can know which key it is
  bool is_mortal = false;
  bool has_ended = false;  // and may live again
};

// What one server keeps, and what the world knows of it.
struct Shelf {
  Contents data;
  LockedKeys locked;
  std::vector<Key> keys;
  std::uint32_t tokens = 0;  // keys with one
  bool has_named = false;    // a key whose name has one: it ends in a step of any client
};
struct Server {
  Shelf shelf;
  Duration clock_offset{};  // its clock shows true time plus this
  // What replicas or files may still hold: how things stood before the last write, before the one before, …
  struct Past {
    Shelf shelf;
    Instant written;  // then came the write
    ClientId writer;
    bool is_replicated = false;  // the replica has the write
  };
  std::vector<Past> past;
};

class Servers {
 public:
  // Each holds what the scenario says. `faults`, `now` and `facts` must outlive it.
  Servers(const Scenario& scenario, StoreKind kind, std::size_t count, stores::Kinds& kinds,
          const Faults& faults, const Instant& now, const LockFacts& facts);

  const stores::Traits& traits() const { return traits_; }
  std::span<Server> all() { return servers_; }
  std::span<const Server> all() const { return servers_; }
  Server& at(NodeId node) { return servers_[node.value]; }
  const Server& at(NodeId node) const { return servers_[node.value]; }
  // By its own clock.
  WallTime time_of(const Server& server) const {
    return wall_epoch + now_.time_since_epoch() + server.clock_offset;  // of a steady one, zero
  }
  // The first instant at which a key of the server is dead, or a wait there over; `never` when none is.
  Instant next_death(const Server& server) const;
  Instant next_wait_end(const Server& server) const;
  Instant next_wait_end() const;
  // Until then no key dies.
  bool is_quiet_until(Instant time) const;

  // --- the past ---

  bool keeps_past() const { return may_fail_over() || may_lose_latest(); }
  void note_past(Server& host, Shelf before, ClientId writer);
  void forget_unreachable(Server& host) const;
  std::size_t lag(const Server& host) const;             // how many writes its replica may lack
  std::size_t reachable_past(const Server& host) const;  // how much of its past may come back
  // How many of its latest writes are at most so old.
  std::uint32_t writes_since(const Server& host, Duration age) const;

  // --- keys ---

  // Where the first key of the lock of this name is.
  std::size_t locked_place(std::string_view name) const;
  // nullptr when it holds no grants. Mostly it is the key of the lock that the client asks for whose command
  // changed it.
  LockedKey* locked_at(LockedKeys& locked, std::string_view key, const Client* by) const;
  // What is at it now.
  Elements elements_at(const Shelf& shelf, std::string_view key, const TokenOf& token_of = {}) const {
    return elements_of(shelf.data, key, facts_.asides, token_of);
  }
  // A rehearsal named a key by a token. Those of other tokens hold no grant, so names matter.
  bool are_locks_named_by_tokens(const Clients& clients) const;
  bool is_any_owned() const;
  // Whether a key holds a grant of it, and will so much later, if nobody changes that.
  bool have_grant_of(Acquisition acquisition, Duration later) const;
  bool is_any_mortal() const;  // of its keys
  // Clients whose values or commands are what keys hold; bit i is client i.
  std::uint64_t owners() const;

  // --- digest ---

  // The texts of the keys are looked at when they change, not in every state. What a state must say of them
  // is added to `told`.
  void note_keys(Shelf& shelf, const Clients& clients, Knowledge& told) const;
  // How old a token at a key is.
  std::uint32_t age_of(Token token, const Clients& clients) const;
  // Calls `note` with the tokens that keys and sessions have, also where keys may come back.
  void note_tokens(const NoteToken& note, const Clients& clients) const;
  // No server has two tokens, which a script might compare.
  bool have_few_tokens() const;
  // The owner hears of the change of a key; two forgotten tokens may still be compared with each other.
  Digest digest_of_keys(const Clients& clients) const;
  Digest mix_state(Digest rest, std::span<Digest> of_clients, const Clients& clients, Knowledge told) const;
  // Which connection listens to which channel, and which waits in which place for how long.
  void mix_connections(std::span<Digest> of_clients, const Network& network, const Clients& clients,
                       Knowledge told) const;
  // What states must say of that.
  void note_sessions(const Clients& clients, Knowledge& told) const;

 private:
  bool may_fail_over() const { return traits_.replicates && faults_.can(Fault::failover); }
  bool may_lose_latest() const {
    return traits_.persists && !traits_.is_durable && loses_latest_ > Duration::zero() &&
           faults_.can(Fault::restart);
  }
  bool is_recent(const Server::Past& past) const;
  Digest mix_server(const Server& server, std::uint64_t number, std::span<Digest> of_clients,
                    const Clients& clients, Knowledge told, Digest rest) const;
  Digest mix_shelf(const Shelf& shelf, std::uint64_t number, WallTime now, std::span<Digest> of_clients,
                   const Clients& clients, Knowledge told, Digest rest) const;

  const Faults& faults_;
  const Instant& now_;
  const LockFacts& facts_;
  const stores::Traits& traits_;
  const Duration loses_latest_;  // a restart may lose the writes of so long; 0: none
  std::vector<Server> servers_;
};

}  // namespace holdfast
