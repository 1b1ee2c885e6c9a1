// truthful-release: release() does not say "it was mine, and now it is free" of a lock that was lost before.
//
// Lost: the store stopped holding the key of this acquisition by anything but its own command, or never held
// one when the lock was granted. (Of exclusive grants: the key of readers is nobody's own.) To have lost the
// lock is no violation; to say the opposite is.
#include <fmt/format.h>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class TruthfulRelease final : public Checker {
 public:
  TruthfulRelease() : Checker(Property::truthful_release, events_of<Released>(), {Fact::phase, Fact::hold}) {}

  void on(const Event& event, const Ledger& before) override {
    const Released& released = std::get<Released>(event.what);
    const Account* const account = before.find(released.acquisition);
    if (released.result != Release::released || account == nullptr ||
        account->hold != Account::Hold::missing || account->mode == Mode::shared)
      return;
    lie_ = std::make_unique<Lie>(*account, Moment{event.step, event.at});
    violated_ = true;
  }

  Finding finding() const override {
    const auto& [account, told] = *lie_;
    const Moment lost = account.loss ? account.loss->moment : account.granted;
    return {property(), lost.step, told.step,
            fmt::format("At {} release() told {} that it had held the lock until then; but {}.",
                        text_of(told.at), name_of(account.acquisition), fate_of_key(account))};
  }

 private:
  using Lie = std::pair<Account, Moment>;
  std::unique_ptr<Lie> lie_;
};

}  // namespace

std::unique_ptr<Checker> truthful_release() { return std::make_unique<TruthfulRelease>(); }

}  // namespace holdfast::checkers
