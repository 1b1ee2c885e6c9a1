// The workloads, explained.
#include <array>

#include "reports/lessons.hpp"
#include "sim/scenario/workload.hpp"

namespace holdfast::reports {
namespace {

constexpr std::array workloads{
    Lesson{"contend", "Clients acquire, work, write and release; who is refused comes back once",
           "The usual one. The work is shorter than the lease, so that a lock breaks by a fault and not by "
           "what it never promised. Of locks that renew their lease it is longer, because a renewal that is "
           "never sent cannot fail.",
           "./holdfast check token"},
    Lesson{"try-once", "As contend, but a client that is refused does not come back",
           "So do scheduled jobs: if another has the lock, it does the job. Nobody waits, so nobody starves, "
           "and what is left to go wrong is between the holder and the lease.",
           "./holdfast check shedlock --workload try-once --faults none,pause"},
    Lesson{
        "short-section", "The work is shorter than the lease, of locks that renew it, too",
        "A watchdog that never gets to renew is never tried. Compare it with contend: where both give the "
        "same verdicts, the watchdog neither helped nor harmed; where this one holds and contend does not, "
        "it is the renewal that fails.",
        "./holdfast check token-watchdog --workload short-section --faults pause,late-request"},
    Lesson{"section-as-lease", "The work takes as long as the lease",
           "The lease began when the server carried the request out, so it ends before work that takes as "
           "long, by as much as the reply took. A lease that was measured by the work alone is too short.",
           "./holdfast check token --workload section-as-lease --faults none"},
    Lesson{
        "long-section", "The work takes twice as long as the lease",
        "Without any fault the lease ends under its holder, unless it is renewed, or the holder stops at a "
        "deadline. What each lock then does to the next holder is what this workload shows.",
        "./holdfast compare --workload long-section --faults none"},
    Lesson{
        "closed-load", "A client that is done comes again at once: twice as many rounds",
        "Each waits for its own turn to end before it asks again. What one round leaves behind, a token, a "
        "counter, an answer that is still on its way, meets the next round of the same client.",
        "./holdfast check getset --workload closed-load --faults none,late-request"},
    Lesson{"open-load", "Clients come one after the other, whether the ones before are done or not",
           "They come half a lease apart, as requests of users do, who do not know of each other. Who comes "
           "later meets a holder in its work, or a lease that is about to end.",
           "./holdfast check token --workload open-load --faults pause"},
    Lesson{
        "readers-writers", "The last client writes, the others read",
        "Readers ask for the lock in shared mode and may hold it together; the writer excludes them all. "
        "With --clients 3 there are two readers. Locks without readers treat all alike, and this workload "
        "says nothing of them.",
        "./holdfast check fair-rw --workload readers-writers --clients 3 --attempts 1 --faults none,pause"},
    Lesson{"reader-flood", "The last client writes, and the readers come three times as often",
           "Where a reader may always join those who read, a writer waits until none comes any more. How "
           "often it can be overtaken, in runs without end, is asked of readers-writers with --properties "
           "bounded-bypass.",
           "./holdfast check fair-rw --workload reader-flood --attempts 1 --faults none"},
    Lesson{"writer-flood", "The last client reads, and the writers come three times as often",
           "The other way round: what keeps readers from starving the writers may starve the readers.",
           "./holdfast check fair-rw --workload writer-flood --attempts 1 --faults none"},
    Lesson{"nested", "The holder acquires the lock once more, and releases it twice",
           "A function that takes a lock calls another that takes the same one. Locks that do not count turn "
           "their own holder away, or free the lock at the first release. --properties reentrancy alone asks "
           "this; here everything else is judged, too.",
           "./holdfast check reentrant --workload nested --faults none,crash"},
    Lesson{"cache-fill", "A client that does not find the value in the cache fetches it under the lock",
           "Look up, lock, look up again, fetch, store, release: the lock is to keep all but one from "
           "fetching. --properties single-fill alone asks whether it does; here exclusion, release and "
           "recovery are judged, too.",
           "./holdfast check resty-lock --workload cache-fill --faults none,pause"},
    Lesson{"read-modify-write", "The holder reads, works, and writes what follows from what it read",
           "The resource is a register. If another has written since the read, that write is lost; "
           "--fencing says whether the resource looks at the numbers of grants. --properties no-lost-update "
           "alone asks this; here everything else is judged, too.",
           "./holdfast check fenced --workload read-modify-write --fencing first-read --faults pause"},
};
static_assert(workloads.size() == workload_ids.size());

}  // namespace

std::span<const Lesson> workload_lessons() { return workloads; }

}  // namespace holdfast::reports
