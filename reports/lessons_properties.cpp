// The properties, explained.
#include <array>

#include "reports/lessons.hpp"
#include "sim/core/vocabulary.hpp"

namespace holdfast::reports {
namespace {

constexpr std::array lessons{
    Lesson{"mutual-exclusion", "No two clients believe at once that they hold the lock",
           "This is what a lock is for. It is judged by what the clients believe, not by what the store "
           "says: a client acts on its belief. Two readers that share the lock do not disturb each other; a "
           "writer excludes everybody. When a client ceases to believe depends on the belief that was "
           "chosen, and many quarrels about the safety of a lock are really about this. No lock with an "
           "expiry keeps this property when its holder can be stopped for longer than the lease.",
           "./holdfast check token --faults pause"},
    Lesson{"no-stale-write", "No guarded write arrives after the lock was granted to somebody else",
           "Between the last look at the clock and the arrival of a write some time passes, and in it the "
           "lock may change hands. Then a write lands on work that the next holder has already begun, even "
           "if the two beliefs never overlapped. So a lock can keep mutual exclusion and still lose this "
           "property. It is the property that the data cares about. A resource that refuses old fencing "
           "tokens restores it.",
           "./holdfast check token --faults pause --belief deadline-from-request"},
    Lesson{"fenced-writes", "The resource never accepts a lower fencing token after a higher one",
           "Each grant carries a number that is greater than all before it, and every write shows its "
           "number. The resource remembers the highest that it has seen and refuses the rest. With that, a "
           "client that was stopped for an hour does no harm: its write comes with an old number. The price "
           "is that the resource must take part. It says nothing about reading first and writing later; see "
           "no-lost-update.",
           "./holdfast check fenced --faults pause --property fenced-writes --fencing first-write"},
    Lesson{
        "fence-order", "Of two grants, the one whose key was written later has the greater number",
        "A fencing number is worth something only if it grows in the order in which clients own the lock. "
        "That order is the one in which their keys were written in the store; when their grants arrived "
        "says nothing of it. Who takes a number in one command and the lock in another can get the smaller "
        "number for the later lock, and so can a server that restarts and counts from one again. The "
        "numbers are compared with each other, whatever the resource does with them. A lock whose grants "
        "bring no numbers is not judged, nor is a grant whose key was never seen on the first server.",
        "./holdfast check fenced --faults restart --property fence-order"},
    Lesson{"rightful-write", "The resource does not refuse a write of who holds the lock",
           "A resource that refuses old numbers is to keep late writers out, not those who hold the lock. If "
           "it compares numbers as texts, 10 is older than 9, and from the tenth grant on it refuses the "
           "holder. If the count is lost with the server, it refuses everybody until the count has caught "
           "up. A write is rightful as long as its client believes, its key still stands and nobody else was "
           "granted the lock since. It is judged where the resource looks at numbers (--fencing).",
           "./holdfast check fenced --faults restart --property rightful-write --fencing first-write"},
    Lesson{"no-lost-update", "What is read, changed and written back under the lock loses nothing",
           "Two clients read a counter, both add one, both write: one of the additions is gone. Fencing the "
           "writes alone does not prevent it, because the old holder may write just before the new one, who "
           "has read already. The resource has to learn of the new holder at its first access, also when "
           "that is a read. This is why the property is judged apart from fenced-writes.",
           "./holdfast check fenced --faults pause --property no-lost-update --fencing first-write"},
    Lesson{"owner-only-release", "Nobody removes a lock that is another client's current grant",
           "The classic mistake: a holder is slow, its key expires, another client gets the lock, and then "
           "the first one deletes the key, which is by now not its own. A third client walks in. The remedy "
           "is a value that only the owner knows, and a release that compares and deletes in one script: "
           "two commands would leave a gap between them. A client that cleans up expired locks of others "
           "has to be just as careful.",
           "./holdfast check set-nx-px --faults slow-section"},
    Lesson{"owner-only-change", "Nobody changes another client's current grant in any other way",
           "A lock can be spoiled without being removed: by overwriting its value, or by giving it another "
           "expiry. GETSET does the first even when it loses the race, because it writes before it looks. "
           "An EXPIRE by a client that was refused does the second. The holder then releases a lock that no "
           "longer carries its mark, or keeps it longer than it knows.",
           "./holdfast check getset"},
    Lesson{"truthful-release", "Release does not report success for a lock that was lost",
           "The holder has finished, releases, and is told that all is well, although the lock had passed "
           "to somebody else in between. An honest release says so, and the caller can repeat, repair or "
           "raise an alarm. A plain DEL cannot be honest: it does not know whose key it removes. The "
           "property does not demand that the lock was kept, only that its loss is not hidden.",
           "./holdfast check set-nx-px --faults slow-section"},
    Lesson{"recovery", "After the last fault, the lock can be acquired again within the bound",
           "Faults happen, but they end. Then the network is quiet, everything in flight has landed, and a "
           "new client tries to get the lock. If it cannot within the bound, although nobody is entitled to "
           "keep the lock, the lock is stuck. A lock without expiry is stuck after a crash; one that sets "
           "its expiry in a second command is stuck when that command is lost. Such a lock needs a person "
           "to remove a key by hand, at night.",
           "./holdfast check setnx --faults crash"},
    Lesson{
        "progress", "Who waits, or comes back, gets a free lock within the bound",
        "A new client may get a lock that an old one never gets again. A waiter that computed its sleep from "
        "the answer that there is no key (-2) sleeps for weeks beside a free lock; one that missed the "
        "notification waits for another. A lock object that remembers in the process that it is taken, and "
        "forgets to take that back when the server refuses, refuses its own client for ever. So waiters are "
        "looked at where the lock is free and nothing will wake them within the bound; and when a new client "
        "was granted the lock in the calm phase and gave it back, each old one comes back with the lock "
        "object that it has. Of a lock that keeps nothing between calls, an old object is as a new one.",
        "./holdfast run a-waiter-that-stops-before-its-blpop-sleeps-for-ever"},
    Lesson{
        "availability", "A new client gets the lock although one of several servers never answers",
        "Locks on several servers promise to survive the loss of some. They do so only if a majority is "
        "enough in every step: a lock that waits for all answers, or whose lease is over when the timeout of "
        "the silent server has passed, is worse than one on a single server. One server, any of them, never "
        "answers; when all others have finished, a new client asks, alone. It is recovery in that world. Of "
        "locks that have no majority without one server, nothing is said.",
        "./holdfast check redlock --properties availability --faults none"},
    Lesson{
        "livelock", "Clients that ask do not go on for ever without anybody being granted the lock",
        "Three clients ask three servers, each gets one, all give back and ask again after the same time: "
        "nobody stands still, and nobody is ever granted anything. It is asked of clients that never stop, "
        "on the graph of all states: a state from which no grant can be reached any more, whatever comes, is "
        "a livelock, shown as the way into it and once round. Chance is fair: jitter that would break the "
        "circle breaks it. Messages between one client and one server always take the same time, any within "
        "the bounds: that may stay so for ever. A lock that is stuck after a fault is shown here, too; see "
        "recovery. Of locks that read clocks it is unknown.",
        "./holdfast check redlock --properties livelock --faults none"},
    Lesson{"bounded-bypass", "A waiting client is overtaken at most so many times",
           "A lock may be safe and still unfair: somebody waits and waits, and others always come first. "
           "Locks whose waiters try again at random promise nothing here; only a queue does. The number of "
           "times that a waiter can be overtaken says more than an average waiting time, because it does "
           "not depend on luck. It is asked of clients that never stop (--rounds and --attempts mean nothing "
           "here), and decided on the graph of all states: a circle in which one client keeps asking, time "
           "passes and others are granted the lock is starvation, shown as the way into it and once round. "
           "Without such a circle, the longest way is the bound. A client that waits while nobody is granted "
           "anything does not count: that is recovery. Locks that read clocks never come back to a state, so "
           "of them it is unknown.",
           "./holdfast check token --properties bounded-bypass --faults none"},
    Lesson{"reentrancy", "A holder may acquire the lock once more without waiting for itself",
           "Code that holds a lock often calls code that takes the same lock. A reentrant lock counts how "
           "often its holder came in, and frees itself when it has left as often. One that is not reentrant "
           "waits for itself until its lease ends. The count has to be kept where it survives what the lock "
           "survives.",
           "./holdfast check reentrant --properties reentrancy"},
    Lesson{"single-fill", "The backend is asked once for each miss of the cache",
           "Many clients miss the same entry at the same time. One of them should fetch it, under a lock; "
           "the others should wait and find it filled. That needs a second look into the cache after the "
           "lock was granted. Without it, or when the lock gives way too early, the backend gets the very "
           "flood that the cache was to keep away.",
           "./holdfast run without-a-second-look-the-backend-is-asked-twice"},
};
static_assert(lessons.size() == property_ids.size());

}  // namespace

std::span<const Lesson> property_lessons() { return lessons; }

}  // namespace holdfast::reports
