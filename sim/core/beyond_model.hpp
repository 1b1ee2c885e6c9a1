// How an exploration ends without any verdict.
#pragma once

#include "sim/core/lock.hpp"

namespace holdfast {

// The lock did what is not simulated, or not as it is: what it does from there on says nothing of it. Ends
// the exploration, and every property is unknown, what a run has broken before included. what() is what the
// lock did, with its place: "not simulated: OBJECT ENCODING (step 12, lock.lua:12)". REQUIRES: thrown outside
// of any arena.
class BeyondModel : public UnusableLock {
 public:
  using UnusableLock::UnusableLock;
};

}  // namespace holdfast
