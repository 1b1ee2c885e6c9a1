// The words of requests to an etcd as its JSON gateway takes them, and its answers as sim/stores/etcd gives
// them. A lease has a name, which is its client's, where etcd has a number.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "sim/core/reply.hpp"
#include "sim/live/etcd_stream.hpp"
#include "sim/stores/etcd/request.hpp"

namespace holdfast::live {

// The numbers of leases, which no lease of this server had before. Any thread may use it.
class EtcdLeases {
 public:
  EtcdLeases();
  // 0: it has no name, for there is none.
  std::int64_t number_of(const std::string& name);
  std::string name_of(std::int64_t number);
  std::vector<std::string> names();
  // Names stand for other leases from now on.
  void forget();

 private:
  std::mutex mutex_;
  std::int64_t last_ = 0;
  std::map<std::string, std::int64_t> numbers_;
  std::map<std::int64_t, std::string> names_;
};

class EtcdWords {
 public:
  explicit EtcdWords(EtcdLeases& leases) : leases_(leases) {}

  // Where a request goes, and with what.
  struct Post {
    std::string path;
    EtcdJson body;
  };
  Post post_of(const etcd::Request& request) const;
  // REQUIRES: no watch. `told`: one JSON object; null: none came.
  Reply reply_to(const etcd::Request& request, const EtcdJson& told) const;
  // What a watch is told at a time.
  std::vector<Reply> events_in(const EtcdJson& told, bool tells_previous) const;

  static Reply error_of(const EtcdJson& told) { return Reply::error(told.value("error", "etcdserver: ?")); }
  // Numbers of 64 bits are texts there, and zeros are left out.
  static std::int64_t number(const EtcdJson& in, const char* name);

 private:
  EtcdJson request_of(const etcd::Operation& it) const;
  EtcdJson requests_of(const std::vector<etcd::Operation>& operations) const;
  EtcdJson condition_of(const etcd::Condition& it) const;
  Reply reply_of(const etcd::Operation& it, const EtcdJson& told, const EtcdJson& header) const;
  Reply reply_of_transaction(const etcd::Request& request, const EtcdJson& told) const;
  Reply cell_of(etcd::Column column, const EtcdJson& row) const;
  EtcdLeases& leases_;
};

}  // namespace holdfast::live
