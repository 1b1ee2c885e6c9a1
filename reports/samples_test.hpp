// Runs and matrices built by hand, for tests.
#pragma once

#include <string>
#include <vector>

#include "reports/report.hpp"

namespace holdfast::reports {

// Tells a run of clients of one lock on redis-1; each call is one step of the world.
class Sample {
 public:
  std::vector<Event> events;
  Instant now{};

  Sample& at(Duration time) {
    now = Instant(time);
    return *this;
  }
  Sample& step(Actor actor, std::vector<What> happened) {
    ++step_;
    for (What& what : happened) events.push_back({Step{step_}, now, actor, std::move(what)});
    return *this;
  }
  std::uint32_t position() const { return step_; }

 private:
  std::uint32_t step_ = 0;
};

inline constexpr ClientId a{0};
inline constexpr ClientId b{1};
inline constexpr NodeId redis{0};
inline constexpr Acquisition a1{a, 1};
inline constexpr Acquisition b1{b, 1};
inline constexpr const char* source_file = "algorithms/set_nx_px.cpp";

inline Sent set_request(std::uint32_t message, Acquisition who) {
  return {MessageId{message},
          redis,
          who,
          {"SET", "job", name_of(who.client) + "-1", "PX", "4000", "NX"},
          {source_file, 19}};
}
inline KeyChanged key_change(KeyChanged::Kind kind, Acquisition by, Acquisition before, Acquisition after,
                             std::string value = "", Instant expires_at = never) {
  return {redis, "job", kind, by, before, after, std::move(value), expires_at};
}

// The classic: A is stopped while it holds, its key expires, B gets the lock, both believe that they hold it.
inline Counterexample paused_holder() {
  Sample sample;
  const Actor client_a = actor_of(a);
  const Actor client_b = actor_of(b);
  const Actor server = actor_of(redis);
  using Kind = KeyChanged::Kind;
  sample.step(client_a, {Started{a}, Acquiring{a1, "job"}, set_request(1, a1)});
  sample.step(client_b, {Started{b}, Acquiring{b1, "job"}});
  sample.step(server, {key_change(Kind::created, a1, {}, a1, "A-1", Instant(4s)),
                       Executed{MessageId{1}, redis, a1, Reply::ok()}});
  sample.step(client_a, {Delivered{MessageId{1}, a1, Reply::ok()},
                         Granted{a1, Mode::exclusive, never, std::nullopt, "A-1"}, Working{a1, 1s}});
  sample.at(1s).step(client_a, {Paused{a}});
  sample.at(5s).step({}, {key_change(Kind::expired, {}, a1, {})});
  sample.step(client_b, {set_request(2, b1)});
  sample.step(server, {key_change(Kind::created, b1, {}, b1, "B-1", Instant(9s)),
                       Executed{MessageId{2}, redis, b1, Reply::ok()}});
  sample.at(6s).step(client_b, {Delivered{MessageId{2}, b1, Reply::ok()},
                                Granted{b1, Mode::exclusive, never, std::nullopt, "B-1"}});
  Counterexample example;
  example.events = sample.events;
  example.steps = sample.position();
  example.steps_original = 143;
  example.findings = {
      {Property::mutual_exclusion, Step{4}, Step{9},
       "At 6s B was granted the lock while A, granted at 0ms, still believes that it holds it: A has "
       "neither released it nor noticed a loss; its key expired at 5s."}};
  using enum Action::Kind;
  example.tape = {{Site::step, {}, 3, 0, {.kind = start, .actor = client_a}},
                  {Site::step, {}, 2, 1, {.kind = strike, .fault = Fault::pause, .actor = client_a}},
                  {Site::jitter, client_a, 2, 1}};
  example.fingerprint = fingerprint(example.events);
  return example;
}

inline Scenario sample_scenario(std::string algorithm, Fault fault) {
  Scenario scenario;
  scenario.name = algorithm + "+" + std::string(id_of(fault));
  scenario.algorithm = std::move(algorithm);
  scenario.params = {{"ttl", "4s"}};
  scenario.belief = Belief::until_release;
  using Op = ProgramStep::Op;
  for (const char* id : {"A", "B"})
    scenario.clients.push_back({.id = id,
                                .program = {{.op = Op::acquire, .attempts = 2},
                                            {.op = Op::work, .length = 1s},
                                            {.op = Op::write},
                                            {.op = Op::release}}});
  if (fault != Fault::none) scenario.faults.push_back({.kind = fault});
  return scenario;
}

}  // namespace holdfast::reports
