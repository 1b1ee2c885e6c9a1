// Bugs of a lock on one server: how it gives back, how long it believes, and what its caller does.
#include "bench/zoo/rows.hpp"

namespace holdfast::zoo {
namespace {

void blindly(Scenario& scenario) { set(scenario, "bug", "deletes-blindly"); }

using enum Property;

const Card releasing_host = leased();
const Card tallied_host = tallied();
// The lease is over, or the key is gone, when DEL comes, and another holds: because the holder stopped, its
// work was slow, the answer to SET took most of the lease, DEL is late or comes twice, or the server
// dropped the key. Messages that are lost delete nothing.
const auto whatever_outlives_the_key = any_of(slow_section, pause, late_request, late_reply, duplicate,
                                              server_clock_jump, restart, failover, eviction);

}  // namespace

const std::vector<Planted> releasing_rows{
    {.id = "reuses-its-token",
     .mistake = "the token is the client's name, always the same",
     .host = &releasing_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write, owner_only_release},
     .suffices = any_of(late_request, duplicate),
     .reason = "A release of the first round, late or for the second time, finds the same token in the "
               "second round and frees the lock under its holder. Nothing else that leaves right locks "
               "alone brings a release so late: a crashed client is back after its last request.",
     .prepare = two_rounds},
    {.id = "deletes-blindly",
     .mistake = "DEL without comparing",
     .host = &releasing_host,
     .breaks = owner_only_release,
     .besides = {truthful_release},
     .suffices = whatever_outlives_the_key,
     .reason = "DEL removes whatever stands there, so it is enough that it comes after the own key."},
    {.id = "deletes-blindly-after-half-a-minute",
     .mistake = "DEL without comparing, and a lease of 30 s",
     .host = &releasing_host,
     .breaks = owner_only_release,
     .besides = {truthful_release},
     .suffices =
         any_of(slow_section, pause, late_request, duplicate, server_clock_jump, restart, failover, eviction),
     .reason = "As with a short lease, if somebody asks after its end; but an answer comes within 3 s or not "
               "at all, and takes no more than that of 30 s.",
     .prepare = lease_of_30s,
     .plant = blindly},
    {.id = "keeps-one-token-for-all-threads",
     .mistake = "threads share a lock object, which has one place for the token",
     .host = &releasing_host,
     .breaks = owner_only_release,
     .besides = {truthful_release, release_frees},
     .suffices = any_of(slow_section, pause, server_clock_jump, restart, failover, eviction),
     .reason = "The other thread must be granted before release() is called: whatever ends the lease while "
               "the holder works or stands. Answers come within 3 s, and work takes one, so with them alone "
               "the lease lasts; what happens to the release on its way comes too late; a crash ends both. "
               "The first release "
               "uses up the token of the other thread, which then frees nothing.",
     .prepare = share_a_lock_object},
    {.id = "looks-then-deletes",
     .mistake = "GET, and DEL when it was the own token",
     .host = &releasing_host,
     .breaks = owner_only_release,
     .besides = {truthful_release},
     .suffices = any_of(pause, slow_section, late_request, late_reply, duplicate, server_clock_jump, restart,
                        failover, eviction),
     .reason = "The key must go between GET and DEL. Without faults DEL comes 5 s after SET at the latest, "
               "within the lease; whatever brings GET near to its end, DEL behind it, or drops the key in "
               "between is enough.",
     .prepare = lease_of_5s},
    {.id = "compares-only-the-host",
     .mistake = "of the token HOST:NUMBER, only the host is compared",
     .host = &releasing_host,
     .breaks = owner_only_release,
     .besides = {truthful_release},
     .suffices = whatever_outlives_the_key,
     .reason = "All clients are on one host, so this is DEL without comparing."},
    {
        .id = "deletes-while-its-clock-allows",
        .mistake = "DEL unless the own clock says that the lease is over",
        .host = &releasing_host,
        .breaks = owner_only_release,
        .besides = {truthful_release},
        .suffices = any_of(pause, slow_section, late_request, late_reply, duplicate, server_clock_jump,
                           restart, failover, eviction),
        .reason =
            "The clock counts from the answer, the server from SET: a stop or work that brings the look "
            "near to the end is enough, so is a DEL that is late or comes twice, or a key that is "
            "dropped. A wrong clock counts as long as a right one.",
    },
    {.id = "deletes-when-unanswered",
     .mistake = "no answer to the script that compares, so DEL",
     .host = &releasing_host,
     .breaks = owner_only_release,
     .suffices = any_of(lost_reply, lost_request, late_request, late_reply, duplicate, partition, pause),
     .reason = "Whatever silences the script: its effect, or the end of the lease, lets another in before "
               "the DEL. Without silence there is no DEL."},
    {.id = "says-released-whatever-happened",
     .mistake = "release() does not look at the reply",
     .host = &releasing_host,
     .breaks = truthful_release,
     .suffices = any_of(slow_section, pause, late_request, late_reply, lost_request, partition,
                        server_clock_jump, restart, failover, eviction),
     .reason = "The key went before the release did its work: with the end of the lease, also while the "
               "client waits for an answer that does not come, or by the server. A release that took effect "
               "and was not answered is told rightly."},
    {.id = "deletes-nothing",
     .mistake = "release() does not ask the server, and says that the lock is free",
     .host = &releasing_host,
     .breaks = release_frees,
     .reason = "Every release leaves the key, which lives for the rest of the lease."},
    {.id = "compares-a-serialized-token",
     .mistake = "the release compares the token as a serializer writes it, and says that it was not held",
     .host = &releasing_host,
     .breaks = release_frees,
     .reason = "No stored token is ever equal to a serialized one, so every release leaves the key."},
    {.id = "releases-one-of-two-keys",
     .mistake = "acquire() takes two keys, release() deletes the first",
     .host = &releasing_host,
     .breaks = release_frees,
     .reason =
         "The second key outlives every release and refuses the next client, who gives back the first."},
    {.id = "asks-twice-and-counts-from-the-second",
     .mistake = "the deadline counts from the last command, not from SET",
     .host = &releasing_host,
     .breaks = mutual_exclusion,
     .reason = "SET takes effect up to 2 s before the second command leaves, and work goes on until the "
               "deadline.",
     .prepare = believes_and_works_long},
    {.id = "forgets-the-drift",
     .mistake = "the deadline leaves no margin for a clock that runs slowly",
     .host = &releasing_host,
     .breaks = mutual_exclusion,
     .reason = "4 s by a clock that loses two fifths are more than 6 s, and the key lives for 4 s.",
     .prepare = a_slow_clock},
    {.id = "counts-from-the-reply",
     .mistake = "the deadline counts from the reply, not from the request",
     .host = &releasing_host,
     .breaks = mutual_exclusion,
     .reason = "The answer travels for up to 1 s while the lease already runs, and work goes on until the "
               "deadline.",
     .prepare = believes_and_works_long,
     .plant = counts_from_the_reply},
    {.id = "releases-before-it-writes",
     .mistake = "the work is written down when the lock was given back",
     .host = &releasing_host,
     .breaks = no_stale_write,
     .reason = "Another is granted between the release and the write.",
     .plant = writes_after_the_release},
    {.id = "deletes-the-hash-blindly",
     .mistake = "DEL without looking whose the hash is",
     .host = &tallied_host,
     .breaks = owner_only_release,
     .besides = {truthful_release},
     .suffices = whatever_outlives_the_key,
     .reason = "As DEL of a text. That others counted themselves in the hash makes them no owners, and the "
               "holder none the less."},
    {.id = "deletes-the-owner-blindly",
     .mistake = "HDEL of the owner's field, without a look at its owner",
     .host = &tallied_host,
     .breaks = owner_only_release,
     .besides = {truthful_release},
     .suffices = whatever_outlives_the_key,
     .reason = "What is left of the hash, a count, keeps nobody out: to take the owner out is to release."},
    {.id = "writes-over-the-owner",
     .mistake = "a refused client is the owner in the hash all the same",
     .host = &tallied_host,
     .breaks = owner_only_change,
     .besides = {release_frees},
     .reason = "It is enough that one asks while another holds. The holder's release compares, finds "
               "another, and says so; the lease that it set ends all. Who is refused later meets nobody at "
               "work, and leaves itself there."},
};

}  // namespace holdfast::zoo
