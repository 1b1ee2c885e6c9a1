// What a live run comes to, in numbers: waiting times, overtaking, fairness. Made from its events.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/live/workload.hpp"
#include "sim/trace/trace.hpp"

namespace holdfast::live {

class Tally final : public Observer {
 public:
  explicit Tally(const Workload& workload);
  void on(const Event& event) override;

  // Acquired and given back.
  std::uint64_t pairs() const { return pairs_; }
  std::uint64_t grants() const { return waits_.size(); }
  std::uint64_t refusals() const { return refusals_; }
  // Attempts with an unknown outcome, and why the last of them failed.
  std::uint64_t failures() const { return failures_; }
  const std::string& last_failure() const { return last_failure_; }
  // How long a round waited for its grant: nearest rank; zero without a grant. `per_mille` from 1 to 1000.
  Duration wait(std::uint32_t per_mille) const;
  // The most grants to others while one client waited for one.
  std::uint64_t bypass_max() const { return bypass_max_; }
  // Grants per client, of those that use one lock; the least fair lock counts. 1 is even; 0 without grants.
  double jain_index() const;
  // Grants while another client still believed that it held the lock.
  std::uint64_t overlaps() const { return overlaps_; }

 private:
  struct PerClient {
    bool is_waiting = false;
    bool is_claiming = false;
    Instant since{};
    std::uint64_t grants_before = 0;  // of its lock, when it began to wait
    std::uint64_t grants = 0;
  };
  struct PerLock {
    std::uint64_t grants = 0;
    std::uint32_t claiming = 0;  // clients
  };
  void note_granted(ClientId id, Instant at);
  void end_claim(ClientId id);

  const Workload workload_;
  std::vector<PerClient> clients_;
  std::vector<PerLock> locks_;
  std::uint64_t pairs_ = 0;
  std::uint64_t refusals_ = 0;
  std::uint64_t failures_ = 0;
  std::string last_failure_;
  std::uint64_t bypass_max_ = 0;
  std::uint64_t overlaps_ = 0;
  mutable std::vector<Duration> waits_;
  mutable bool is_sorted_ = true;
};

}  // namespace holdfast::live
