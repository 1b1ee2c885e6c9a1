// The workloads, explained.
#include <array>

#include "reports/lessons.hpp"
#include "sim/scenario/workload.hpp"

namespace holdfast::reports {
namespace {

constexpr std::array workloads{
    Lesson{"contend", "Clients acquire, work, write and release; a refused client asks once more",
           "The default. The work is shorter than the lease, so that a lock breaks by a fault and not by too "
           "short a lease. For locks that renew their lease the work is longer, because a renewal that is "
           "never sent cannot fail.",
           "./holdfast check token"},
    Lesson{"try-once", "As contend, but a refused client does not ask again",
           "So do scheduled jobs: if another client has the lock, it does the job. No client waits, so none "
           "starves; failures are between the holder and the lease.",
           "./holdfast check shedlock --workload try-once --faults none,pause"},
    Lesson{"short-section", "The work is shorter than the lease, also for locks that renew it",
           "The watchdog never has to renew. Compare it with contend: if both give the same verdicts, the "
           "watchdog neither helped nor harmed; if only this one holds, the renewal fails.",
           "./holdfast check token-watchdog --workload short-section --faults pause,late-request"},
    Lesson{"section-as-lease", "The work takes as long as the lease",
           "The lease began when the server carried the request out, so it ends before work that takes as "
           "long, by as much as the reply took. A lease as long as the work is too short.",
           "./holdfast check token --workload section-as-lease --faults none"},
    Lesson{
        "long-section", "The work takes twice as long as the lease",
        "Without any fault the lease ends under its holder, unless it is renewed, or the holder stops at a "
        "deadline. This workload shows what each lock then does to the next holder.",
        "./holdfast compare --workload long-section --faults none"},
    Lesson{
        "closed-load", "A client that has finished comes again at once: twice as many rounds",
        "Each client ends its round before it asks again. What one round leaves behind (a token, a counter, "
        "an answer on its way) meets the next round of the same client.",
        "./holdfast check getset --workload closed-load --faults none,late-request"},
    Lesson{"open-load", "Clients come one after the other, whether the ones before are done or not",
           "They come half a lease apart, like independent requests. A later client meets a holder at work, "
           "or a lease that is about to end.",
           "./holdfast check token --workload open-load --faults pause"},
    Lesson{
        "readers-writers", "The last client writes, the others read",
        "Readers ask for the lock in shared mode and may hold it together; the writer excludes them all. "
        "With --clients 3 there are two readers. Locks without readers treat all clients alike; this "
        "workload does not apply to them.",
        "./holdfast check fair-rw --workload readers-writers --clients 3 --attempts 1 --faults none,pause"},
    Lesson{"reader-flood", "The last client writes, and the readers come three times as often",
           "If a reader may always join other readers, a writer waits until no reader comes any more. "
           "readers-writers with --properties bounded-bypass says how often it can be overtaken, in runs "
           "without end.",
           "./holdfast check fair-rw --workload reader-flood --attempts 1 --faults none"},
    Lesson{"writer-flood", "The last client reads, and the writers come three times as often",
           "The reverse: a rule that keeps readers from starving the writers may starve the readers.",
           "./holdfast check fair-rw --workload writer-flood --attempts 1 --faults none"},
    Lesson{"nested", "The holder acquires the lock once more, and releases it twice",
           "A function that takes a lock calls another that takes the same one. Locks that do not count "
           "refuse their own holder, or free the lock at the first release. --properties reentrancy judges "
           "only this; here all other properties are judged, too.",
           "./holdfast check reentrant --workload nested --faults none,crash"},
    Lesson{"cache-fill", "A client that does not find the value in the cache fetches it under the lock",
           "Look up, lock, look up again, fetch, store, release: the lock lets only one client fetch. "
           "--properties single-fill judges only this; here exclusion, release and recovery are judged, too.",
           "./holdfast check resty-lock --workload cache-fill --faults none,pause"},
    Lesson{"read-modify-write", "The holder reads, works, and writes what follows from what it read",
           "The resource is a register. If another client has written since the read, that write is lost; "
           "--fencing says whether the resource compares fencing tokens. --properties no-lost-update judges "
           "only this; here all other properties are judged, too.",
           "./holdfast check fenced --workload read-modify-write --fencing first-read --faults pause"},
    Lesson{"crowd", "After the faults somebody asks at least twice within any lease",
           "Many clients that ask now and then ask often together. Where every client that asks sets the "
           "expiry anew, the lock lives as long as clients ask, though its holder is dead; one client that "
           "waits in peace for the lease to end would get it.",
           "./holdfast check token --workload crowd --faults crash"},
    Lesson{
        "cron", "Every client wants to do one job in each period, and asks once for it",
        "Clients of a scheduler: each comes to the period when its clock says so, up to half a lease after "
        "the others, asks once for the lock, does the job and gives the lock back. A period lasts three "
        "leases; --rounds says how many there are. --properties once-per-period judges only whether each "
        "job was done once; here exclusion, release and recovery are judged, too. In a scenario a lock may "
        "be kept, or have a name in each period (\"locks\": \"period\").",
        "./holdfast check token --properties once-per-period --faults none,crash"},
};
static_assert(workloads.size() == workload_ids.size());

}  // namespace

std::span<const Lesson> workload_lessons() { return workloads; }

}  // namespace holdfast::reports
