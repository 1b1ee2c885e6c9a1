// availability: a new client gets the lock within the bound although one of several servers never answers.
//
// Recovery in a world with a server away: no client contends, and a majority answers.
#include <fmt/format.h>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class Availability final : public Checker {
 public:
  Availability()
      : Checker(Property::availability, events_of<Partitioned, Calm, Granted, Ended>(), {}, true) {}

  void on(const Event& event, const Ledger&) override {
    if (const Partitioned* const cut = std::get_if<Partitioned>(&event.what)) {
      if (cut->until == never) away_ = cut->node;
    } else if (const Calm* const calm = std::get_if<Calm>(&event.what)) {
      if (away_) probe_ = calm->probe;
      calm_ = {event.step, event.at};
    } else if (const Granted* const granted = std::get_if<Granted>(&event.what)) {
      if (granted->acquisition.client == probe_) probe_.reset();
    } else if (probe_) {
      ended_ = {event.step, event.at};
      violated_ = true;
    }
  }

  Digest mix_state(Digest history, Instant, const Counts&) const override {
    return mix(history, (away_ ? 1u : 0u) | (probe_ ? std::uint64_t{probe_->value} + 1 : 0) << 1);
  }

  // No other store has several servers yet.
  Finding finding() const override {
    return {
        property(), calm_.step, ended_.step,
        fmt::format("A new client, {}, tried for {} and was not granted the lock: one server, {}, did not "
                    "answer, all others did.",
                    name_of(*probe_), to_text(ended_.at - calm_.at), name_of(*away_, StoreKind::redis))};
  }

 private:
  std::optional<NodeId> away_;
  std::optional<ClientId> probe_;  // that tries, and was not granted the lock yet
  Moment calm_;
  Moment ended_;
};

}  // namespace

std::unique_ptr<Checker> availability() { return std::make_unique<Availability>(); }

}  // namespace holdfast::checkers
