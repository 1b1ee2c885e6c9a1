// A proxy between clients and a server on this machine. It knows where messages begin and end, and does to
// some of them what networks and drivers do: late, lost, sent twice. TCP loses no single message: what is
// lost takes its connection along.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/vocabulary.hpp"
#include "sim/live/address.hpp"
#include "sim/live/live_clock.hpp"
#include "sim/live/loop.hpp"

namespace holdfast::live {

inline constexpr FaultSet proxy_faults = {Fault::late_request, Fault::late_reply, Fault::lost_request,
                                          Fault::lost_reply, Fault::duplicate};

struct ProxyFaults {
  FaultSet kinds;            // of proxy_faults; others are ignored
  std::uint32_t one_in = 1;  // one in so many messages
  Duration delay = 1s;       // of what is late, and of all that follows it
  std::uint64_t seed = 1;
};

// How many bytes the first message of RESP2 has; 0 if it is not complete, or no message.
std::size_t message_size(std::string_view bytes);

class Proxy final : private Socket {
 public:
  // `server` must be on a unix socket.
  Proxy(Loop& loop, const Address& server, const ProxyFaults& faults);
  ~Proxy() override;
  Proxy(const Proxy&) = delete;

  const Address& address() const { return address_; }
  // How often a fault struck.
  std::uint64_t struck(Fault fault) const;

 private:
  class Link;
  bool strikes(Fault fault);
  void end(Link& link);
  void on_readable() override;
  void on_writable() override {}

  Loop& loop_;
  const Address server_;
  const ProxyFaults faults_;
  LiveRandom random_;
  std::string directory_;
  Address address_;
  int listener_ = -1;
  std::uint64_t accepted_ = 0;
  std::map<std::uint64_t, std::unique_ptr<Link>> links_;
  const std::shared_ptr<std::vector<std::unique_ptr<Link>>> ended_;  // not yet destroyed
  std::map<Fault, std::uint64_t> struck_;
};

}  // namespace holdfast::live
