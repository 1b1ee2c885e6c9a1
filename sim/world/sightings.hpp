// What a run has met, and what somebody was told in it.
#pragma once

#include "sim/core/vocabulary.hpp"

namespace holdfast {

// What was seen in this run; a verdict over runs that never met their fault is vacuous.
struct Sightings {
  FaultSet struck;
  FaultSet struck_held;  // while a client held the lock, or a server kept its key
  bool contended = false;
  bool expired_held = false;
  bool gave_up = false;
  bool arrived_late = false;
  bool calm_acquired = false;
  bool operator==(const Sightings&) const = default;
};

// What a client or the store may know and states must therefore say: absolute times (else only how long
// things last), which client is which (else they may change places), the names of tokens (else tokens and
// acquisitions are told apart, no more; whoever knows them knows the clients), and whose writes a replica
// lacks (else only which).
struct Knowledge {
  bool of_time = false;
  bool of_clients = false;
  bool of_names = false;
  bool of_writers = false;
  bool operator==(const Knowledge&) const = default;
  bool covers(const Knowledge& other) const {
    return (of_time || !other.of_time) && (of_clients || !other.of_clients) &&
           (of_names || !other.of_names) && (of_writers || !other.of_writers);
  }
  void insert(const Knowledge& other) {
    of_time |= other.of_time;
    of_clients |= other.of_clients;
    of_names |= other.of_names;
    of_writers |= other.of_writers;
  }
};

}  // namespace holdfast
