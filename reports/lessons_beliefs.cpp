// The beliefs and the verdicts, explained.
#include <array>

#include "reports/lessons.hpp"
#include "sim/core/vocabulary.hpp"

namespace holdfast::reports {
namespace {

constexpr std::array beliefs{
    Lesson{"until-release", "A client believes that it holds the lock until it calls release",
           "Nearly all programs do so: acquire, work, release, without looking at a clock in between. The "
           "lease may have ended long ago; the client does not check. Under this belief every lock with an "
           "expiry fails when a holder is paused or slow for longer than the lease. That is no defect of a "
           "single lock: the client ignores the expiry.",
           "./holdfast check token --belief until-release"},
    Lesson{"deadline-from-request",
           "Until release, but not beyond the lease, counted from when the granting request was sent",
           "The client notes the time before it asks, and stops believing when the lease has passed since "
           "then. As the store can only have started the lease later, the client always stops first, as "
           "long as both clocks run at the same speed. Beliefs then do not overlap, even when the reply is "
           "late or the client is stopped. A write that was sent just before the deadline may still arrive "
           "after it: see no-stale-write.",
           "./holdfast check token --belief deadline-from-request"},
    Lesson{"deadline-from-reply",
           "Until release, but not beyond the lease, counted from when the granting reply arrived",
           "It looks like the same idea, and is easier to write: start the timer when the answer arrives. "
           "But the lease has been running since the server carried the request out, and the client's "
           "deadline is later by the time that the reply took. In this window another client can be granted "
           "the lock. The later the reply, the wider the window.",
           "./holdfast check token --faults late-reply --belief deadline-from-reply"},
    Lesson{"notified", "Until release, but not after the lock told the client that it was lost",
           "Some libraries renew the lease in the background and call back, or close a channel, when a "
           "renewal fails. The client believes until it is notified. The delay depends on how often the "
           "library renews, how long it waits for an answer, and whether the process runs. A paused process "
           "is not notified.",
           "./holdfast explain pause"},
};
static_assert(beliefs.size() == belief_ids.size());

constexpr std::array verdicts{
    Lesson{
        "holds", "Every schedule within the bounds was explored, and none violates the property",
        "It is a proof within the bounds: the numbers of clients, rounds, faults and attempts, and the "
        "times. The bounds stand above every matrix. Failures that need three clients are not found with "
        "two. Most design errors show up with few clients and few faults, but that is experience, not a "
        "theorem. More clients: --clients; more rounds: --rounds. The visited set stores 72 bits of each "
        "state's digest; reports say how probable it is that one state was taken for another. Bounds deepen: "
        "◐, holds so far, says that larger ones were begun and not explored whole; check names them.",
        "./holdfast compare --only token --faults crash"},
    Lesson{"sampled", "No violation was found in a sample; this is not a proof",
           "A number of runs was drawn, and none of them violates the property. The value of a sample "
           "depends on how rare the bad schedules are, so holdfast check prints three things beside it. The "
           "odds of PCT: with what probability its runs missed a violation that follows from one, two or "
           "more conditions on order and faults. The rule of three: the largest share of runs that can "
           "violate. And the situations that no run came to: the sample says nothing about them. Use a "
           "sample when exhaustive exploration takes too long (--runs, --strategy).",
           "./holdfast explain holds"},
    Lesson{"violated", "A run that violates the property was found, and can be replayed",
           "The verdict comes with its counterexample: the shortest run that was found, saved with its "
           "scenario in one file. Replaying that file gives the same run again, step by step, on any "
           "machine. The number beside the verdict is its length in steps. Read the diagram from the top, "
           "compare the clients' beliefs with the column that names the owner in the store, and find the "
           "step at which they differ.",
           "./holdfast run a-slow-holder-deletes-the-lock-of-another"},
    Lesson{"unknown", "There is no answer: the budget ended first, or the lock does what is not simulated",
           "Neither a violation nor a proof: there were more states than allowed, or the time ended. It "
           "counts neither for nor against the lock. Give it more time with --budget, or make the question "
           "smaller: fewer clients, fewer rounds, one fault. Or a run sent a command, used a library of "
           "scripts or called a function that Redis or OpenResty has and holdfast has not: what the lock did "
           "afterwards is not what it does in earnest, so nothing is said of it, nor of what it broke.",
           "./holdfast explain holds"},
    Lesson{"hollow", "No run came to a situation in which the property could break, so nothing was tested",
           "Every schedule was explored, nothing was violated, and it means nothing: the fault struck when "
           "no client held the lock, or no client asked for it after the lease, or there was no release to "
           "judge. A lock that excludes no client passes such a test. Each fault names the situations in "
           "which it can hurt, and each property names what it judges; the note says which of them no run "
           "came to. Give clients more attempts, more rounds or a later start.",
           "./holdfast check token --fault none --clients 1"},
    Lesson{"not-applicable", "The fault cannot strike this lock, or the property says nothing about it",
           "A lock that never looks at a wall clock cannot suffer from a wrong one, and a lock without "
           "readers has no readers to exclude. Such cells are left out of the count. If the fault struck "
           "without effect, the verdict is hollow instead.",
           "./holdfast list faults"},
};
static_assert(verdicts.size() == verdict_ids.size());

}  // namespace

std::span<const Lesson> belief_lessons() { return beliefs; }
std::span<const Lesson> verdict_lessons() { return verdicts; }

}  // namespace holdfast::reports
