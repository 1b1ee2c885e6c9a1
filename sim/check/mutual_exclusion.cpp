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
      first_ = account;
      second_ = Deed{granted.acquisition, {event.step, event.at}};
      violated_ = true;
      return;
    }
  }

  Finding finding() const override {
    const std::string first = name_of(first_.acquisition);
    return {
        property(), first_.granted.step, second_.moment.step,
        fmt::format(
            "At {} {} was granted the lock while {}, granted at {}, still believes that it holds it: {} has "
            "neither released it nor noticed a loss; {}.",
            text_of(second_.moment.at), name_of(second_.by), first, text_of(first_.granted.at), first,
            fate_of_key(first_))};
  }

 private:
  Account first_;
  Deed second_;
};

}  // namespace

std::unique_ptr<Checker> mutual_exclusion() { return std::make_unique<MutualExclusion>(); }

}  // namespace holdfast::checkers
