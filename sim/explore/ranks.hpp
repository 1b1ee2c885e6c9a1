// Other processes that search with this one, on this machine and on others: what a search needs of the
// carrier of its messages. One process is rank 0 and leads; the others do what it tells them (exchange.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {

class Ranks {
 public:
  struct Message {
    unsigned from;
    std::string text;
  };

  virtual ~Ranks() = default;

  virtual unsigned rank() const = 0;
  virtual unsigned count() const = 0;
  // Returns at once. What one rank sends to another arrives whole, once, and in the order of sending.
  virtual void send(unsigned to, std::string text) = 0;
  // What has arrived, if anything has.
  virtual std::optional<Message> receive() = 0;
  // Bytes that are on their way to this rank, as far as is known here.
  virtual std::size_t unsent(unsigned to) const = 0;
  // Leaves the processor to others for a moment: nothing is to be done.
  virtual void wait() = 0;
  // In words, a rank on this machine that has ended and that this one needs: rank 0 needs all, the others
  // need rank 0. Any thread may ask at any time before finish().
  virtual std::optional<std::string> lost() const = 0;

  // The last call: waits for all ranks to come here.
  virtual void finish() = 0;
  // The same text, for as long as this lives.
  const char* keep(std::string text) { return texts_.insert(std::move(text)).first->c_str(); }

  // A bug, for tests of tests: the owner depends on the way to a state; states are not sent.
  enum class Planted : std::uint8_t { none, owner_by_way, lost_batch };
  Planted planted = Planted::none;

  // --- kept from one search to the next ---

  std::uint32_t searches = 0;     // that have begun
  std::vector<Message> early;     // of a search that others have begun already
  std::uint64_t sent_bytes = 0;   // by searches that have ended, of all ranks; known to rank 0
  std::uint64_t sent_states = 0;  // likewise

 private:
  std::set<std::string> texts_;
};

// What the program says, and the code with which it ends, when something has gone wrong.
struct Complaint {
  int code;
  std::string text;
};

// Something went wrong at another rank. The text says which, and what.
class RankFailed : public std::runtime_error {
 public:
  RankFailed(int code, const std::string& text) : std::runtime_error(text), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

}  // namespace holdfast
