// A separating tape: the first lock breaks a property on it and the second does not.
//
// Two locks do different things, so "the same tape" needs a meaning. A tape is read as moves: of a client
// (it starts, its request reaches the server, its answer reaches it, it wakes up; or it stops waiting, or
// what it no longer waits for reaches the server), of time, or of a fault that strikes. The second lock makes
// the same moves, in order.
//  - A move that it cannot make, it leaves out. Before time passes, it does what is due,
//    client by client.
//  - A fault that cannot strike yet strikes as soon as it can.
//  - When the tape ends, it goes on calmly until its run is over.
// The tape counts only if every fault on it strikes both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/check/result.hpp"

namespace holdfast {

// Both runs of a tape.
struct SeparatePair {
  Counterexample broken;            // of the first lock, up to the violation
  Counterexample whole;             // of the second, to its end; no findings
  std::vector<std::uint32_t> made;  // how many steps the second has made after each step of the first
  std::uint32_t left_out = 0;       // moves of the tape that the second could not make
};

struct Separation {
  enum class Answer : std::uint8_t {
    found,    // the shortest tape there is
    none,     // within the bounds, there is none
    unknown,  // the search ended early
  };
  std::string breaks;  // ids of both locks
  std::string holds;
  Fault fault = Fault::none;
  Property property{};
  Answer answer = Answer::unknown;
  Verdict first = Verdict::unknown;  // of the property, for the lock that is to break it
  std::uint64_t pairs = 0;           // pairs of states that were reached; 0 where that verdict was enough
  std::optional<SeparatePair> pair;
};

}  // namespace holdfast
