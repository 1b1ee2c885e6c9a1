// For cards: the faults of the default comparison, so that a claim can be written as what it excepts.
#pragma once

#include <initializer_list>

#include "sim/core/vocabulary.hpp"

namespace holdfast::algorithms {

inline constexpr FaultSet every_fault{Fault::none,         Fault::crash,        Fault::pause,
                                      Fault::slow_section, Fault::late_request, Fault::late_reply,
                                      Fault::lost_request, Fault::lost_reply,   Fault::duplicate,
                                      Fault::clock_skew,   Fault::clock_jump,   Fault::server_clock_jump,
                                      Fault::restart,      Fault::failover,     Fault::partition,
                                      Fault::eviction,     Fault::cancel};

constexpr FaultSet every_fault_but(std::initializer_list<Fault> excepted) {
  FaultSet faults = every_fault;
  for (const Fault fault : excepted) faults.erase(fault);
  return faults;
}

}  // namespace holdfast::algorithms
