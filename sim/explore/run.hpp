// One run of one subject: a world, its trace, and the judge who listens.
#pragma once

#include <array>
#include <span>
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
  Digest digest() const {
    std::array<Digest, 16> few{};
    std::vector<Digest> many;
    std::span<Digest> of_clients = few;
    if (world.client_count() > few.size()) {
      many.resize(world.client_count());
      of_clients = many;
    }
    of_clients = of_clients.first(world.client_count());
    for (std::uint32_t i = 0; i < of_clients.size(); ++i)
      of_clients[i] = judge.mix_client(Digest{}, ClientId{i}, world.acquisitions(ClientId{i}), world.now());
    const Digest rest = judge.mix_rest(world.mix_state(of_clients), world.now());
    Digest all{};
    for (const Digest& part : of_clients) all = sum(all, part);
    return mix(rest, all);
  }

  Trace trace;
  Judge judge;
  World world;
};

}  // namespace holdfast
