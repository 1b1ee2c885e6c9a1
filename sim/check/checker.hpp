// A property judges a run by its trace alone. One file each, named as its id. The ledger keeps shared facts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/check/ledger.hpp"
#include "sim/core/counts.hpp"
#include "sim/core/vocabulary.hpp"
#include "sim/trace/digest.hpp"
#include "sim/trace/trace.hpp"

namespace holdfast {

// The first violation of one property in one run.
struct Finding {
  Property property;
  Step from;            // the earlier of the two events that clash
  Step to;              // the later one: here the run is violating
  std::string because;  // one sentence, in plain words, naming clients and times
};

class Checker {
 public:
  // `hears`: the events that on() is called with. `depends_on`: the facts of the ledger that it judges by.
  // `has_state`: mix_state() is not empty.
  Checker(Property property, EventKinds hears, FactSet depends_on, bool has_state = false)
      : property_(property), has_state_(has_state), hears_(hears), depends_on_(depends_on) {}
  virtual ~Checker() = default;
  Property property() const { return property_; }
  EventKinds hears() const { return hears_; }
  FactSet depends_on() const { return depends_on_; }
  bool has_state() const { return has_state_; }

  // Judges one event. The ledger has not seen it yet: it tells how things stood before.
  // REQUIRES: not violated yet.
  virtual void on(const Event& event, const Ledger& before) = 0;
  // What future judgements depend on and the ledger does not hold already. Times relative to `now`.
  virtual Digest mix_state(Digest history, Instant /*now*/, const Counts& /*counts*/) const {
    return history;
  }
  // Which counts that mixes.
  virtual void note_counts(Counts& /*counts*/) const {}

  // mutual-exclusion: claims that clash for no longer than this do no harm.
  virtual void tolerate(Duration /*overlap*/) {}
  // mutual-exclusion: so many clients may hold the lock at once.
  virtual void allow(std::uint32_t /*holders*/) {}

  // Violated as soon as the first finding exists; later ones are not looked for.
  bool is_violated() const { return violated_; }
  // REQUIRES: is_violated().
  virtual Finding finding() const = 0;

 protected:
  // What it depends on only when it was asked for more.
  void depend_also(EventKinds hears, FactSet depends_on) {
    hears_ |= hears;
    depends_on_.insert(depends_on);
  }
  bool violated_ = false;

 private:
  Property property_;
  bool has_state_;
  EventKinds hears_;
  FactSet depends_on_;
};

// All checkers over one run: subscribe it to the trace. Made anew for every run (under a microsecond).
class Judge final : public Observer {
 public:
  // `properties`: only these. Those without a checker are left out. `late_writers` as in Ledger. `capacity`:
  // so many clients may hold the lock at once.
  explicit Judge(PropertySet properties, Duration overlap_max = {}, std::uint64_t late_writers = 0,
                 std::uint32_t capacity = 1);
  void on(const Event& event) override;
  // What future violations depend on, in two parts; times relative to `now`. Equal parts and equal events to
  // come mean equal violations. Of a property that is violated already, only that counts.
  // What concerns `client`, whose acquisitions are counted back from its `latest`.
  Digest mix_client(Digest history, ClientId client, std::uint32_t latest, Instant now,
                    const Counts& counts = {}) const {
    return ledger_.mix_client(history, client, latest, now, depends_on_, counts);
  }
  // Everything else.
  Digest mix_rest(Digest history, Instant now, const Counts& counts = {}) const;
  // Which counts the two mix.
  void note_counts(Counts& counts) const;
  PropertySet violated() const { return violated_; }
  // Those of violated properties, in the order of the vocabulary.
  std::vector<Finding> findings() const;

 private:
  void judge(const Event& event);
  void note_open_checkers();

  Ledger ledger_;
  std::vector<std::unique_ptr<Checker>> checkers_;  // in the order of the vocabulary
  EventKinds hears_ = 0;                            // of those that are not violated
  FactSet depends_on_;                              // of those that are not violated
  PropertySet violated_;
};

namespace checkers {
// One of each: calls every function of sim/check/<id>.cpp; generated from the file names.
std::vector<std::unique_ptr<Checker>> make_all();
// Every property that has a checker.
PropertySet all();
// These, and those which are decided on the graph of all states and not along single runs.
inline PropertySet decidable() {
  PropertySet properties = all();
  properties.insert({Property::bounded_bypass, Property::livelock});
  return properties;
}
}  // namespace checkers

}  // namespace holdfast
