// Drivers of real stores, which wait for each answer. What they are asked for are the words that locks send
// (the rooms of sim/stores have them), and what they answer is what the simulated server would.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/reply.hpp"
#include "sim/core/vocabulary.hpp"

namespace holdfast::live {

// Asked now and then while a driver waits. False: nobody waits for the answer any more.
using IsWanted = std::function<bool()>;

// One connection of a client.
class StoreDriver {
 public:
  virtual ~StoreDriver() = default;
  // Lost: the server is gone, or the answer is not wanted.
  virtual Reply ask(const std::vector<std::string>& words, const IsWanted& is_wanted) = 0;
  // What its watches are told next. Nil: nothing came before it was not wanted any more.
  virtual Reply next(const IsWanted&) { return Reply::nil(); }
  // Its request waits at the server for others.
  virtual bool waits() { return false; }
};

// What all drivers of one server have in common; any thread may use it.
class StoreClient {
 public:
  virtual ~StoreClient() = default;
  // Throws std::runtime_error when there is no server.
  virtual std::unique_ptr<StoreDriver> connect() = 0;
  // With its name.
  virtual std::string version() = 0;
  // Ends, at the server, one of the sessions that clients have. False: there is none.
  virtual bool end_session(std::uint64_t which) = 0;
};

// `address`: as StoreProcess has it.
std::unique_ptr<StoreClient> client_of_postgres(const std::string& address);
std::unique_ptr<StoreClient> client_of_etcd(const std::string& address);
std::unique_ptr<StoreClient> client_of_zookeeper(const std::string& address);
inline std::unique_ptr<StoreClient> client_of(StoreKind kind, const std::string& address) {
  if (kind == StoreKind::postgres) return client_of_postgres(address);
  return kind == StoreKind::etcd ? client_of_etcd(address) : client_of_zookeeper(address);
}

}  // namespace holdfast::live
