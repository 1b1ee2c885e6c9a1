// Bugs of a lock for readers and writers.
#include "bench/zoo/rows.hpp"

namespace holdfast::zoo {
namespace {

using enum Property;

const Card shared_host = shared();

}  // namespace

const std::vector<Planted> shared_rows{
    {.id = "writes-over-readers",
     .mistake = "a writer deletes the set of the readers",
     .host = &shared_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .reason = "A reader holds, a writer comes.",
     .prepare = reader_and_writer},
    {.id = "reads-beside-a-writer",
     .mistake = "a reader does not look for a writer",
     .host = &shared_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .reason = "A writer holds, a reader comes.",
     .prepare = reader_and_writer},
    {.id = "counts-its-readers",
     .mistake = "a number of readers instead of their tokens",
     .host = &shared_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .suffices = any_of(duplicate, late_request, late_reply),
     .reason = "A reader leaves twice, or after the end of its lease, when another reader is the one that is "
               "counted: it was late to leave, or late to hear that it had entered. What only counts too "
               "many keeps writers out.",
     .prepare = readers_and_a_writer},
    {.id = "does-not-extend-for-the-second-reader",
     .mistake = "the first reader's lease is that of all",
     .host = &shared_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .reason = "The second reader comes just before the end of the first one's lease.",
     .prepare = a_reader_comes_late},
    {.id = "cuts-the-lease-of-others",
     .mistake = "the last reader's lease is that of all, also when it is shorter",
     .host = &shared_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .reason = "A reader with a lease of 8 s works for 5; one with 4 s comes beside it, and the set ends 4 s "
               "later.",
     .prepare = readers_with_unequal_leases},
    {.id = "first-reader-out-sends-all-home",
     .mistake = "a reader's release deletes the whole set",
     .host = &shared_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .reason = "Two readers hold, one leaves, a writer comes.",
     .prepare = readers_and_a_writer},
};

}  // namespace holdfast::zoo
