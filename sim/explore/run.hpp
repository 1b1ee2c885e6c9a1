// One run of one subject: a world, its trace, and the judge who listens.
#pragma once

#include "sim/check/checker.hpp"
#include "sim/choose/choices.hpp"
#include "sim/core/lock.hpp"
#include "sim/redis/scripts.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/trace/trace.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

// What stays the same in every run of an exploration. `scenario` and `card` must outlive it.
struct Subject {
  // Throws BadParameter.
  Subject(const Scenario& the_scenario, const Card& the_card);
  const Scenario& scenario;
  const Card& card;
  Params params;
  PropertySet properties;
  redis::Scripts scripts;
};

class Run {
 public:
  Run(Subject& subject, Choices& choices, bool recording)
      : trace(recording),
        judge(subject.properties),
        world(subject.scenario, subject.card, subject.params, subject.scripts, choices, trace) {
    trace.subscribe(judge);
  }
  // What lies ahead is the same for equal digests: the world's state and what the judge remembers.
  Digest digest(Digester& digester) const {
    digester.clear();
    world.digest(digester);
    judge.digest(digester, world.now());
    return digester.finish();
  }

  Trace trace;
  Judge judge;
  World world;
};

}  // namespace holdfast
