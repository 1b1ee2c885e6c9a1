// What a word of a digest is about: no two things that a state may contain look the same.
#pragma once

#include <cstdint>

namespace holdfast {

struct Mark {
  enum : std::uint64_t {
    value_at_key = 1,
    owns_key,
    pending,
    orphan,
    whole,
    is_cut,
    rank,
    line,
    registered,
    wrote,
    sent,
    server_clock,
    recent,
    reachable,
    calm_until,
    movable,
    turn,
    away,
    delay,
    repeats,
    // Of connections.
    own_line = 0x21,
    letter,
    session,
    waiter,
    own_call,
    since,
    // Of what a client saw.
    cancelled = 0xc1,
    wait_rank,
    part,
    skewed,
    periods,
    asked,
    memory,
    beside,
    time,
    token,
    compared
  };
};

}  // namespace holdfast
