// One run of one subject: a world, its trace, and the judge who listens.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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
  // Throws BadParameter, BadCard, BadScenario.
  Subject(const Scenario& the_scenario, const Card& the_card);
  const Scenario& scenario;
  const Card& card;
  Params params;
  PropertySet properties;
  PropertySet unjudged;            // asked about, and about owners of keys that nobody knows
  std::uint64_t late_writers = 0;  // as in Ledger
  redis::Scripts scripts;
  LockFacts facts;
  // What every state says, because in some run somebody was told. States of one exploration say the same:
  // else what is taken for one would depend on the order in which states are found.
  Knowledge known;
  // As soon as somebody is told more, it begins anew. So long as no grant brings a number, none has an order.
  bool learns = false;
  // Its worlds go on with replies that nobody notices.
  bool joins_replies = false;

  PropertySet judged() const {
    PropertySet found = properties;
    if (learns && !known.of_numbers) found.erase(Property::fence_order);
    return found;
  }
};

// The parts of a state that a step has changed, as they are afterwards.
struct Effect {
  Digest part;  // the client's that has moved
  Digest rest;  // what is nobody's
  bool operator==(const Effect&) const = default;
};

class Run {
 public:
  Run(Subject& subject, Choices& choices, bool recording)
      : trace(recording),
        judge(subject.judged(), subject.scenario.overlap_max, subject.late_writers),
        world(subject.scenario, subject.card, subject.params, subject.scripts, choices, trace,
              subject.known, subject.joins_replies ? World::States::joined : World::States::asked,
              subject.facts) {
    trace.subscribe(judge);
    // With the probe. In the arena, like everything that a run remembers.
    parts_.reserve(world.client_count() + 1);
    whole_.reserve(world.client_count() + 1);
    before_.reserve(world.client_count() + 1);
  }
  // What lies ahead is the same for equal digests: the world's state and what the judge remembers. The parts
  // of clients that did not move are kept from the last call.
  Digest digest() {
    const std::size_t clients = world.client_count();
    parts_.resize(clients);
    touched_ = world.take_touched();
    // A judge that has one property less to watch remembers less of everybody.
    if (std::exchange(violated_, judge.violated()) != judge.violated()) touched_ = ~std::uint64_t{0};
    for (std::uint32_t i = 0; i < clients; ++i) {
      if ((touched_ >> (i & 63) & 1) == 0) continue;
      const ClientId id{i};
      const Digest judged = judge.mix_client(Digest{}, id, world.acquisitions(id), world.now());
      parts_[i] = world.mix_client(judged, id);
    }
    before_.swap(whole_);
    whole_ = parts_;
    rest_ = judge.mix_rest(world.mix_rest(whole_), world.now());
    all_ = Digest{};
    for (const Digest& part : whole_) all_ = sum(all_, part);
    return mix(rest_, all_);
  }

  // --- the parts of the last digest(): it is mix(rest(), all()) ---

  // By client. As long as a step touches nobody else, they depend on nothing but themselves, the rest and
  // mode().
  std::span<const Digest> parts() const { return whole_; }
  Digest rest() const { return rest_; }
  // The sum of parts().
  Digest all() const { return all_; }
  // What all parts are made by.
  std::uint64_t mode() const {
    const Knowledge told = world.told();
    return std::uint64_t{violated_.bits()} << 8 | std::uint64_t{told.of_numbers} << 5 |
           std::uint64_t{told.of_writers} << 4 |
           std::uint64_t{world.is_calm()} << 3 | std::uint64_t{told.of_time} << 2 |
           std::uint64_t{told.of_clients} << 1 | std::uint64_t{told.of_names};
  }
  // What the step between the last two calls has done; nullopt when it concerns others than `mover`.
  std::optional<Effect> effect_on(ClientId mover) const {
    const std::uint64_t others = touched_ & ~(std::uint64_t{1} << (mover.value & 63));
    if (others != 0 || whole_.size() != before_.size()) return std::nullopt;
    for (std::size_t i = 0; i < whole_.size(); ++i)
      if (i != mover.value && whole_[i] != before_[i]) return std::nullopt;
    return Effect{whole_[mover.value], rest_};
  }

  Trace trace;
  Judge judge;
  World world;

 private:
  PropertySet violated_;
  std::vector<Digest> parts_;   // by client
  std::vector<Digest> whole_;   // the same, and what the world adds
  std::vector<Digest> before_;  // the same, at the call before
  Digest rest_;
  Digest all_;  // the sum of whole_
  std::uint64_t touched_ = 0;
};

}  // namespace holdfast
