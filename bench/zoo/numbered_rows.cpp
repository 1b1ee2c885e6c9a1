// Bugs of grants with numbers, of the resource that looks at them, and of a line of waiters.
#include "bench/zoo/rows.hpp"

namespace holdfast::zoo {
namespace {

using enum Property;

const Card numbered_host = numbered();
const Card queued_host = queued();

}  // namespace

const std::vector<Planted> numbered_rows{
    {.id = "counts-before-it-asks",
     .mistake = "INCR, then SET NX: the client that counts first may be granted last",
     .host = &numbered_host,
     .breaks = fenced_writes,
     .reason = "Both count before either sets: the one with the smaller number may be granted second.",
     .prepare = judges_numbers},
    {.id = "forgets-the-count",
     .mistake = "the count ends with the lease, and begins again",
     .host = &numbered_host,
     .breaks = fenced_writes,
     .reason = "Two grants in a row, then none for a lease, and the third has number 1.",
     .prepare = judges_numbers_of_two_rounds},
    {.id = "takes-the-time-for-a-number",
     .mistake = "the client's clock instead of a count",
     .host = &numbered_host,
     .breaks = fenced_writes,
     .suffices = any_of(clock_skew, clock_jump, restart, failover),
     .reason = "A wrong clock gives the later grant the smaller number. Where the server forgets the holder, "
               "its number is the smaller one, too; the right lock's count is forgotten with it, so that its "
               "numbers are equal. Whatever else ends a lease breaks the right lock, which no resource "
               "guards here.",
     .prepare = judges_numbers},
    {.id = "asks-for-its-number-afterwards",
     .mistake = "GET asks for the count, which may be another's by then",
     .host = &numbered_host,
     .breaks = no_lost_update,
     .suffices = any_of(pause, server_clock_jump, eviction),
     .reason = "The key must go between SET and GET, and another count meanwhile: GET comes 4 s after SET at "
               "the latest, within the lease, unless the client stops or the server drops the key. A server "
               "that forgets the count gives one number twice, also by the right script.",
     .prepare = updates_a_register},
    {.id = "registers-only-writes",
     .mistake = "the resource remembers the numbers of writes, but not of reads",
     .host = &numbered_host,
     .breaks = no_lost_update,
     .suffices = any_of(pause, slow_section, server_clock_jump, eviction),
     .reason = "The holder reads, loses the key, and writes after another has read: whatever ends a lease "
               "under its holder and leaves the count alone.",
     .prepare = updates_a_register,
     .plant = registers_only_writes},
    {.id = "looks-at-no-numbers",
     .mistake = "the resource accepts whatever comes",
     .host = &numbered_host,
     .breaks = fenced_writes,
     .besides = {no_lost_update},
     .suffices = any_of(pause, slow_section, server_clock_jump, eviction),
     .reason = "The holder loses the key and writes after another has written: whatever ends a lease under "
               "its holder and leaves the count alone.",
     .prepare = updates_a_register,
     .plant = looks_at_no_numbers},
    {.id = "keeps-the-dead-in-line",
     .mistake = "who died in the line blocks it",
     .host = &queued_host,
     .breaks = recovery,
     .suffices = any_of(crash, late_request, lost_request, duplicate, failover, partition, cancel),
     .reason =
         "A client that is refused takes its name out again: the name stays where it dies or gives up "
         "before, where that request is lost, where the first comes after it, or where a replica has not "
         "heard of it."},
    {.id = "leaves-the-line-to-wait",
     .mistake = "who is refused loses its place",
     .host = &queued_host,
     .breaks = bounded_bypass,
     .reason = "The other may come and go for ever while one sleeps.",
     .prepare = endless},
    {.id = "takes-what-is-free",
     .mistake = "a free lock goes to the client that asks, no matter which others wait",
     .host = &queued_host,
     .breaks = bounded_bypass,
     .reason = "The other may come and go for ever while one sleeps.",
     .prepare = endless},
};

}  // namespace holdfast::zoo
