// rightful-write: the resource does not refuse a write of the holder.
//
// The client believes that it holds the lock, its key still exists, and no other client was granted the lock
// since. A resource that refuses such a write compares numbers wrongly, or has met a greater one that it
// should not have met.
#include <fmt/format.h>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class RightfulWrite final : public Checker {
 public:
  RightfulWrite()
      : Checker(Property::rightful_write, events_of<Wrote>(), {Fact::phase, Fact::hold, Fact::overtaken}) {}

  void on(const Event& event, const Ledger& before) override {
    const Wrote& wrote = std::get<Wrote>(event.what);
    const Account* const account = before.find(wrote.acquisition);
    if (wrote.accepted || account == nullptr || account->mode == Mode::shared) return;
    const bool is_rightful = account->phase == Account::Phase::claiming &&
                             account->hold == Account::Hold::held && !account->overtaken;
    if (!is_rightful) return;
    refused_ = std::make_unique<Refusal>(*account, Moment{event.step, event.at});
    violated_ = true;
  }

  Finding finding() const override {
    const auto& [writer, refused] = *refused_;
    return {
        property(), writer.granted.step, refused.step,
        fmt::format("At {} the resource refused a write of {} with the number {}, although {} was granted "
                    "the lock at {}, {}, and no client was granted it since.",
                    text_of(refused.at), name_of(writer.acquisition), writer.fence.value_or(0),
                    name_of(writer.acquisition), text_of(writer.granted.at), fate_of_key(writer))};
  }

 private:
  using Refusal = std::pair<Account, Moment>;
  std::unique_ptr<Refusal> refused_;
};

}  // namespace

std::unique_ptr<Checker> rightful_write() { return std::make_unique<RightfulWrite>(); }

}  // namespace holdfast::checkers
