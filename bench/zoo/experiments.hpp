// How experiments with planted bugs differ from those of the default comparison.
#pragma once

#include <string_view>
#include <utility>

#include "sim/scenario/scenario.hpp"

namespace holdfast::zoo {

inline void set(Scenario& scenario, std::string_view name, std::string_view value) {
  for (auto& [known, text] : scenario.params)
    if (known == name) return void(text = value);
  scenario.params.emplace_back(name, value);
}

// --- how experiments differ from the usual one ---

inline void lease_of_5s(Scenario& scenario) { set(scenario, "ttl", "5s"); }
inline void lease_of_6s(Scenario& scenario) { set(scenario, "ttl", "6s"); }
// A client may come when it has ended.
inline void lease_of_30s(Scenario& scenario) {
  set(scenario, "ttl", "30s");
  for (ClientPlan& client : scenario.clients) client.start_late = client.start + 30s;
}
inline void two_rounds(Scenario& scenario) {
  for (ClientPlan& client : scenario.clients) client.rounds = 2;
}
inline void three_clients(Scenario& scenario) {
  scenario.clients.push_back(scenario.clients.front());
  scenario.clients.back().id = "C";
}
inline void one_attempt(Scenario& scenario) {
  for (ClientPlan& client : scenario.clients) client.program.front().attempts = 1;
}
// Two readers and a writer. Ticks of a second are enough for them, and their spaces are large.
inline void readers_and_a_writer(Scenario& scenario) {
  three_clients(scenario);
  one_attempt(scenario);
  scenario.timing.tick = 1s;
  for (std::size_t i = 0; i < 2; ++i) scenario.clients[i].program.front().mode = Mode::shared;
}
// The first reader is done before its own lease ends, however long its answer travelled.
inline void a_reader_comes_late(Scenario& scenario) {
  readers_and_a_writer(scenario);
  scenario.clients[0].program[1].length = 3s;
  scenario.clients[1].start = scenario.clients[2].start = 3s;
  scenario.clients[2].program.front().attempts = 2;
}
// A reader of 8 s works for 5, one of 4 s and a writer come later.
inline void readers_with_unequal_leases(Scenario& scenario) {
  readers_and_a_writer(scenario);
  scenario.clients[0].params = {{"ttl", "8s"}};
  scenario.clients[0].program[1].length = 5s;
  scenario.clients[2].program.front().attempts = 2;
}
inline void reader_and_writer(Scenario& scenario) { scenario.clients[0].program.front().mode = Mode::shared; }
// They wait inside acquire(), for a second.
inline void waits(Scenario& scenario) {
  one_attempt(scenario);
  set(scenario, "blocking", "yes");
  set(scenario, "timeout", "1s");
}
// All ask once more when the lock is free, with the lock objects that they have.
inline void comes_back(Scenario& scenario) { scenario.check.insert(Property::progress); }
// They are threads of one process, and use one lock object.
inline void share_a_lock_object(Scenario& scenario) {
  for (std::size_t i = 1; i < scenario.clients.size(); ++i) scenario.clients[i].shares_lock_of = ClientId{0};
}
// The holder acquires the lock once more, and releases it twice.
inline void acquires_again(Scenario& scenario) {
  using Op = ProgramStep::Op;
  scenario.check.insert(Property::reentrancy);
  for (ClientPlan& client : scenario.clients) {
    client.program.insert(client.program.begin() + 1, {.op = Op::acquire_again});
    client.program.push_back({.op = Op::release});
  }
}
// They never stop, and wait inside acquire(). Time passes while they work.
inline void endless(Scenario& scenario) {
  scenario.check = {Property::bounded_bypass};
  set(scenario, "blocking", "yes");
  for (ClientPlan& client : scenario.clients) {
    client.rounds = client.program.front().attempts = 0;
    client.program[1].at_least = scenario.timing.tick;
  }
}
// All work for exactly so long. Where that is longer than the lease, a client that knows that its lease is
// over does not write.
inline void works(Scenario& scenario, Duration length) {
  for (ClientPlan& client : scenario.clients) client.program[1].length = length;
  for (ClientPlan& client : scenario.clients) client.program[1].at_least = length;
}
inline void believes_and_works_long(Scenario& scenario) {
  scenario.belief = Belief::deadline_from_request;
  works(scenario, 8s);
}
// One client's clocks lose two fifths.
inline void a_slow_clock(Scenario& scenario) {
  believes_and_works_long(scenario);
  set(scenario, "margin", "2s");
  scenario.clients[0].drift_ppm = -400'000;
}
inline void renewed_twice(Scenario& scenario) {
  lease_of_6s(scenario);
  works(scenario, 13s);
  for (ClientPlan& client : scenario.clients) client.program.front().attempts = 3;
}
// Messages take no time, but come in any order.
inline void without_delay(Scenario& scenario) { scenario.timing.delay_max = 0s; }
// … and a client that was refused comes back just when the other releases.
inline void without_delay_and_in_turn(Scenario& scenario) {
  without_delay(scenario);
  works(scenario, 5s);
}
inline void at_once(Scenario& scenario) {
  without_delay(scenario);
  scenario.belief = Belief::deadline_from_request;
}
inline void at_once_and_works_long(Scenario& scenario) {
  at_once(scenario);
  works(scenario, 8s);
}
inline void at_once_for_a_minute(Scenario& scenario) {
  at_once(scenario);
  set(scenario, "ttl", "60s");
}

// The resource looks at no numbers: the lock alone must see to their order.
inline void judges_numbers(Scenario& scenario) { scenario.check.insert(Property::fenced_writes); }
inline void judges_numbers_of_two_rounds(Scenario& scenario) {
  judges_numbers(scenario);
  two_rounds(scenario);
}
inline void updates_a_register(Scenario& scenario) {
  scenario.check.insert({Property::fenced_writes, Property::no_lost_update});
  scenario.fencing = Fencing::first_read;
  for (ClientPlan& client : scenario.clients)
    client.program.insert(client.program.begin() + 1, {.op = ProgramStep::Op::read});
}

// --- bugs of a caller or of the resource, not of the lock ---

inline void counts_from_the_reply(Scenario& scenario) { scenario.belief = Belief::deadline_from_reply; }
inline void writes_after_the_release(Scenario& scenario) {
  for (ClientPlan& client : scenario.clients) std::swap(client.program[2], client.program[3]);
}
inline void registers_only_writes(Scenario& scenario) { scenario.fencing = Fencing::first_write; }
inline void looks_at_no_numbers(Scenario& scenario) { scenario.fencing = Fencing::none; }

}  // namespace holdfast::zoo
