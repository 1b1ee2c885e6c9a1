// A property judges a run by its trace alone. One file each; file name = id. The ledger keeps the facts they share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/check/ledger.hpp"
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
  explicit Checker(Property property) : property_(property) {}
  virtual ~Checker() = default;
  Property property() const { return property_; }

  // Judges one event. The ledger has not seen it yet: it tells how things stood before.
  virtual void on(const Event& event, const Ledger& before) = 0;
  // Everything that future judgements depend on and that the ledger does not hold already. Times relative to `now`.
  virtual void digest(Digester& digester, Instant now) const = 0;

  // Violated as soon as the first finding exists; later ones are not looked for.
  bool is_violated() const { return violated_; }
  // REQUIRES: is_violated().
  virtual Finding finding() const = 0;

 protected:
  bool violated_ = false;

 private:
  Property property_;
};

// All checkers over one run: subscribe it to the trace.
class Judge final : public Observer {
 public:
  // `properties`: only these. Those without a checker are left out.
  explicit Judge(PropertySet properties);
  void on(const Event& event) override;
  void digest(Digester& digester, Instant now) const;
  PropertySet violated() const { return violated_; }
  // Those of violated properties, in the order of the vocabulary.
  std::vector<Finding> findings() const;

 private:
  Ledger ledger_;
  std::vector<std::unique_ptr<Checker>> checkers_;
  PropertySet violated_;
};

namespace checkers {
// One of each: calls every function of sim/check/<id>.cpp; generated from the file names.
std::vector<std::unique_ptr<Checker>> make_all();
// Every property that has a checker.
PropertySet all();
}  // namespace checkers

}  // namespace holdfast
