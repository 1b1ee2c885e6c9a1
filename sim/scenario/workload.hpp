// What the clients of a comparison do. Scenario files write it out, line by line.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace holdfast {

enum class Workload : std::uint8_t {
  contend,            // all write; the work is shorter than the lease, except for locks that renew it
  try_once,           // a refused client does not ask again
  short_section,      // the work is shorter than the lease, of locks that renew it, too
  section_as_lease,   // the work takes as long as the lease
  long_section,       // the work takes twice as long as the lease
  closed_load,        // a client that has finished comes again at once: twice as many rounds
  open_load,          // clients come one after the other, whether the ones before are done or not
  readers_writers,    // the last client writes, the others read
  reader_flood,       // the same, and readers come three times as often
  writer_flood,       // the last client reads, and the writers come three times as often
  nested,             // the holder acquires it again
  cache_fill,         // a client that misses the cache fetches under the lock
  read_modify_write,  // the holder reads, works, and writes what follows from its read
  crowd,              // after the faults somebody asks at least twice within any lease
  cron,               // every client wants to do one job in each period, and asks once for it
};
inline constexpr std::array<std::string_view, 15> workload_ids{
    "contend",           "try-once",     "short-section", "section-as-lease",
    "long-section",      "closed-load",  "open-load",     "readers-writers",
    "reader-flood",      "writer-flood", "nested",        "cache-fill",
    "read-modify-write", "crowd",        "cron"};
constexpr std::string_view id_of(Workload workload) {
  return workload_ids[static_cast<std::size_t>(workload)];
}

}  // namespace holdfast
