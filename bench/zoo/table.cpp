// The bugs: what each breaks, and what it needs at least.
#include "bench/zoo/experiments.hpp"
#include "bench/zoo/zoo.hpp"
#include "sim/explore/comparison.hpp"

namespace holdfast::zoo {
namespace {

using enum Property;

constexpr FaultRule crash{.kind = Fault::crash};
constexpr FaultRule pause{.kind = Fault::pause};
constexpr FaultRule slow{.kind = Fault::slow_section};
constexpr FaultRule late_request{.kind = Fault::late_request};
constexpr FaultRule late_reply{.kind = Fault::late_reply};
constexpr FaultRule lost_request{.kind = Fault::lost_request};
constexpr FaultRule lost_reply{.kind = Fault::lost_reply};
constexpr FaultRule duplicate{.kind = Fault::duplicate};
constexpr FaultRule restart_with_data{.kind = Fault::restart, .loses = DataLoss::nothing};
constexpr FaultRule skew{.kind = Fault::clock_skew};
constexpr FaultRule jump{.kind = Fault::clock_jump};

const Card on_one = leased();
const Card renewing = renewed();
const Card with_stamp = stamped();
const Card on_several = quorum();
const Card for_readers = shared();
const Card in_line = queued();
const Card with_number = numbered();

const std::vector<Planted> bugs{
    // --- leased: how it asks ---
    {"takes-null-for-success",
     "the null reply of SET NX counts as a grant",
     &on_one,
     mutual_exclusion,
     {no_stale_write}},
    {"forgets-nx", "SET without NX", &on_one, mutual_exclusion, {no_stale_write, owner_only_change}},
    {"looks-then-sets",
     "GET, and SET when there was nothing",
     &on_one,
     mutual_exclusion,
     {no_stale_write, owner_only_change}},
    {"locks-a-key-of-its-own",
     "the client's name is part of the key",
     &on_one,
     mutual_exclusion,
     {no_stale_write, truthful_release}},
    {"takes-seconds-for-milliseconds",
     "PX 4 for a lease of 4 s",
     &on_one,
     mutual_exclusion,
     {no_stale_write}},
    {"takes-milliseconds-for-seconds", "EX 4000 for a lease of 4 s", &on_one, recovery, {}, {crash}},
    {"cuts-its-lease-to-nothing",
     "PEXPIRE with a lease that was rounded to 0",
     &on_one,
     mutual_exclusion,
     {no_stale_write}},
    {"sets-no-lease", "SET NX without a lease", &on_one, recovery, {}, {crash}},
    {"expires-in-a-second-command", "SETNX, then PEXPIRE", &on_one, recovery, {}, {crash}},
    // --- leased: refused, or not answered ---
    {"renews-what-it-ran-into", "PEXPIRE, whether SETNX succeeded or not", &on_one, owner_only_change},
    {"writes-itself-over-the-holder", "a refused client writes its token all the same", &on_one,
     owner_only_change},
    {"sleeps-instead-of-asking-again",
     "sleeps for PTTL, then takes the lock without asking",
     &on_one,
     mutual_exclusion,
     {no_stale_write, owner_only_change},
     {},
     two_rounds},
    {"takes-missing-for-immortal",
     "PTTL -2 (no such key) is repaired like -1 (no expiry): DEL",
     &on_one,
     owner_only_release,
     {mutual_exclusion, no_stale_write},
     {},
     three_clients},
    {"takes-what-begins-with-its-token",
     "takes over what begins with the own token",
     &on_one,
     mutual_exclusion,
     {no_stale_write}},
    {"takes-silence-for-success",
     "no answer to SET counts as a grant",
     &on_one,
     mutual_exclusion,
     {no_stale_write},
     {lost_request}},
    {"cleans-up-blindly",
     "no answer to SET, so DEL",
     &on_one,
     owner_only_release,
     {mutual_exclusion, no_stale_write},
     {lost_request}},
    {"asks-again-without-nx",
     "no answer to SET NX, so once more, without NX",
     &on_one,
     mutual_exclusion,
     {no_stale_write, owner_only_change},
     {lost_request}},
    {"adopts-blindly",
     "no answer to SET; finds its token, then lengthens the lease without looking",
     &on_one,
     owner_only_change,
     {},
     {pause},
     lease_of_6s},
    // --- leased: how it gives back ---
    {"reuses-its-token",
     "the token is the client's name, always the same",
     &on_one,
     mutual_exclusion,
     {no_stale_write, owner_only_release},
     {late_request},
     two_rounds},
    {"deletes-blindly", "DEL without comparing", &on_one, owner_only_release, {truthful_release}, {slow}},
    {"looks-then-deletes",
     "GET, and DEL when it was the own token",
     &on_one,
     owner_only_release,
     {truthful_release},
     {pause},
     lease_of_5s},
    {"compares-only-the-host",
     "of the token HOST:NUMBER, only the host is compared",
     &on_one,
     owner_only_release,
     {truthful_release},
     {slow}},
    // A stop is enough that brings the look at the clock near to the end of the lease, for the DEL takes its
    // time; so is a DEL that is late.
    {"deletes-while-its-clock-allows",
     "DEL unless the own clock says that the lease is over",
     &on_one,
     owner_only_release,
     {truthful_release},
     {pause}},
    {"deletes-when-unanswered",
     "no answer to the script that compares, so DEL",
     &on_one,
     owner_only_release,
     {},
     {lost_reply}},
    {"says-released-whatever-happened",
     "release() does not look at the reply",
     &on_one,
     truthful_release,
     {},
     {slow}},
    // --- leased: how long it believes, and what its caller does ---
    {"asks-twice-and-counts-from-the-second",
     "the deadline counts from the last command, not from SET",
     &on_one,
     mutual_exclusion,
     {},
     {},
     believes_and_works_long},
    {"forgets-the-drift",
     "the deadline leaves no margin for a clock that runs slowly",
     &on_one,
     mutual_exclusion,
     {},
     {},
     a_slow_clock},
    {"counts-from-the-reply",
     "the deadline counts from the reply, not from the request",
     &on_one,
     mutual_exclusion,
     {},
     {},
     believes_and_works_long,
     counts_from_the_reply},
    {"releases-before-it-writes",
     "the work is written down when the lock was given back",
     &on_one,
     no_stale_write,
     {},
     {},
     nullptr,
     writes_after_the_release},
    // --- renewed ---
    {"renews-too-late", "renews when the lease is over", &renewing, mutual_exclusion, {no_stale_write}},
    {"renews-in-seconds", "PEXPIRE 4 for a lease of 4 s", &renewing, mutual_exclusion, {no_stale_write}},
    {"gives-up-after-one-silence",
     "one renewal without an answer, and no more",
     &renewing,
     mutual_exclusion,
     {no_stale_write},
     {lost_reply},
     renewed_twice},
    {"renews-without-comparing", "PEXPIRE, whoever holds", &renewing, owner_only_change},
    {"renews-by-writing",
     "SET to renew: creates the key again, whoever holds",
     &renewing,
     owner_only_change,
     {truthful_release}},
    {"knows-no-noscript",
     "loads its script when it begins, and renews by EVALSHA alone",
     &renewing,
     mutual_exclusion,
     {no_stale_write},
     {restart_with_data}},
    {"never-stops-renewing",
     "release() leaves the renewal running",
     &renewing,
     recovery,
     {owner_only_change, truthful_release},
     {},
     without_delay_and_in_turn},
    // --- stamped ---
    {"brings-its-own-time",
     "the client's clock decides whether the lease is over",
     &with_stamp,
     mutual_exclusion,
     {no_stale_write, owner_only_change},
     {skew}},
    // --- quorum ---
    {"is-one-vote-short",
     "half of the servers instead of more than half",
     &on_several,
     mutual_exclusion,
     {no_stale_write},
     {},
     at_once},
    {"takes-silence-for-a-vote",
     "a server that does not answer counts",
     &on_several,
     mutual_exclusion,
     {},
     {lost_request},
     at_once_and_works_long},
    {"counts-from-its-last-request",
     "the lease counts from the last server asked, not from the first",
     &on_several,
     mutual_exclusion,
     {},
     {late_reply},
     at_once_and_works_long},
    {"takes-what-is-over-for-very-long",
     "the validity is an unsigned number",
     &on_several,
     mutual_exclusion,
     {no_stale_write},
     {pause},
     at_once_and_works_long},
    {"measures-by-the-wall-clock",
     "the validity is measured by a clock that may be set",
     &on_several,
     mutual_exclusion,
     {no_stale_write},
     {jump},
     at_once_and_works_long},
    {"leaves-a-failed-attempt",
     "no majority, and the keys stay",
     &on_several,
     recovery,
     {},
     {},
     at_once_for_a_minute},
    {"gives-back-only-what-it-knows-of",
     "no majority; gives back only where it was told of success",
     &on_several,
     recovery,
     {},
     {{.kind = Fault::lost_reply, .budget = 2}},
     at_once_for_a_minute},
    // --- shared ---
    {"writes-over-readers",
     "a writer deletes the set of the readers",
     &for_readers,
     mutual_exclusion,
     {no_stale_write},
     {},
     reader_and_writer},
    {"reads-beside-a-writer",
     "a reader does not look for a writer",
     &for_readers,
     mutual_exclusion,
     {no_stale_write},
     {},
     reader_and_writer},
    {"counts-its-readers",
     "a number of readers instead of their tokens",
     &for_readers,
     mutual_exclusion,
     {no_stale_write},
     {duplicate},
     readers_and_a_writer},
    {"does-not-extend-for-the-second-reader",
     "the first reader's lease is that of all",
     &for_readers,
     mutual_exclusion,
     {no_stale_write},
     {},
     a_reader_comes_late},
    {"first-reader-out-sends-all-home",
     "a reader's release deletes the whole set",
     &for_readers,
     mutual_exclusion,
     {no_stale_write},
     {},
     readers_and_a_writer},
    // --- numbered, and the resource that looks at the numbers ---
    {"counts-before-it-asks",
     "INCR, then SET NX: whoever counts first may be granted last",
     &with_number,
     fenced_writes,
     {},
     {},
     judges_numbers},
    {"forgets-the-count",
     "the count ends with the lease, and begins again",
     &with_number,
     fenced_writes,
     {},
     {},
     judges_numbers_of_two_rounds},
    {"takes-the-time-for-a-number",
     "the client's clock instead of a count",
     &with_number,
     fenced_writes,
     {},
     {skew},
     judges_numbers},
    {"asks-for-its-number-afterwards",
     "GET asks for the count, which may be another's by then",
     &with_number,
     no_lost_update,
     {},
     {pause},
     updates_a_register},
    {"registers-only-writes",
     "the resource remembers the numbers of writes, but not of reads",
     &with_number,
     no_lost_update,
     {},
     {pause},
     updates_a_register,
     registers_only_writes},
    {"looks-at-no-numbers",
     "the resource accepts whatever comes",
     &with_number,
     fenced_writes,
     {no_lost_update},
     {pause},
     updates_a_register,
     looks_at_no_numbers},
    // --- queued ---
    {"keeps-the-dead-in-line", "who died in the line blocks it", &in_line, recovery, {}, {crash}},
    {"leaves-the-line-to-wait", "who is refused loses its place", &in_line, bounded_bypass, {}, {}, endless},
    {"takes-what-is-free",
     "a free lock goes to whoever asks, whoever waits",
     &in_line,
     bounded_bypass,
     {},
     {},
     endless},
};

}  // namespace

const std::vector<Planted>& all() { return bugs; }

namespace {

Scenario experiment(const Planted& planted) {
  Scenario scenario = scenario_of(Comparison(), *planted.host, Fault::none);
  // Rows are stated for clients that start at any tick within a lease and work for any time.
  scenario.timing.restart_late = 3s;
  for (ClientPlan& client : scenario.clients) {
    client.start_late = client.start + Params(planted.host->parameters).duration("ttl");
    for (ProgramStep& step : client.program)
      if (step.at_least) step.at_least = Duration::zero();
  }
  scenario.name = planted.id;
  scenario.faults = planted.faults;
  scenario.check = {mutual_exclusion,  no_stale_write,   owner_only_release,
                    owner_only_change, truthful_release, recovery};
  if (planted.prepare != nullptr) planted.prepare(scenario);
  return scenario;
}

}  // namespace

Scenario host_scenario_of(const Planted& planted) { return experiment(planted); }

Scenario scenario_of(const Planted& planted) {
  Scenario scenario = experiment(planted);
  if (planted.plant != nullptr) planted.plant(scenario);
  else set(scenario, "bug", planted.id);
  return scenario;
}

}  // namespace holdfast::zoo
