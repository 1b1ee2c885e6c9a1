// The only way from the clients of a hunted run to their server. Messages take their time here, one of them
// meets the fault of the run, and what each command did to the keys of the lock is told: the server is asked
// for them before and after every command, on the one connection that all of them share. Where no keys are
// named, nothing is told of them, and each connection of a client is one of its own at the server.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/live/address.hpp"
#include "sim/live/live_clock.hpp"
#include "sim/live/private_directory.hpp"
#include "sim/live/redis_process.hpp"
#include "sim/live/stream.hpp"
#include "sim/trace/event.hpp"

namespace holdfast::live {

// What happens to a run, once.
struct Blow {
  Fault fault = Fault::none;
  ClientId client;            // the client that it strikes
  std::uint32_t message = 0;  // which of its messages, or before which it stops; 0: at a time
  bool while_held = false;    // as soon as that client believes that it holds the lock
  Duration at{};              // since the run began; of what strikes neither at a message nor then
  Duration length{};          // of a pause, a delay, a partition, slow work; how wrong a clock is
  std::uint32_t way = 0;      // of a partition: 0 loses both ways, 1 requests, 2 replies
};

// Where the requests go. `spare` takes the place of `process` when that is killed; it listens. Without them
// no server is killed.
struct GateServer {
  Address address;
  RedisProcess* process = nullptr;
  RedisProcess* spare = nullptr;
};

struct GateRules {
  std::vector<std::string> keys;  // that hold grants of the lock; empty: each connection is one of its own
  std::uint32_t clients = 0;
  Duration delay_planned{};  // one way; drawn from 0 to this
  Duration delay_most{};     // what takes longer, and is not struck, is beyond the bounds
  Duration patience{};       // so long after a request its client does not wait for the reply any more
  Blow blow;
  std::uint64_t seed = 1;
};

class Gate {
 public:
  // `by`: the acquisition that a client is about. `now`: true time. `on_change` hears KeyChanged, Evicted and
  // ServerRestarted.
  Gate(Loop& loop, GateServer server, GateRules rules, std::function<Acquisition(ClientId)> by,
       std::function<Instant()> now, std::function<void(What)> on_change);
  ~Gate();
  Gate(const Gate&) = delete;

  Address address_of(ClientId client) const;
  // What strikes at a time: restart, eviction or partition.
  void strike();

  bool has_struck() const { return has_struck_; }
  // Something took longer than it may.
  bool was_late() const { return was_late_; }
  // A client wants to wait at the server, which this gate cannot let it.
  bool is_waited_at() const { return is_waited_at_; }
  // Nothing is on its way.
  bool is_idle() const { return under_way_ == 0; }

 private:
  struct Link;
  // A request, twice if it is duplicated.
  struct Job {
    std::uint64_t link = 0;
    std::optional<std::uint64_t> slot;  // empty: the reply is dropped
    ClientId client;
    Acquisition by;
    std::string message;
    SteadyTime received;
    bool may_be_late = false;
    bool is_eviction = false;
  };
  // A key as the server has told it; `value` is empty when there is none.
  struct Standing {
    std::string value;
    std::int64_t expires_ms = -1;  // of the wall clock; -1: never
    bool operator==(const Standing&) const = default;
  };
  struct Key {
    std::string name;
    Standing standing;
    Acquisition owner;  // whose command last wrote it
  };

  void accept(ClientId client, int descriptor);
  void end(std::uint64_t link);
  void on_request(Link& link, std::string message);
  void submit(Job job);
  void pass_on(const Job& job);
  void pass_back(Link& link, std::string reply);
  void lose(const Job& job);
  void close(std::unique_ptr<Link> link);
  void connect();
  void write(const Job& job);
  void on_reply(std::string message);
  void finish(const Job& job, const std::vector<std::string>& replies);
  void judge(const Job& job, Key& key, const Standing& before, const Standing& now);
  void change(Key& key, KeyChanged::Kind kind, Acquisition by, const Standing& now);
  void send_back(const Job& job, std::string reply);
  void hand_over(const Job& job, const std::string& reply, SteadyTime latest);
  void flush(std::uint64_t link);
  bool meets(Fault fault, ClientId client, std::uint32_t number);
  bool is_cut(ClientId client, std::uint32_t way) const;
  void after(Duration wait, std::function<void()> act);
  void restart();

  Loop& loop_;
  const GateServer server_at_;
  const GateRules rules_;
  const std::function<Acquisition(ClientId)> by_;
  const std::function<Instant()> now_;
  const std::function<void(What)> on_change_;
  const std::string question_;  // what the server is asked about the keys
  LiveRandom random_;
  PrivateDirectory directory_;
  std::list<Listener> doors_;  // where each client comes in
  std::map<std::uint64_t, std::unique_ptr<Link>> links_;
  std::map<std::uint64_t, std::unique_ptr<Link>> leaving_;  // whose clients are gone, and not their requests
  const std::shared_ptr<std::vector<std::unique_ptr<Link>>> ended_;  // not yet destroyed
  std::uint64_t accepted_ = 0;
  std::unique_ptr<Stream> server_;  // nullptr: it is away
  std::deque<Job> jobs_;            // at the server, or waiting until it is back
  std::vector<std::string> replies_;
  std::map<ClientId, std::uint32_t> requests_seen_;
  std::map<ClientId, std::uint32_t> replies_seen_;
  std::vector<Key> keys_;
  std::set<Loop::Timer> timers_;
  std::uint32_t under_way_ = 0;
  bool is_partitioned_ = false;
  bool has_struck_ = false;
  bool was_late_ = false;
  bool is_waited_at_ = false;
};

}  // namespace holdfast::live
