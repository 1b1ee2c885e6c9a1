// How an exploration ends because its user wants to see what was found.
#pragma once

#include "sim/core/lock.hpp"

namespace holdfast {

// Nothing is wrong with the lock, whose program takes long: the search ends with what it has found.
class Interrupted : public UnusableLock {
 public:
  Interrupted() : UnusableLock("interrupted while the program ran") {}
};

}  // namespace holdfast
