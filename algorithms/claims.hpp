// For cards: the faults of the default comparison, so that a claim can be written as what it excepts.
#pragma once

#include <initializer_list>

#include "sim/core/vocabulary.hpp"

namespace holdfast::algorithms {

inline constexpr FaultSet every_fault = fault_table.by(Enactor::world);

constexpr FaultSet every_fault_but(std::initializer_list<Fault> excepted) {
  FaultSet faults = every_fault;
  for (const Fault fault : excepted) faults.erase(fault);
  return faults;
}

}  // namespace holdfast::algorithms
