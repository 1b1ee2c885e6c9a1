// Bugs of a lock on several servers.
#include "bench/zoo/rows.hpp"

namespace holdfast::zoo {
namespace {

using enum Property;

const Card quorum_host = quorum();

void leaves_a_failed_attempt(Scenario& scenario) { set(scenario, "bug", "leaves-a-failed-attempt"); }

}  // namespace

const std::vector<Planted> quorum_rows{
    {.id = "is-one-vote-short",
     .mistake = "half of the servers instead of more than half",
     .host = &quorum_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .reason = "One of three servers is enough for each of two clients.",
     .prepare = at_once},
    {.id = "takes-silence-for-a-vote",
     .mistake = "a server that does not answer counts",
     .host = &quorum_host,
     .breaks = mutual_exclusion,
     .suffices = any_of(lost_request, pause, late_request, late_reply, lost_reply, partition),
     .reason = "One server and the silence of a second, which the other client holds with the third. A pause "
               "may show the timeout first. A copy takes no time where messages take none.",
     .prepare = at_once_and_works_long},
    {.id = "counts-from-its-last-request",
     .mistake = "the lease counts from the last server asked, not from the first",
     .host = &quorum_host,
     .breaks = mutual_exclusion,
     .suffices = any_of(late_reply, pause, late_request, lost_request, lost_reply, partition),
     .reason = "Whatever takes time between the first server and the last: the key of the first ends by so "
               "much sooner than the belief. Messages take no time otherwise.",
     .prepare = at_once_and_works_long},
    {.id = "takes-what-is-over-for-very-long",
     .mistake = "the validity is an unsigned number",
     .host = &quorum_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .suffices = any_of(pause),
     .reason = "Asking must take more than 4 s: one silence takes 3, and no fault silences two servers.",
     .prepare = at_once_and_works_long},
    {.id = "measures-by-the-wall-clock",
     .mistake = "the validity is measured by a clock that may be set",
     .host = &quorum_host,
     .breaks = mutual_exclusion,
     .besides = {no_stale_write},
     .suffices = any_of(clock_jump),
     .reason = "A clock that is set back while it asks leaves more validity than the lease has. One that is "
               "always wrong measures rightly.",
     .prepare = at_once_and_works_long},
    {.id = "leaves-a-failed-attempt",
     .mistake = "no majority, and the keys stay",
     .host = &quorum_host,
     .breaks = recovery,
     .besides = {release_frees},
     .reason = "Two clients get one server each, and a third server is not enough for anybody.",
     .prepare = at_once_for_a_minute},
    {.id = "leaves-a-failed-attempt-until-its-lease-ends",
     .mistake = "no majority, and the keys stay, for a lease of 4 s",
     .host = &quorum_host,
     .breaks = release_frees,
     .reason = "A client that is refused has taken a server before: the one that it asked first, or that the "
               "holder had not reached.",
     .prepare = at_once,
     .plant = leaves_a_failed_attempt},
    {.id = "gives-back-only-what-it-knows-of",
     .mistake = "no majority; gives back only where it was told of success",
     .host = &quorum_host,
     .breaks = recovery,
     .suffices = {{twice(lost_reply)}, {twice(late_reply)}, {lost_reply, late_reply}},
     .reason = "One key that stays leaves a majority to others. Two servers must take a key and the client "
               "must not hear of it. A pause or a copy may take the place of one of the two.",
     .prepare = at_once_for_a_minute},
};

}  // namespace holdfast::zoo
