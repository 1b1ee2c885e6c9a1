// Bugs of a lock on one server: how it asks, and what it does when it is refused or not answered.
#include "bench/zoo/rows.hpp"

namespace holdfast::zoo {
namespace {

using enum Property;

const Card asking_host = leased();
// A key that outlives the bound of recovery stands for ever when its writer does not remove it: because it
// died, took the answer for lost (a pause may show it the timeout first) or gave up, because the release
// did not arrive, or because SET NX came once more after it: late, or when a replica took over that had
// not heard of the release.
const auto whatever_leaves_a_key = any_of(crash, pause, late_request, late_reply, lost_request, lost_reply,
                                          duplicate, failover, partition, cancel);
// The answer to SET is not there after the timeout. A request that is sent again travels for as long.
const auto whatever_silences =
    any_of(lost_request, late_request, late_reply, lost_reply, duplicate, partition);

}  // namespace

const std::vector<Planted> leased_rows{
    {.id = "takes-null-for-success",
     .mistake = "the null reply of SET NX counts as a grant",
     .host = &asking_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .reason = "The client that comes second is refused by the server and goes on all the same."},
    {.id = "forgets-nx",
     .mistake = "SET without NX",
     .host = &asking_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write, owner_only_change},
     .reason = "SET succeeds for everybody, and writes over the holder's token."},
    {.id = "looks-then-sets",
     .mistake = "GET, and SET when there was nothing",
     .host = &asking_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write, owner_only_change},
     .reason = "Both look before either writes: the order of two requests is enough."},
    {.id = "locks-a-key-of-its-own",
     .mistake = "the client's name is part of the key",
     .host = &asking_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write, truthful_release},
     .reason = "Nobody ever meets another's key."},
    {.id = "takes-seconds-for-milliseconds",
     .mistake = "PX 4 for a lease of 4 s",
     .host = &asking_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .reason = "The key is gone after 4 ms, long before the answer and the work of up to a second."},
    {.id = "takes-milliseconds-for-seconds",
     .mistake = "EX 4000 for a lease of 4 s",
     .host = &asking_host,
     .breaks = recovery,
     .suffices = whatever_leaves_a_key,
     .reason = "The key lives for an hour. Where everything arrives it is removed by the release; each of "
               "these leaves one that nobody removes. What drops keys or lengthens work leaves none."},
    {.id = "cuts-its-lease-to-nothing",
     .mistake = "PEXPIRE with a lease that was rounded to 0",
     .host = &asking_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .reason = "PEXPIRE 0 removes the key before acquire() returns."},
    {.id = "sets-no-lease",
     .mistake = "SET NX without a lease",
     .host = &asking_host,
     .breaks = recovery,
     .suffices = whatever_leaves_a_key,
     .reason = "As with a lease of an hour: whatever keeps the only release from the key leaves it there."},
    {.id = "expires-in-a-second-command",
     .mistake = "SETNX, then PEXPIRE",
     .host = &asking_host,
     .breaks = recovery,
     .suffices =
         any_of(crash, pause, late_request, late_reply, lost_reply, duplicate, failover, partition, cancel),
     .reason = "Between the commands the key has no lease: a client that dies or gives up there leaves "
               "it, so does a SETNX that comes late or twice, or a replica without the last two writes. One "
               "lost request is not enough: a lost PEXPIRE is followed by the release, a lost release by the "
               "end of the lease."},
    {.id = "renews-what-it-ran-into",
     .mistake = "PEXPIRE, whether SETNX succeeded or not",
     .host = &asking_host,
     .breaks = owner_only_change,
     .reason = "A refused client lengthens the lease of the holder."},
    {.id = "writes-itself-over-the-holder",
     .mistake = "a refused client writes its token all the same",
     .host = &asking_host,
     .breaks = owner_only_change,
     .besides = {release_frees},
     .reason = "A refused client writes over the holder's token; or, when the holder has released meanwhile, "
               "a key that nobody will give back."},
    {.id = "sleeps-instead-of-asking-again",
     .mistake = "sleeps for PTTL, then takes the lock without asking",
     .host = &asking_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write, owner_only_change},
     .reason = "Who is refused twice, in two rounds, writes when the other may hold again.",
     .prepare = two_rounds},
    {.id = "takes-missing-for-immortal",
     .mistake = "PTTL -2 (no such key) is repaired like -1 (no expiry): DEL",
     .host = &asking_host,
     .breaks = owner_only_release,
     .besides = {mutual_exclusion, no_stale_write},
     .reason = "The first releases between a refused SET and its PTTL, so the answer is -2; a third takes "
               "the lock before the DEL comes.",
     .prepare = three_clients},
    {.id = "takes-what-begins-with-its-token",
     .mistake = "takes over what begins with the own token",
     .host = &asking_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .reason = "worker-12 begins with worker-1."},
    {.id = "takes-silence-for-success",
     .mistake = "no answer to SET counts as a grant",
     .host = &asking_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .suffices = whatever_silences,
     .reason = "What silences SET while another holds. A pause would, too, but breaks every lock with a "
               "lease."},
    {.id = "cleans-up-blindly",
     .mistake = "no answer to SET, so DEL",
     .host = &asking_host,
     .breaks = owner_only_release,
     .besides = {mutual_exclusion, no_stale_write},
     .suffices = any_of(lost_request, late_request, late_reply, lost_reply, duplicate, partition, pause),
     .reason = "What silences SET while another holds. A pause may show the timeout before the answer, and "
               "no right lock removes another's key because it was stopped."},
    {.id = "asks-again-without-nx",
     .mistake = "no answer to SET NX, so once more, without NX",
     .host = &asking_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write, owner_only_change},
     .suffices = whatever_silences,
     .reason = "What silences SET while another holds, who still does when the second SET comes: at the "
               "latest as the timeout ends."},
    {.id = "adopts-blindly",
     .mistake = "no answer to SET; finds its token, then lengthens the lease without looking",
     .host = &asking_host,
     .breaks = owner_only_change,
     .suffices = any_of(pause),
     .reason = "SET takes effect at once, silence after 3 s, GET after 4 s at most, PEXPIRE after 6 s: "
               "within the lease. Only who stops sees the timeout later than that, and whatever else "
               "silences SET leaves nothing that makes PEXPIRE late.",
     .prepare = lease_of_6s},
};

}  // namespace holdfast::zoo
