// Notices when a run comes to a circumstance that no run before it came to. A circumstance is coarser than a
// state: what each client did last, and before that; which client changed the lock's key last, and which
// owned it. So it costs little beside a step, and runs that differ only in times are alike.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/explore/state_table.hpp"
#include "sim/trace/trace.hpp"

namespace holdfast {

class Coverage final : public Observer {
 public:
  // Before each run.
  void begin();
  void on(const Event& event) override;
  // After each step: whether it led to a new circumstance.
  bool is_new();
  std::uint64_t circumstances() const { return seen_.size(); }

 private:
  void note(std::size_t client, std::uint64_t what);
  std::vector<std::uint64_t> clients_;
  std::uint64_t key_ = 0;
  bool changed_ = false;
  Digester digester_;
  DigestSet seen_;
};

}  // namespace holdfast
