// The explorations of `holdfast serve`: each goes on in a thread of its own, can be watched and cancelled,
// and is kept for a while.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "reports/report.hpp"
#include "sim/cli/asked.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast::cli {

struct ServeLimits {
  unsigned threads = 1;                           // of one exploration
  std::uint64_t memory = std::uint64_t{2} << 30;  // bytes for the states of all that go on
  Duration longest = 10min;                       // real time
  std::size_t at_a_time = 2;
  std::size_t kept = 40;
};

// How far an exploration is.
struct Watched {
  enum class State : std::uint8_t { running, done, cancelled, failed };
  std::uint32_t id = 0;
  State state = State::running;
  std::string problem = {};         // failed: why
  std::optional<Scope> scope = {};  // the bounds that are explored now
  std::size_t cells = 0;            // of these bounds: how many there are,
  std::size_t cells_done = 0;       // and how many are explored
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  double seconds = 0;
  std::shared_ptr<const reports::Matrix> matrix = {};  // what is known by now; empty: nothing yet
  std::shared_ptr<const AskedExperiment> asked = {};
};
inline constexpr std::array<std::string_view, 4> watched_ids{"running", "done", "cancelled", "failed"};
constexpr std::string_view id_of(Watched::State state) {
  return watched_ids[static_cast<std::size_t>(state)];
}

class Explorations {
 public:
  explicit Explorations(const ServeLimits& limits);
  // Cancels what goes on, and waits for it.
  ~Explorations();
  Explorations(const Explorations&) = delete;

  // Returns its number. Throws Refused: too many go on (429).
  std::uint32_t begin(AskedExperiment asked);
  // Throws Refused (404).
  Watched look(std::uint32_t id) const;
  void cancel(std::uint32_t id);
  std::vector<Watched> all() const;  // the newest first

 private:
  class Running;
  Running& find(std::uint32_t id) const;
  ServeLimits limits_;
  std::uint32_t last_ = 0;
  std::list<std::unique_ptr<Running>> list_;  // the newest first
};

}  // namespace holdfast::cli
