// What one client has: clocks, chance, stores, and somebody who listens to what it knows.
#pragma once

#include <coroutine>
#include <cstdint>
#include <span>
#include <string>

#include "sim/core/clock.hpp"
#include "sim/core/store.hpp"
#include "sim/core/units.hpp"

namespace holdfast {

enum class ReplyOrders : std::uint8_t {
  as_they_come,        // each is told for itself
  one_stands_for_all,  // that of the servers, where it makes no difference
  one,                 // that of the servers
};

// Receives what a client knows beyond its replies; the simulation and live runs implement it.
class Listener {
 public:
  // From here on, this call depends on these values and its line only.
  virtual void keep_only(const Args& values, Where where) = 0;
  // The lock asked for the client's identity: from now on clients are not interchangeable.
  virtual void know_clients() = 0;
  // The lease of the grant with this token begins anew, with the reply that was received last.
  virtual void renewed(const std::string& token, Duration lease) = 0;
  // The grant with this token is lost.
  virtual void lost(const std::string& token) = 0;
  // In which orders replies come that are waited for as a whole.
  virtual ReplyOrders reply_orders() const { return ReplyOrders::as_they_come; }
  // A task begins beside the caller, with these values: everything is told to it until the end of its turn.
  // Returns by what number it is known; 0: what it is told counts as told to the caller.
  virtual std::uint32_t begin_beside(const Args&, Where, std::coroutine_handle<>) { return 0; }
  // It waits: its caller goes on.
  virtual void end_turn() {}
  // It is gone.
  virtual void end_beside(std::uint32_t) noexcept {}

 protected:
  ~Listener() = default;
};

// What one client has: its own clocks, its own chance, and one store per Redis node.
class Env {
 public:
  Env(ClientId client, std::span<Store* const> its_stores, Clock& its_clock, Random& its_random,
      Listener* its_listener = nullptr)
      : stores(its_stores), clock(its_clock), random(its_random), self_(client), listener_(its_listener) {}
  Env(const Env&) = delete;
  Store& store() const { return *stores.front(); }
  // The id of this client. Locks that do not ask for it are explored faster.
  ClientId self() const {
    if (listener_ != nullptr) listener_->know_clients();
    return self_;
  }
  // At the head of a retry loop: from here on, what this call does depends on its arguments, on `values`, and
  // on nothing else that it has seen so far. Lets exploration recognise a round that it has seen, so that
  // endless retry ends there. A value that is left out makes `holds` a lie.
  void loop_head(const Args& values = Args(), Where where = Where::current()) const {
    if (listener_ != nullptr) listener_->keep_only(values, where);
  }
  // The same request to every store, at once.
  Broadcast ask_all(const Command& command, Where where = Where::current()) const {
    return Broadcast(stores, command, where);
  }
  ReplyOrders reply_orders() const {
    return listener_ == nullptr ? ReplyOrders::as_they_come : listener_->reply_orders();
  }
  // A renewal succeeded: the reply that was received last says that `lease` begins anew. Beliefs with a
  // deadline move it.
  void renewed(const std::string& token, Duration lease) const {
    if (listener_ != nullptr) listener_->renewed(token, lease);
  }
  // The lock found out that its grant is lost. A client that believes until it is notified stops.
  void lost(const std::string& token) const {
    if (listener_ != nullptr) listener_->lost(token);
  }

  const std::span<Store* const> stores;
  Clock& clock;
  Random& random;

  Listener* listener() const { return listener_; }

 private:
  const ClientId self_;
  Listener* listener_;
};

}  // namespace holdfast
