// Bugs of code that runs only while somebody waits inside acquire(), or acquires again what it holds.
#include "bench/zoo/rows.hpp"

namespace holdfast::zoo {
namespace {

using enum Property;

const Card waiting_host = waiting();
const Card nested_host = nested();

}  // namespace

const std::vector<Planted> waiting_rows{
    {.id = "asks-again-without-nx-when-it-waited",
     .mistake = "after the first refusal, SET without NX",
     .host = &waiting_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write, owner_only_change},
     .reason = "A waiter that is refused asks once more a second later, when the holder may still work.",
     .prepare = waits},
    {.id = "takes-the-end-of-its-wait-for-a-grant",
     .mistake = "granted when the time to wait is over",
     .host = &waiting_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .reason = "The holder may still work when a waiter of a second gives up.",
     .prepare = waits},
    {.id = "cleans-up-when-its-wait-is-over",
     .mistake = "DEL when the time to wait is over",
     .host = &waiting_host,
     .breaks = owner_only_release,
     .reason = "The holder may still work when a waiter of a second gives up.",
     .prepare = waits},
    {.id = "forgets-how-often",
     .mistake = "the second acquire() is not counted",
     .host = &nested_host,
     .breaks = reentrancy,
     .besides = {mutual_exclusion},
     .reason = "The first of two releases deletes the key, and another is granted before the second.",
     .prepare = acquires_again},
    {.id = "refuses-its-holder",
     .mistake = "the second acquire() is refused",
     .host = &nested_host,
     .breaks = reentrancy,
     .reason = "The holder is refused as all others are.",
     .prepare = acquires_again},
    {.id = "keeps-a-count-of-nothing",
     .mistake = "the last release leaves the count at 0 and deletes nothing",
     .host = &nested_host,
     .breaks = release_frees,
     .reason = "A count of 0 is a field of the hash, and a hash that exists refuses all others."},
};

}  // namespace holdfast::zoo
