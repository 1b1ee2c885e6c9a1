// One run of one subject: a world, its trace, and the judge that observes it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/check/checker.hpp"
#include "sim/choose/choices.hpp"
#include "sim/core/lock.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/stores/kinds.hpp"
#include "sim/trace/trace.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

// What stays the same in every run of an exploration. `scenario` and `card` must outlive it.
struct Subject {
  // Throws BadParameter, BadCard.
  Subject(const Scenario& the_scenario, const Card& the_card);
  const Scenario& scenario;
  const Card& card;
  Params params;
  PropertySet properties;
  // Asked about, and not to be judged of this lock; why.
  std::map<Property, std::string_view> unjudged;
  std::uint64_t late_writers = 0;  // as in Ledger
  stores::Kinds kinds;
  LockFacts facts;
  // The values that every state includes, because a client was told them in some run. All states of one
  // exploration include the same; otherwise, which states count as equal would depend on the search order.
  Knowledge known;
  // When a client is told more, the exploration begins anew. Grants without numbers have no order.
  bool learns = false;
  // Its worlds go on with unobservable replies.
  bool joins_replies = false;
  // Its worlds are World::States::earnest. Otherwise what is found is asked of the card (Presumed).
  bool is_in_earnest = true;

  PropertySet judged() const {
    PropertySet found = properties;
    if (learns && !known.of_numbers) found.erase(Property::fence_order);
    return found;
  }
};

// The parts of a state that a step has changed, as they are afterwards.
struct Effect {
  Digest part;  // of the client that moved
  Digest rest;  // of what belongs to no client
  bool operator==(const Effect&) const = default;
};

class Run {
 public:
  Run(Subject& subject, Choices& choices, bool recording)
      : trace(recording),
        judge(subject.judged(), subject.scenario.overlap_max, subject.late_writers, subject.card.capacity),
        world(subject.scenario, subject.card, subject.params, subject.kinds, choices, trace, subject.known,
              subject.is_in_earnest   ? World::States::earnest
              : subject.joins_replies ? World::States::joined
                                      : World::States::asked,
              subject.facts) {
    trace.subscribe(judge);
    // With the probe. In the arena, like everything that a run remembers.
    parts_.reserve(world.client_count() + 1);
    whole_.reserve(world.client_count() + 1);
    before_.reserve(world.client_count() + 1);
  }
  // Runs with equal digests have the same futures: it covers the state of the world and that of the judge.
  // The parts of clients that did not move are kept from the last call.
  Digest digest() {
    const std::size_t clients = world.client_count();
    Times* const times = world.times();
    const AskTimes ask(times);
    parts_.resize(clients);
    touched_ = world.take_touched([this](Counts& counts) { judge.note_counts(counts); });
    // A judge that watches one property less remembers less of every client.
    if (std::exchange(violated_, judge.violated()) != judge.violated()) touched_ = ~std::uint64_t{0};
    if (times != nullptr) {
      touched_ = ~std::uint64_t{0};
      times->begin_state(world.now());
    }
    for (std::uint32_t i = 0; i < clients; ++i) {
      if ((touched_ >> (i & 63) & 1) == 0) continue;
      if (times != nullptr) times->begin_part(i);
      const ClientId id{i};
      const Digest judged =
          judge.mix_client(Digest{}, id, world.acquisitions(id), world.now(), world.counts());
      parts_[i] = world.mix_client(judged, id);
    }
    before_.swap(whole_);
    whole_ = parts_;
    if (times != nullptr) times->begin_part(clients);
    rest_ = judge.mix_rest(world.mix_rest(whole_), world.now(), world.counts());
    all_ = Digest{};
    for (const Digest& part : whole_) all_ = sum(all_, part);
    if (times == nullptr) return mix(rest_, all_);
    times->end_state();
    return mix(mix(rest_, all_), times->structure(places_of_times()));
  }
  // Where time is dense: of the last digest().
  Zone zone() { return world.times()->zone(places_of_times()); }
  // As if the last digest() had this zone, which contains its own.
  void widen(const Zone& zone) { world.times()->widen(zone, places_of_times()); }

  // --- the parts of the last digest(): it is mix(rest(), all()) ---

  // By client. While steps touch one client only, a part depends on nothing but itself, the rest and
  // mode().
  std::span<const Digest> parts() const { return whole_; }
  Digest rest() const { return rest_; }
  // The sum of parts().
  Digest all() const { return all_; }
  // How the parts are computed.
  std::uint64_t mode() const {
    const Knowledge told = world.told();
    return std::uint64_t{violated_.bits()} << 10 | std::uint64_t{told.of_counts} << 9 |
           std::uint64_t{told.of_others} << 8 | std::uint64_t{told.of_transactions} << 7 |
           std::uint64_t{told.of_numbers} << 6 | std::uint64_t{told.of_date} << 5 |
           std::uint64_t{told.of_writers} << 4 | std::uint64_t{world.is_calm()} << 3 |
           std::uint64_t{told.of_time} << 2 | std::uint64_t{told.of_clients} << 1 |
           std::uint64_t{told.of_names};
  }
  // The change between the last two calls; nullopt when the step changed more clients than `mover`.
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
  // Clients that do the same may change places: so their times stand in the order of their digests.
  std::vector<std::size_t> places_of_times() const {
    std::vector<std::size_t> places(whole_.size() + 1);
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::stable_sort(places.begin(), places.end() - 1, [this](std::size_t one, std::size_t other) {
      return std::pair(whole_[one].high, whole_[one].low) < std::pair(whole_[other].high, whole_[other].low);
    });
    return places;
  }

  PropertySet violated_;
  std::vector<Digest> parts_;   // by client
  std::vector<Digest> whole_;   // the same, and what the world adds
  std::vector<Digest> before_;  // the same, at the call before
  Digest rest_;
  Digest all_;  // the sum of whole_
  std::uint64_t touched_ = 0;
};

}  // namespace holdfast
