// One run of one subject: a world, its trace, and the judge who listens.
#pragma once

#include <utility>
#include <vector>

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
  // What every state says, because in some run somebody was told. States of one exploration say the same:
  // else what is taken for one would depend on the order in which states are found.
  Knowledge known;
};

class Run {
 public:
  Run(Subject& subject, Choices& choices, bool recording)
      : trace(recording),
        judge(subject.properties),
        world(subject.scenario, subject.card, subject.params, subject.scripts, choices, trace,
              subject.known) {
    trace.subscribe(judge);
    // With the probe. In the arena, like everything that a run remembers.
    parts_.reserve(world.client_count() + 1);
    whole_.reserve(world.client_count() + 1);
  }
  // What lies ahead is the same for equal digests: the world's state and what the judge remembers. The parts
  // of clients that did not move are kept from the last call.
  Digest digest() {
    const std::size_t clients = world.client_count();
    parts_.resize(clients);
    std::uint64_t touched = world.take_touched();
    // A judge that has one property less to watch remembers less of everybody.
    if (std::exchange(violated_, judge.violated()) != judge.violated()) touched = ~std::uint64_t{0};
    for (std::uint32_t i = 0; i < clients; ++i) {
      if ((touched >> (i & 63) & 1) == 0) continue;
      const ClientId id{i};
      const Digest judged = judge.mix_client(Digest{}, id, world.acquisitions(id), world.now());
      parts_[i] = world.mix_client(judged, id);
    }
    whole_ = parts_;
    const Digest rest = judge.mix_rest(world.mix_rest(whole_), world.now());
    Digest all{};
    for (const Digest& part : whole_) all = sum(all, part);
    return mix(rest, all);
  }

  Trace trace;
  Judge judge;
  World world;

 private:
  PropertySet violated_;
  std::vector<Digest> parts_;  // by client
  std::vector<Digest> whole_;  // the same, and what the world adds
};

}  // namespace holdfast
