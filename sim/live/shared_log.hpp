// What the clients of several processes do, in the order in which they do it: a log in memory that all of
// these processes have in common. A process that is stopped or killed while it writes blocks no other.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/live/workload.hpp"
#include "sim/trace/trace.hpp"

namespace holdfast::live {

// What one client's processes, one after the other, leave behind.
struct Corner {
  Counters counters;
  std::array<std::uint64_t, fault_ids.size()> struck{};
  std::uint32_t breaks = 0;
  std::uint32_t cut_off = 0;
  std::array<char, 200> trouble{};
  std::array<char, 200> error{};
  std::atomic<bool> is_claiming = false;       // it believes that it holds the lock
  std::atomic<std::uint32_t> acquisition = 0;  // its latest
  std::atomic<std::int64_t> stalled = 0;      // how long its processes stood still, in all
};

class SharedLog {
 public:
  // True time counts from now.
  explicit SharedLog(std::uint32_t clients);
  ~SharedLog();
  SharedLog(const SharedLog&) = delete;

  // Of one client, in its process.
  class Writer final : public Observer {
   public:
    explicit Writer(SharedLog& log);
    void on(const Event& event) override;

   private:
    SharedLog& log_;
    bool deleted_ = false;  // a plain DEL was sent since release() was called
  };

  // Without an acquisition: what is done to a client.
  void note(const Event& event, bool deleted = false);
  bool is_full() const;
  Instant now() const { return Instant(steady_now() - begin_); }
  Corner& corner(ClientId client) { return corners_[client.value]; }

  std::atomic<std::uint64_t>& begun() { return *begun_; }
  std::atomic<bool>& must_end() { return *must_end_; }

  // Shows everything to the observers of `trace`, in order. `lease`: how long a key lives; then `trace` also
  // says which client's lock a plain DEL removed, as far as the log proves it. REQUIRES: no process writes
  // any more.
  void tell(Trace& trace, const Workload& workload) const;

 private:
  struct Entry;
  struct Memory;
  const SteadyTime begin_;
  std::size_t bytes_;
  Memory* memory_;
  Corner* corners_;
  std::atomic<std::uint64_t>* begun_;
  std::atomic<bool>* must_end_;
};

}  // namespace holdfast::live
