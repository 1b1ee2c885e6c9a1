// Bugs of locks whose lease is renewed, or stands in the value.
#include "bench/zoo/rows.hpp"

namespace holdfast::zoo {
namespace {

using enum Property;

const Card renewed_host = renewed();
const Card stamped_host = stamped();

}  // namespace

const std::vector<Planted> renewed_rows{
    {.id = "renews-too-late",
     .mistake = "renews when the lease is over",
     .host = &renewed_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .reason = "The first renewal leaves after a whole lease, counted from the answer."},
    {.id = "renews-in-seconds",
     .mistake = "PEXPIRE 4 for a lease of 4 s",
     .host = &renewed_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .reason = "The first renewal cuts the lease to some milliseconds."},
    {.id = "gives-up-after-one-silence",
     .mistake = "one renewal without an answer, and no more",
     .host = &renewed_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .suffices = any_of(lost_reply, late_reply, duplicate),
     .reason = "A renewal that took effect and is not answered in time. One that does not take effect is "
               "too late for any renewal: the next comes 8 s after SET, the lease ends after 6.",
     .prepare = renewed_twice},
    {.id = "renews-without-comparing",
     .mistake = "PEXPIRE, no matter which client holds",
     .host = &renewed_host,
     .breaks = owner_only_change,
     .reason = "A renewal that left before the release arrives when another holds."},
    {.id = "renews-by-writing",
     .mistake = "SET to renew: creates the key again, no matter which client holds",
     .host = &renewed_host,
     .breaks = owner_only_change,
     .besides = {truthful_release, release_frees},
     .reason = "A renewal that left before the release arrives when another holds; or nobody, and leaves a "
               "key that nobody will give back."},
    {.id = "knows-no-noscript",
     .mistake = "loads its script when it begins, and renews by EVALSHA alone",
     .host = &renewed_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .suffices = any_of(restart_with_data),
     .reason = "Only a server that begins again, or a replica, forgets scripts. Where it forgets keys, too, "
               "every lock on one server is lost."},
    {.id = "never-stops-renewing",
     .mistake = "release() leaves the renewal running",
     .host = &renewed_host,
     .breaks = recovery,
     .besides = {owner_only_change, truthful_release},
     .reason = "The renewal writes the key again after the release, for ever.",
     .prepare = without_delay_and_in_turn},
    {.id = "stays-busy-after-a-refusal",
     .mistake = "a flag of the process is set before the server is asked, and reset by release() alone",
     .host = &renewed_host,
     .breaks = progress,
     .reason = "The client that the server refuses finds its own flag set ever after: also when it comes "
               "back and the lock is free.",
     .prepare = comes_back},
    {.id = "brings-its-own-time",
     .mistake = "the client's clock decides whether the lease is over",
     .host = &stamped_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write, owner_only_change},
     .suffices = any_of(clock_skew, clock_jump),
     .reason = "A clock that is ahead, always or from some moment on, finds the lease of a holder past. "
               "With right clocks a time that comes late only ends a lease sooner, and for nobody who "
               "still believes."},
};

}  // namespace holdfast::zoo
