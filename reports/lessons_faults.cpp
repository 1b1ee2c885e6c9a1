// The faults, explained.
#include <array>

#include "reports/lessons.hpp"
#include "sim/core/vocabulary.hpp"

namespace holdfast::reports {
namespace {

constexpr std::array texts_of_faults{
    Lesson{"none", "Nothing goes wrong",
           "No process dies, no message is lost and every clock is right. Messages still take time, clients "
           "still race, and the order in which their requests reach the server is still open: every order is "
           "tried. A lock that fails here has a wrong design or wrong code. Look at this column first: a "
           "failure in it explains most of the failures to its right.",
           "./holdfast check set-nx-px-as-printed --faults none"},
    Lesson{"crash", "A client process dies, forgets everything, and is started again",
           "Nothing of the process survives: no variable, no token, no cleanup code. Requests that it had "
           "already sent stay on their way and still take effect. Keys that it wrote stay in the store until "
           "a client removes them or they expire. So a lock without an expiry is stuck for ever, and so is "
           "one that sets its expiry in a second command, when the crash comes between the two. After a "
           "while the process starts again, from its first line.",
           "./holdfast check setnx --faults crash"},
    Lesson{"pause", "A client stops for a while, then goes on as if nothing had happened",
           "Garbage collection, a suspended machine, a disk that does not answer: the process executes "
           "nothing, and it cannot notice. Meanwhile its lease ends and another client gets the lock. When "
           "the process goes on, it is in the middle of its guarded work and still believes that it holds "
           "the lock. No check by the client helps, however late, because the pause can come right after it. "
           "Only the resource can refuse such a write, by comparing fencing tokens.",
           "./holdfast check token --faults pause"},
    Lesson{"slow-section", "The guarded work takes longer than the lease",
           "The client is awake and busy, only slower than its author thought. Its lease ends while it "
           "works, the key expires, and another client may get the lock. Unlike in a pause, the client could "
           "look at its clock before it writes, or extend its lease as it goes. A lock that does neither "
           "behaves exactly as under a pause. At the release, a plain DEL removes the lock of the next "
           "holder.",
           "./holdfast check set-nx-px --faults slow-section"},
    Lesson{"late-request", "A request arrives long after its sender gave up waiting",
           "Networks and proxies hold messages back, and drivers send them again. The client gets no answer, "
           "its timeout ends, and it goes on without knowing whether the request will still take effect. "
           "Later it does: a late SET can create a lock without a holder, and a late DEL can delete the lock "
           "of another client. Locks whose commands name the owner survive this better.",
           "./holdfast check set-nx-px --faults late-request"},
    Lesson{"late-reply", "The request takes effect in time, but its reply arrives late",
           "The server has granted the lock and the lease is running, while the client still waits for the "
           "reply. When the reply arrives, much of the lease is over, or all of it. A client that counts the "
           "lease from the arrival of the reply believes longer than the store does; one that counts from "
           "the moment at which it sent the request does not. A reply after the timeout is dropped, and the "
           "client does not know whether it holds the lock.",
           "./holdfast check token --faults late-reply --belief deadline-from-reply"},
    Lesson{"lost-request", "A request never arrives",
           "The store never sees the command, and the client never gets an answer. To the client, this looks "
           "exactly like a lost reply: it cannot tell whether the command was carried out. If the lost "
           "command was a release, the lock stays until its expiry. If it was the command that sets the "
           "expiry, the lock has none, and stays for ever when its holder dies.",
           "./holdfast check setnx-expire --faults lost-request"},
    Lesson{"lost-reply", "The request takes effect, but its reply never arrives",
           "The store carried the command out, but the client does not know. After a lost reply to an "
           "acquire, the lock is taken and no client believes that it holds it: its expiry ends this, and "
           "without an expiry nothing does. A client that sends the same command again is told that the lock "
           "is taken: by itself. No crash is needed for this: one broken connection is enough.",
           "./holdfast check setnx-expire --faults lost-reply"},
    Lesson{"duplicate", "The driver sends a request twice",
           "Many drivers repeat a request by themselves when the connection breaks before the reply. The "
           "server then carries the command out twice, and the client sees only the second answer. For SET "
           "with NX the second answer says that the lock is taken, although the client itself took it. For a "
           "plain DEL the second copy can arrive after another client has got the lock. Commands that name "
           "their owner can be repeated without harm.",
           "./holdfast explain late-request"},
    Lesson{"clock-skew", "One client's wall clock is wrong by a constant",
           "Clocks of machines differ, some by minutes. If a lock keeps its expiry as a timestamp in the "
           "value, each client judges it by its own clock. A client whose clock is ahead takes over a lock "
           "that its holder still uses; one whose clock is behind waits too long. Locks that leave the "
           "expiry to the server depend on one clock only. Durations measured by a steady clock are not "
           "affected either.",
           "./holdfast check getset --faults clock-skew"},
    Lesson{"clock-jump", "One client's wall clock is set forward or back while it runs",
           "An administrator, a time daemon or a virtual machine that wakes up may move the wall clock by "
           "any amount. A deadline that was computed from it moves along: it passes at once, or far too "
           "late. A steady clock never jumps, which is why timeouts and leases should be measured with one. "
           "Compare it with clock-skew, where the error is there from the beginning and does not change.",
           "./holdfast explain clock-skew"},
    Lesson{"server-clock-jump", "The server's own clock is set forward or back",
           "Redis decides by its wall clock when a key has expired. When that clock jumps forward, leases "
           "end early, all at once, while their holders still believe in them. When it jumps back, leases "
           "last longer than the clients expect. Clients cannot see this; only a resource that checks "
           "fencing tokens is safe from it.",
           "./holdfast explain pause"},
    Lesson{"restart", "The server restarts and has lost its data",
           "A server without persistence, or with its last second not yet on disk, comes back empty. Every "
           "lock is gone, and the next client that asks gets it, while the former holder is still at work. "
           "No protocol between clients and one such server can prevent that. The server could wait for one "
           "lease before it takes requests again, or the lock could need a majority of several servers.",
           "./holdfast check token --faults restart"},
    Lesson{"failover", "An asynchronous replica takes over",
           "The primary confirms a write before its replicas have it. If it dies in between, the replica "
           "that takes its place does not have the key, and grants the lock again. It is the same loss as in "
           "a restart, but of the last writes only, and it happens in highly available installations.",
           "./holdfast explain restart"},
    Lesson{"partition", "Some clients cannot reach some servers for a while",
           "Both sides are alive, but the messages between them are dropped. The client sees timeouts, and "
           "cannot distinguish them from slow servers. With one server, a cut-off holder cannot release or "
           "renew, so its lease ends while it may still reach the resource. With several servers, the lock "
           "must make sure that two clients cannot both get a majority.",
           "./holdfast explain lost-request"},
    Lesson{"eviction", "The server drops a key that has not expired",
           "A server that runs out of memory may drop keys, by its policy. A lock that is an ordinary key in "
           "a shared cache can vanish like any other entry. The next client gets it while the holder is "
           "still at work, as after a restart. Keep locks on a server that never evicts.",
           "./holdfast explain restart"},
    Lesson{"cancel", "The caller cancels an operation in flight",
           "A user closes the page, a request reaches its deadline, a context is cancelled: the code that "
           "waits for the lock is told to stop. The requests that it sent cannot be taken back. If the "
           "acquire still takes effect, the lock is taken and has no holder. A good library then sends a "
           "release, and expects that this release may be lost, too.",
           "./holdfast explain lost-reply"},
    Lesson{
        "session-lost", "The server ends the session of a client that lives",
        "An administrator terminates a backend of PostgreSQL, revokes a lease of etcd or ends a session of "
        "ZooKeeper; an idle timeout "
        "or a pooler does the same. All that the session held is free at once, and the next client gets "
        "it, while the client that had it works on. It learns what its store tells: one of PostgreSQL "
        "that its connection is gone, with its next statement; one of etcd that its lease is, with its "
        "next keep-alive, and one of ZooKeeper that its session is, with its next ping. No pause and no "
        "delay is needed: the shortest way to two holders. Redis and nginx "
        "keep nothing by session, so there it strikes nothing.",
        "./holdfast check pg-advisory --fault session-lost"},
};
static_assert(texts_of_faults.size() == fault_ids.size());

}  // namespace

std::span<const Lesson> fault_lessons() { return texts_of_faults; }

}  // namespace holdfast::reports
