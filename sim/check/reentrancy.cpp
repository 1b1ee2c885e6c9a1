// reentrancy: the holder may acquire the lock once more, and holds it until it has released it as often.
#include <fmt/format.h>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class Reentrancy final : public Checker {
 public:
  Reentrancy()
      : Checker(Property::reentrancy, events_of<AcquiredAgain, ReleasedAgain>(), {Fact::phase, Fact::hold}) {}

  void on(const Event& event, const Ledger& before) override {
    if (const auto* const again = std::get_if<AcquiredAgain>(&event.what)) {
      if (again->kind != Attempt::Kind::refused) return;
      judge(again->acquisition, Account::Hold::held, event, before);
    } else if (const auto* const left = std::get_if<ReleasedAgain>(&event.what)) {
      judge(left->acquisition, Account::Hold::freed, event, before);
    }
  }

  Finding finding() const override {
    return {property(), granted_.step, failed_.step,
            fmt::format("At {} {}, which holds the lock since {}, {}.", text_of(failed_.at), name_of(who_),
                        text_of(granted_.at),
                        is_freed_ ? "freed it with the first of two releases"
                                  : "was refused when it acquired the lock once more")};
  }

 private:
  // It believes that it holds, and what the store holds for it is as bad as `hold`.
  void judge(Acquisition acquisition, Account::Hold hold, const Event& event, const Ledger& before) {
    const Account* const account = before.find(acquisition);
    if (account == nullptr || account->phase != Account::Phase::claiming || account->hold != hold) return;
    who_ = acquisition;
    granted_ = account->granted;
    failed_ = {event.step, event.at};
    is_freed_ = hold == Account::Hold::freed;
    violated_ = true;
  }

  Acquisition who_;
  Moment granted_;
  Moment failed_;
  bool is_freed_ = false;
};

}  // namespace

std::unique_ptr<Checker> reentrancy() { return std::make_unique<Reentrancy>(); }

}  // namespace holdfast::checkers
