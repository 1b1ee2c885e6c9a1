// mutual-exclusion: no two clients believe at once that they hold the lock in modes that clash.
//
// A claim lasts from Granted to the first of Releasing, BeliefEnded and the client's end. The order of events
// decides, not their times: a claim that ends before another begins at the same instant does not overlap it.
// Claims of one client do not exclude each other; whether it may acquire twice is another property.
#include <fmt/format.h>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class MutualExclusion final : public Checker {
 public:
  MutualExclusion() : Checker(Property::mutual_exclusion, events_of<Granted>(), {Fact::phase}) {}

  void on(const Event& event, const Ledger& before) override {
    const Granted& granted = std::get<Granted>(event.what);
    for (const Account& account : before.accounts()) {
      if (account.phase != Account::Phase::claiming || !clash(account.mode, granted.mode)) continue;
      if (account.acquisition.client == granted.acquisition.client) continue;
      clash_ = std::make_unique<Clash>(account, Deed{granted.acquisition, {event.step, event.at}});
      violated_ = true;
      return;
    }
  }

  Finding finding() const override {
    const auto& [first_account, second] = *clash_;
    const std::string first = name_of(first_account.acquisition);
    return {
        property(), first_account.granted.step, second.moment.step,
        fmt::format(
            "At {} {} was granted the lock while {}, granted at {}, still believes that it holds it: {} has "
            "neither released it nor noticed a loss; {}.",
            text_of(second.moment.at), name_of(second.by), first, text_of(first_account.granted.at), first,
            fate_of_key(first_account))};
  }

 private:
  // Only once it is violated, for states are copied often.
  using Clash = std::pair<Account, Deed>;
  std::unique_ptr<Clash> clash_;
};

}  // namespace

std::unique_ptr<Checker> mutual_exclusion() { return std::make_unique<MutualExclusion>(); }

}  // namespace holdfast::checkers
