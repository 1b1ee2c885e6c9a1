// Scripts that several locks share.
#pragma once

namespace holdfast::algorithms {

// Redis documentation, "Distributed Locks with Redis": the release of a single instance.
inline constexpr const char* compare_and_delete =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end";

// The holder extends its lease: 1. Any other client: 0.
inline constexpr const char* compare_and_expire =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) "
    "else return 0 end";

}  // namespace holdfast::algorithms
