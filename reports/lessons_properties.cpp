// The properties, explained.
#include <array>

#include "reports/lessons.hpp"
#include "sim/core/vocabulary.hpp"

namespace holdfast::reports {
namespace {

constexpr std::array texts_of_properties{
    Lesson{"mutual-exclusion", "No two clients believe at once that they hold the lock",
           "This is what a lock is for. It is judged by what the clients believe, not by what the store "
           "says: a client acts on its belief. Two readers may share the lock; a writer excludes all others. "
           "A semaphore for n has n holders at most, and is explored with one client more. "
           "The parameter belief says when a client stops believing. No lock with an expiry keeps this "
           "property when its holder can be paused for longer than the lease.",
           "./holdfast check token --faults pause"},
    Lesson{"no-stale-write", "No guarded write arrives after the lock was granted to another client",
           "Between the last look at the clock and the arrival of a write time passes, and another client "
           "may be granted the lock. Then the write lands after the next holder has begun, even if the two "
           "beliefs never overlapped. So a lock can keep mutual exclusion and still break this property. It "
           "is the property that protects the data. A resource that refuses old fencing tokens restores it.",
           "./holdfast check token --faults pause --belief deadline-from-request"},
    Lesson{"fenced-writes", "The resource never accepts a lower fencing token after a higher one",
           "Each grant has a number that is greater than all before it, and every write carries this number. "
           "The resource remembers the highest number that it has seen and refuses lower ones. Then a client "
           "that was paused for an hour does no harm: its write has an old number. The resource must support "
           "this. It does not protect a write that follows from an earlier read; see no-lost-update.",
           "./holdfast check fenced --faults pause --property fenced-writes --fencing first-write"},
    Lesson{
        "fence-order", "Of two grants, the one whose key was written later has the greater number",
        "A fencing number is worth something only if it grows in the order in which clients own the lock. "
        "That order is the one in which their keys were written in the store, not the one in which their "
        "grants arrived. A client that takes the number in one command and the lock in another can get the "
        "smaller number for the later lock; so can a client of a server that restarted and counts from one "
        "again. The numbers are compared with each other; the resource does not matter. A lock whose grants "
        "bring no numbers is not judged, nor is a grant whose key was never seen on the first server.",
        "./holdfast check fenced --faults restart --property fence-order"},
    Lesson{"rightful-write", "The resource does not refuse a write of the holder",
           "A resource that refuses old numbers must refuse late writers, not the holder. If it compares "
           "numbers as texts, 10 is older than 9, and from the tenth grant on it refuses the holder. If the "
           "count is lost with the server, it refuses all clients until the count has caught up. A write is "
           "rightful as long as its client believes, its key still exists and no other client was granted "
           "the lock since. It is judged when the resource compares numbers (--fencing).",
           "./holdfast check fenced --faults restart --property rightful-write --fencing first-write"},
    Lesson{"no-lost-update", "What is read, changed and written back under the lock loses nothing",
           "Two clients read a counter, both add one, both write: one of the additions is gone. Fencing the "
           "writes alone does not prevent it, because the old holder may write just before the new one, who "
           "has read already. The resource must see the number of the new holder at its first access, also "
           "when that is a read. So the property is judged apart from fenced-writes.",
           "./holdfast check fenced --faults pause --property no-lost-update --fencing first-write"},
    Lesson{"owner-only-release", "No client removes another client's current grant",
           "The classic mistake: a holder is slow, its key expires, another client gets the lock, and then "
           "the first one deletes the key of the new owner. A third client gets the lock, too. The remedy is "
           "a value that only the owner knows, and a release that compares and deletes in one script: "
           "between two commands the key may change. A client that removes expired locks of others must do "
           "the same.",
           "./holdfast check set-nx-px --faults slow-section"},
    Lesson{"owner-only-change", "No client changes another client's current grant in any other way",
           "A lock can be spoiled without being removed: by overwriting its value, or by giving it another "
           "expiry. GETSET does the first even when it loses the race, because it writes before it compares. "
           "An EXPIRE by a refused client does the second. The holder then cannot release the lock, whose "
           "value is another's, or holds it for longer than it knows. A late renewal of what the same client "
           "held before is no such change.",
           "./holdfast check getset"},
    Lesson{"truthful-release", "Release does not report success for a lock that was lost",
           "The holder has finished, releases, and is told that all is well, although another client got the "
           "lock in between. A truthful release says so, and the caller can repeat, repair or raise an "
           "alarm. A plain DEL cannot be truthful: it does not know which client's key it removes. The "
           "property does not require that the lock was kept, only that its loss is reported.",
           "./holdfast check set-nx-px --faults slow-section"},
    Lesson{"release-frees", "What was released or refused keeps nobody out",
           "The commonest defect of all, and the quietest: the release finds nothing to delete, because a "
           "serializer or decode_responses has made the stored token another text than the one that it "
           "compares, or it deletes one key of two. Every holder is content, and the next one waits for the "
           "end of the lease. So the property asks what stands when release() returns, whatever it says: "
           "nothing that its own grant wrote. The same goes for a refused client that had taken some of "
           "several servers. Not judged is a call that a fault strikes, that comes after the lease, or that "
           "goes on in the background.",
           "./holdfast run a-release-that-compares-another-text-frees-nothing"},
    Lesson{"recovery", "After the last fault, the lock can be acquired again within the bound",
           "Faults happen, but they end. Then the network is quiet, everything in flight has landed, and a "
           "new client tries to get the lock. If it cannot within the bound, although no client holds the "
           "lock, the lock is stuck. A lock without expiry is stuck after a crash; one that sets its expiry "
           "in a second command is stuck when that command is lost. An operator then has to remove the key "
           "by hand.",
           "./holdfast check setnx --faults crash"},
    Lesson{
        "progress", "A client that waits, or comes back, gets a free lock within the bound",
        "A new client may get a lock that an old one never gets again. A waiter that computes its sleep from "
        "the answer \"no key\" (-2) may sleep for weeks beside a free lock; one that missed the notification "
        "waits for another. A lock object that stays marked as taken after the server has refused, refuses "
        "its own client for ever. So the property is violated when the lock is free and nothing will wake a "
        "waiter within the bound. And after a new client was granted the lock in the calm phase and gave it "
        "back, each old client comes back with its lock object. If a lock keeps nothing between calls, an "
        "old object is like a new one.",
        "./holdfast run a-waiter-that-stops-before-its-blpop-sleeps-for-ever"},
    Lesson{
        "availability", "A new client gets the lock although one of several servers never answers",
        "Locks on several servers promise to survive the loss of some. They do so only if a majority is "
        "enough in every step: a lock that waits for all answers, or whose lease is over when the timeout of "
        "the silent server has passed, is worse than one on a single server. One server, any of them, never "
        "answers; when all clients have finished, a new client asks, alone: recovery with a server away. It "
        "does not apply to locks that have no majority without one server.",
        "./holdfast check redlock --properties availability --faults none"},
    Lesson{
        "livelock", "Clients do not ask for ever without any client being granted the lock",
        "Three clients ask three servers, each gets one, all give back and ask again after the same time: "
        "all clients are active, and none is ever granted the lock. Clients never stop here, and the graph "
        "of all states decides: a state from which no grant can be reached any more is a livelock, shown as "
        "a lasso: the stem that leads to it, and its loop once. Chance is fair: jitter that can leave the "
        "loop leaves it. Messages between one client and one server always take the same time, any within "
        "the bounds, for ever. A lock that is stuck after a fault is shown here, too; see recovery. For "
        "locks that read clocks the verdict is unknown.",
        "./holdfast check redlock --properties livelock --faults none"},
    Lesson{"bounded-bypass", "A waiting client is overtaken at most so many times",
           "A lock may be safe and still unfair: one client waits, and others are always granted the lock "
           "first. Locks whose waiters try again at random promise nothing here; only a queue does. The "
           "number of times that a waiter can be overtaken does not depend on luck, unlike an average "
           "waiting time. Clients never stop here (--rounds and --attempts have no effect), and the graph of "
           "all states decides: a lasso in whose loop one client keeps asking, time passes and others are "
           "granted the lock is starvation, shown as its stem and its loop once. Without such a lasso, the "
           "longest path is the bound. A client that waits while no client is granted the lock does not "
           "count: that is recovery. Locks that read clocks never return to a state, so for them the verdict "
           "is unknown.",
           "./holdfast check token --properties bounded-bypass --faults none"},
    Lesson{"reentrancy", "A holder may acquire the lock once more without waiting for itself",
           "Code that holds a lock often calls code that takes the same lock. A reentrant lock counts how "
           "often its holder acquired it, and is free after as many releases. The holder of one that is not "
           "reentrant waits for itself until its lease ends. The count must survive everything that the lock "
           "survives.",
           "./holdfast check reentrant --properties reentrancy"},
    Lesson{"single-fill", "The backend is asked once for each miss of the cache",
           "Many clients miss the same entry at the same time. One of them should fetch it, under a lock; "
           "the others should wait and find it filled. So a client must look into the cache again after the "
           "lock was granted. Without that, or when the lock ends too early, all requests reach the backend "
           "after all.",
           "./holdfast run without-a-second-look-the-backend-is-asked-twice"},
    Lesson{
        "once-per-period", "The job of a period is done once, not twice, and not never if a client is there",
        "The clients of a scheduler come to the same period at different times, for their clocks differ. "
        "The one that is granted the lock does the job. Twice: the job was shorter than the difference, "
        "and its lock was given back, or ended, before the last client came; a lock for a scheduler must "
        "be kept for as long as clocks may differ, or have the number of the period in its name. Never: a "
        "client came to the period and to its end, and the job was not done by anybody, because who "
        "held the lock died, was told nothing, or still held that of the period before. A job whose "
        "client died before its end was not done, and may be begun again. A client that is late leaves out "
        "the periods whose time has passed.",
        "./holdfast run a-short-job-is-done-by-every-scheduler-whose-clock-is-late"},
};
static_assert(texts_of_properties.size() == property_ids.size());

}  // namespace

std::span<const Lesson> property_lessons() { return texts_of_properties; }

}  // namespace holdfast::reports
