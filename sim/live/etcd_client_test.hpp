// Clients of a private etcd, for tests.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/live/etcd_driver.hpp"
#include "sim/live/store_process.hpp"
#include "sim/stores/etcd/facts_test.hpp"

namespace holdfast::live {

// Clients A, B, C, … of one server: each may watch.
class EtcdClients {
 public:
  explicit EtcdClients(StoreProcess& server) : server_(server) {}

  // No keys, and lease names that nobody has used.
  void begin_anew() {
    drivers_.clear();
    for (const std::string& each : leases_.names()) ask('0', {"REVOKE", each});
    leases_.forget();
    EtcdStream(server_.port(), "/v3/kv/deleterange", {{"key", "AA=="}, {"range_end", "AA=="}})
        .next(std::chrono::seconds(10));
  }
  std::int64_t revision() { return ask('0', {"REVISION"}).number(); }
  Reply ask(char client, const std::vector<std::string>& words) {
    return of(client).ask(words, [] { return true; });
  }
  // What its watch is told, until nothing comes for a moment.
  std::vector<Reply> events_of(char client) {
    std::vector<Reply> all;
    for (;;) {
      const std::vector<Reply> events = of(client).events_within(std::chrono::milliseconds(150));
      if (events.empty()) return all;
      all.insert(all.end(), events.begin(), events.end());
    }
  }
  void restart() {
    drivers_.clear();
    server_.restart();
  }

 private:
  EtcdDriver& of(char client) {
    std::unique_ptr<EtcdDriver>& found = drivers_[client];
    if (!found) found = std::make_unique<EtcdDriver>(server_.port(), leases_);
    return *found;
  }
  StoreProcess& server_;
  EtcdLeases leases_;
  std::map<char, std::unique_ptr<EtcdDriver>> drivers_;
};

}  // namespace holdfast::live
