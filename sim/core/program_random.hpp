// Chance of clients whose lock is a program in another language: it makes its tokens itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/clock.hpp"

namespace holdfast {

class ProgramRandom : public Random {
 public:
  // Of other runs: their parts of a text in the same place. As many as a prime number; lives for ever.
  using Others = const std::vector<std::vector<std::string>>*;
  struct Made {
    std::string_view text;
    std::string_view around;         // what of it is the same in all runs; empty: nothing
    std::uint64_t chance;            // of the run that made it
    std::vector<std::string> parts;  // that are chance
    Others others;                   // nullptr: unknown
  };
  // A number from which all chance of one run of the program follows. Once a text is made by it, no other
  // call, by any client, ever returns it. In a simulated run it is less than 2^61.
  virtual std::uint64_t chance() = 0;
  // The client's program made a text by chance: it is a token, as if token() had returned it.
  virtual void made(const Made& what) = 0;

 protected:
  // Of the run with this number, from 0, of the client with this one.
  static constexpr std::uint64_t chance_of(std::uint64_t client, std::uint64_t run) {
    return run << 32 | client;
  }
};

}  // namespace holdfast
