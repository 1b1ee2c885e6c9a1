#include "sim/scenario/specification.hpp"

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

using enum Fault;

// In each sentence: "its size" is the fault's `magnitude`, "a tick" is timing.tick.
constexpr std::array sentences{
    // --- what holds in every run ---
    Sentence{none,
             "Time passes in ticks. At each tick any number of actions happen, one after the other, in any "
             "order; an action whose latest instant has come happens before time passes on.",
             "none-1-two-clients-may-come-first"},
    Sentence{none, "A client begins its program at any tick from `start` to `startLate`.",
             "none-2-a-client-starts-late"},
    Sentence{none,
             "A message travels for any number of ticks from `delay.min` to `delay.max`. Messages may "
             "overtake each other, but for those that a server sends on one connection of a client's own.",
             "none-3-a-message-takes-its-time"},
    Sentence{none,
             "A server carries out a request at the instant at which it arrives, by its own clock, and its "
             "answer leaves at that instant.",
             "none-4-a-server-answers-at-once"},
    Sentence{none,
             "A client waits for an answer for `timeout` by its steady clock, from the moment at which the "
             "request left. When the answer and the timeout are both due, either comes first. The request "
             "stays on its way, and an answer that comes after the timeout is dropped.",
             "none-5-a-request-outlives-its-timeout"},
    Sentence{none, "A refused client asks again after any number of ticks from `retry` to `retryLate`.",
             "none-6-a-refused-client-comes-back-in-between"},
    Sentence{
        none,
        "Work and fetching last for any number of ticks from `atLeast` to `for`; a sleep lasts exactly as "
        "long as it says, by the steady clock of its client.",
        "none-7-work-may-be-short"},
    Sentence{none,
             "A key of Redis is alive through the last millisecond of its lease, by the clock of its server, "
             "and dead afterwards.",
             "none-8-a-key-lives-through-its-last-millisecond"},
    Sentence{none,
             "A request to shared memory (an nginx dictionary) takes no time, gets an answer at that instant "
             "and is never given up; steps of others may come in between.",
             "none-9-shared-memory-answers-at-once"},
    Sentence{
        none,
        "When every program has ended and nothing is on its way, no more faults strike: a new client asks "
        "for the lock `recoveryRounds` times, `recovery` apart, over the shortest delays.",
        "none-10-the-probe-comes-last"},
    Sentence{
        none,
        "A client whose belief may end by itself looks at it just before it reads or writes, and does not "
        "when it is over. A deadline that has come goes before all other actions of that instant; a grant "
        "whose deadline is over when it arrives is a refusal.",
        "none-11-a-belief-that-is-over-writes-nothing"},
    Sentence{
        none,
        "A lease of etcd lasts for its whole seconds, by a clock that nobody sets; its keys go at its end "
        "or half a second later, and not before.",
        "none-12-a-lease-of-etcd-ends-in-time-or-late"},
    Sentence{
        none,
        "The first period of a client begins when its program does, and each other one `every` after the "
        "one before, by its steady clock. A client that is busy then leaves out the periods whose time "
        "has passed when it is done; one that stands still begins its period late.",
        "none-13-a-period-whose-time-has-passed-is-left-out"},
    Sentence{none,
             "What a client still holds when its program has come to the end of a period is left to its "
             "lease: it is not released, and the client believes no more that it holds it.",
             "none-14-what-is-held-at-the-end-of-a-period-is-left-to-its-lease"},
    // --- crash ---
    Sentence{
        crash,
        "A client whose program runs may die at any tick: while it waits for an answer, sleeps or works.",
        "crash-1-while-a-request-is-on-its-way"},
    Sentence{crash, "It may die when its next request is about to leave: that one never leaves.",
             "crash-2-before-the-release-leaves"},
    Sentence{crash, "What it had sent stays on its way and takes effect; answers to it are dropped.",
             "crash-3-a-request-outlives-its-sender"},
    Sentence{crash,
             "Nothing else of it goes on: neither its claim nor what ran beside its program, such as "
             "renewals; connections of its own are closed.",
             "crash-4-renewals-end"},
    Sentence{
        crash,
        "It begins its program again, from the first line of its first round and with a new lock "
        "object, after any number of ticks from `restart` to `restartLate`; nothing that it knew is left.",
        "crash-5-it-comes-back-and-remembers-nothing"},
    Sentence{crash, "A client whose program has ended, or has not begun, does not die.",
             "crash-6-not-after-its-end"},
    Sentence{crash, "Clients that share its lock object die in the same moment.",
             "crash-7-all-that-share-its-lock-object"},
    Sentence{
        crash,
        "Its session with a PostgreSQL ends, and what that held is free; where a statement of it waits, the "
        "session ends after that statement.",
        "crash-8-the-session-of-a-database-ends"},
    // --- pause ---
    Sentence{pause,
             "A client may stop where it would go on: something that it waits for has come. It may also stop "
             "when its next request is about to leave, after its last look at a clock.",
             "pause-1-between-the-last-look-and-the-request"},
    Sentence{pause, "It stops for any number of ticks from one to its size.", "pause-2-of-any-length"},
    Sentence{pause, "It never stops for longer than its size.", "pause-3-never-longer"},
    Sentence{pause,
             "Nothing of a stopped client happens: answers, sleeps that have ended, timeouts and what runs "
             "beside its program, such as renewals, wait until it goes on.",
             "pause-4-renewals-stop-too"},
    Sentence{pause,
             "What it sent before stays on its way and takes effect; leases at servers, deadlines and all "
             "clocks go on.",
             "pause-5-leases-go-on"},
    Sentence{pause, "When it goes on, an answer and a timeout that are both due come in either order.",
             "pause-6-the-timeout-may-be-seen-first"},
    Sentence{pause, "A clock that it reads afterwards shows that time has passed.",
             "pause-7-a-clock-shows-it"},
    Sentence{pause, "A client whose program has ended does not stop.", "pause-8-not-after-its-end"},
    Sentence{pause, "It may stop between its look at its belief and the write that follows.",
             "pause-9-between-the-look-and-the-write"},
    Sentence{pause,
             "A session of ZooKeeper ends when nothing came for its timeout, by a clock that nobody sets, or "
             "up to "
             "a tick of two seconds later, and not before; all its nodes go at once.",
             "pause-10-a-session-of-zookeeper-ends-in-time-or-late"},
    // --- slow-section ---
    Sentence{
        slow_section,
        "Work or fetching under the lock may last longer than `for` says, by any number of ticks from one "
        "to its size.",
        "slow-section-1-of-any-length"},
    Sentence{slow_section, "It never lasts longer than that.", "slow-section-2-never-longer"},
    Sentence{slow_section, "Only the program waits: what the lock does beside it, such as renewals, goes on.",
             "slow-section-3-renewals-go-on"},
    // --- late-request ---
    Sentence{
        late_request,
        "A request to Redis may arrive later than `delay.max`: at any tick up to its size after it left.",
        "late-request-1-at-any-tick"},
    Sentence{late_request,
             "It takes effect also when its sender has given up, released, or been granted something else.",
             "late-request-2-takes-effect-all-the-same"},
    Sentence{late_request, "It never arrives later than that.", "late-request-3-never-later"},
    // --- late-reply ---
    Sentence{late_reply,
             "The answer of a Redis may arrive later than `delay.max`: at any tick up to its size after it "
             "left. The request has taken effect in time.",
             "late-reply-1-at-any-tick"},
    Sentence{late_reply, "Where its client has given up by then, the answer is dropped.",
             "late-reply-2-dropped-after-the-timeout"},
    Sentence{late_reply, "It never arrives later than that.", "late-reply-3-never-later"},
    // --- lost-request ---
    Sentence{lost_request,
             "A request to Redis may be lost: it is not carried out, and its client learns nothing but its "
             "timeout.",
             "lost-request-1-is-not-carried-out"},
    Sentence{lost_request, "No more are lost than the budget says.", "lost-request-2-not-twice"},
    Sentence{lost_request,
             "Where `driverRetries` allows it, a driver that got no answer in time sends the request again, "
             "at once. The last answer counts; what was sent before stays on its way. What goes over a "
             "connection of a client's own, or to several servers at once, is not sent again.",
             "lost-request-3-the-driver-asks-again"},
    // --- lost-reply ---
    Sentence{lost_reply,
             "The answer of a Redis may be lost: the request has taken effect, and its client learns nothing "
             "but its timeout.",
             "lost-reply-1-the-request-took-effect"},
    Sentence{lost_reply,
             "So may what an etcd tells of by itself: the connection breaks, and who listens there learns it "
             "after `timeout`.",
             "lost-reply-2-who-listens-is-told-that-the-connection-broke"},
    // --- duplicate ---
    Sentence{
        duplicate,
        "A request to Redis may be carried out twice: a copy arrives at any tick from `delay.min` to its "
        "size after the request left, before or after it, and the answer to the copy is dropped.",
        "duplicate-1-a-copy-comes-late"},
    Sentence{
        duplicate,
        "Or the driver learns nothing of the first answer and sends the request again: it is carried out, "
        "travels once more and is carried out again, and the second answer is the one that counts. A "
        "client that has died or given up by then sends nothing again.",
        "duplicate-2-the-second-answer-counts"},
    Sentence{duplicate, "A connection of a client's own repeats nothing.",
             "duplicate-3-not-on-an-own-connection"},
    // --- clock-skew ---
    Sentence{
        clock_skew,
        "The wall clock of one client is ahead, or behind, by its size or any number of ticks less, from "
        "before its first line to the end of the run, crashes included.",
        "clock-skew-1-ahead-or-behind"},
    Sentence{clock_skew, "Its steady clock, its sleeps and its timeouts are right.",
             "clock-skew-2-sleeps-are-right"},
    // --- clock-jump ---
    Sentence{
        clock_jump,
        "The wall clock of a client may be set ahead, or back, by its size or any number of ticks less, at "
        "any tick; what reads it afterwards is told so.",
        "clock-jump-1-at-any-tick"},
    Sentence{clock_jump,
             "A deadline that a belief took from the wall clock moves along: it comes earlier when the clock "
             "is set ahead, later when it is set back.",
             "clock-jump-2-deadlines-move-along"},
    Sentence{clock_jump, "Steady clocks, sleeps and timeouts do not notice.",
             "clock-jump-3-sleeps-do-not-notice"},
    Sentence{clock_jump,
             "It is set between two waits of its client or while it waits, not between two readings of which "
             "no wait lies in between.",
             "clock-jump-4-not-between-two-readings"},
    // --- server-clock-jump ---
    Sentence{server_clock_jump,
             "The clock of a server may be set ahead, or back, by its size or any number of ticks less, at "
             "any tick, also when no request comes: leases that have ended by the new time end at once.",
             "server-clock-jump-1-ahead-in-a-quiet-second"},
    Sentence{server_clock_jump, "Set back, it lets leases that it counts last longer.",
             "server-clock-jump-2-back"},
    // --- restart ---
    Sentence{restart, "A server may begin again at any tick, also when no request comes.",
             "restart-1-in-a-quiet-second"},
    Sentence{restart, "Where it loses everything, all keys are gone, and all scripts.",
             "restart-2-loses-everything"},
    Sentence{restart,
             "Where it loses the latest, any number of the last writes (commands that changed a key) are "
             "undone, of those that are at most its size old. An older write is never lost.",
             "restart-3-loses-no-older-write"},
    Sentence{restart, "Where it loses nothing, only the scripts are gone.", "restart-4-loses-scripts"},
    Sentence{
        restart,
        "It is up again at once: what is on its way arrives. Connections of clients' own are closed, and a "
        "client that waits on one is told.",
        "restart-5-what-is-on-its-way-arrives"},
    Sentence{restart,
             "A PostgreSQL keeps all that was committed; its sessions end, with their locks and open "
             "transactions.",
             "restart-6-a-database-forgets-its-sessions"},
    Sentence{restart,
             "An etcd keeps everything; all its leases begin anew, each for its whole time and an election "
             "timeout of a second.",
             "restart-7-leases-of-etcd-begin-anew"},
    Sentence{restart, "A ZooKeeper keeps everything; all its sessions begin anew and in full.",
             "restart-8-sessions-of-zookeeper-begin-anew"},
    // --- failover ---
    Sentence{
        failover,
        "The replica of a Redis may take over at any tick, also when no request comes. It lacks the last "
        "write, or the last two, and scripts that were loaded since. Connections of clients' own are closed.",
        "failover-1-in-a-quiet-second"},
    Sentence{failover, "It does not lack what it has acknowledged to a WAIT.",
             "failover-2-not-what-wait-saw"},
    Sentence{failover, "A lease that has ended by then does not come back.",
             "failover-3-no-ended-lease-comes-back"},
    Sentence{failover,
             "That of a PostgreSQL knows no sessions: none of their locks, and no open transaction.",
             "failover-4-a-replica-knows-no-locks-of-sessions"},
    Sentence{failover,
             "Another member of an etcd may lead from any tick on. It lacks nothing, and all leases begin "
             "anew, as in a restart.",
             "failover-5-another-member-of-etcd-leads"},
    Sentence{failover,
             "That of a ZooKeeper lacks nothing either, and all sessions begin anew, as in a restart.",
             "failover-6-another-member-of-zookeeper-leads"},
    // --- partition ---
    Sentence{
        partition,
        "Between one client and one Redis, at any tick, the way may be cut for requests, for answers, or "
        "for both. What is on its way there is lost, and so is what leaves while the cut lasts.",
        "partition-1-takes-an-answer-and-the-next-request"},
    Sentence{partition, "It lasts any number of ticks from one to its size.", "partition-2-of-any-length"},
    Sentence{partition, "It never lasts longer; all other messages get through.", "partition-3-never-longer"},
    // --- eviction ---
    Sentence{eviction,
             "A server may drop one living key at any tick, also when no request comes; a Redis any.",
             "eviction-1-in-a-quiet-second"},
    Sentence{eviction, "A dictionary drops the key that was not used for longest.",
             "eviction-2-a-dictionary-drops-the-oldest"},
    // --- cancel ---
    Sentence{
        cancel,
        "While acquire() runs its caller may give up at any tick: while a request is on its way, during a "
        "sleep, and when the next request is about to leave, which then never leaves.",
        "cancel-1-while-a-request-is-on-its-way"},
    Sentence{cancel,
             "What was sent stays on its way and takes effect. The program goes on at once, as after a "
             "refusal, with the same lock object.",
             "cancel-2-what-was-sent-takes-effect"},
    Sentence{cancel, "Nothing but acquire() is given up.", "cancel-3-not-a-release"},
    // --- session-lost ---
    Sentence{
        session_lost,
        "A PostgreSQL may end the session of a connection that stands, at any tick, also when no request "
        "comes. What it held is free; a statement that waits there fails at once, and else the next one.",
        "session-lost-1-of-a-connection-that-stands"},
    Sentence{
        session_lost,
        "An etcd may end any lease, at any tick, and its keys go with it; who keeps it alive is told so.",
        "session-lost-2-of-a-lease"},
    Sentence{
        session_lost,
        "A ZooKeeper may end any session, at any tick, and its nodes go with it; its client is told so when "
        "it asks next.",
        "session-lost-3-of-a-client-of-zookeeper"},
};

}  // namespace

std::span<const Sentence> specification() { return sentences; }

std::span<const Sentence> specification_of(Fault fault) {
  const auto [begin, end] = std::ranges::equal_range(sentences, fault, {}, &Sentence::fault);
  return {begin, end};
}

std::string name_of(const Sentence& sentence) {
  const auto number = &sentence - specification_of(sentence.fault).data() + 1;
  return std::string(id_of(sentence.fault)) + " " + std::to_string(number);
}

}  // namespace holdfast
