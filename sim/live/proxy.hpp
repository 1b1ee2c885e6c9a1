// A proxy between clients that share a connection and a server on this machine. It knows where messages begin
// and end, and does to some of them what networks and drivers do: late, lost, sent twice, or nothing passes
// for a while. TCP loses no single message: what is lost takes its connection along.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/vocabulary.hpp"
#include "sim/live/address.hpp"
#include "sim/live/fault_chance.hpp"
#include "sim/live/loop.hpp"
#include "sim/live/private_directory.hpp"
#include "sim/live/stream.hpp"

namespace holdfast::live {

inline constexpr FaultSet proxy_faults = fault_table.by(Enactor::proxy);

struct ProxyFaults {
  FaultSet kinds;            // of proxy_faults; others are ignored
  std::uint32_t one_in = 1;  // one in so many messages
  Duration delay = 1s;       // of what is late, and of all that follows it; how long a partition lasts
  std::uint64_t seed = 1;
};

class Proxy final {
 public:
  // `server` must be on a unix socket.
  Proxy(Loop& loop, const Address& server, const ProxyFaults& faults);
  ~Proxy();
  Proxy(const Proxy&) = delete;

  const Address& address() const { return address_; }
  const Strikes& struck() const { return chance_.struck(); }

 private:
  class Link;
  void end(Link& link);
  void begin_partition();
  void end_partition();
  void connect(int client);

  Loop& loop_;
  const Address server_;
  const Duration delay_;
  FaultChance chance_;
  PrivateDirectory directory_;
  Address address_;
  std::optional<Listener> listener_;
  std::uint64_t accepted_ = 0;
  std::map<std::uint64_t, std::unique_ptr<Link>> links_;
  const std::shared_ptr<std::vector<std::unique_ptr<Link>>> ended_;  // not yet destroyed
  std::optional<Loop::Timer> heals_;                                 // there is a partition until then
  bool loses_requests_ = false;
  bool loses_replies_ = false;
};

}  // namespace holdfast::live
