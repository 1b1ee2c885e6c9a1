// A driver of etcd through its JSON gateway.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "sim/live/etcd_words.hpp"
#include "sim/live/store_driver.hpp"

namespace holdfast::live {

// Each request goes over a connection of its own; what it watches, too. As a hunt asks Redis, it answers
// DUMP KEY, with what tells one value of the key from another, and PEXPIRETIME KEY, with the instant before
// which its lease is not over.
class EtcdDriver final : public StoreDriver {
 public:
  EtcdDriver(std::uint16_t port, EtcdLeases& leases) : port_(port), words_(leases) {}

  Reply ask(const std::vector<std::string>& words, const IsWanted& is_wanted) override;
  // All that happened at a time.
  Reply next(const IsWanted& is_wanted) override;
  // Empty: nothing came for so long, or its watch is over.
  std::vector<Reply> events_within(std::chrono::milliseconds at_most);

 private:
  Reply watch(const etcd::Request& request);
  Reply about(const std::string& question, const std::string& key);
  const std::uint16_t port_;
  EtcdWords words_;
  std::unique_ptr<EtcdStream> watch_;
  bool tells_previous_ = false;
};

}  // namespace holdfast::live
