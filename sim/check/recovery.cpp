// recovery: when the faults are over, a new client gets the lock within the bound. With a server away they
// are not over: that is availability.
#include <fmt/format.h>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class Recovery final : public Checker {
 public:
  Recovery() : Checker(Property::recovery, events_of<Partitioned, Calm, Granted, Ended>(), {}, true) {}

  void on(const Event& event, const Ledger& before) override {
    if (const Partitioned* const cut = std::get_if<Partitioned>(&event.what)) {
      is_over_ &= cut->until != never;
    } else if (const Calm* const calm = std::get_if<Calm>(&event.what)) {
      is_trying_ = is_over_;
      probe_ = calm->probe;
      calm_ = {event.step, event.at};
    } else if (const Granted* const granted = std::get_if<Granted>(&event.what)) {
      if (granted->acquisition.client == probe_) is_trying_ = false;
    } else if (is_trying_) {
      ended_ = {event.step, event.at};
      if (!before.keys().empty()) obstacle_ = before.keys().front();
      violated_ = true;
    }
  }

  Digest mix_state(Digest history, Instant, const Counts&) const override {
    return mix(history, (is_over_ ? 0u : 1u) | (is_trying_ ? std::uint64_t{probe_.value} + 1 : 0) << 1);
  }

  Finding finding() const override {
    std::string key = "although no key stands in its way";
    if (obstacle_) {
      const std::string end =
          obstacle_->expires_at == never ? "has no expiry" : "expires at " + text_of(obstacle_->expires_at);
      key = fmt::format("the key that {} wrote at {} still stands and {}", name_of(obstacle_->owner),
                        text_of(obstacle_->written().at), end);
    }
    return {
        property(), obstacle_ ? obstacle_->written().step : calm_.step, ended_.step,
        fmt::format("A new client, {}, tried for {} after the last fault and was not granted the lock: {}.",
                    name_of(probe_), to_text(ended_.at - calm_.at), key)};
  }

 private:
  bool is_over_ = true;  // what strikes
  bool is_trying_ = false;
  ClientId probe_;
  Moment calm_;
  Moment ended_;
  std::optional<StandingKey> obstacle_;
};

}  // namespace

std::unique_ptr<Checker> recovery() { return std::make_unique<Recovery>(); }

}  // namespace holdfast::checkers
