// no-lost-update: a write that rests on what was read does not replace a write that came after the reading.
//
// Most work under a lock reads, then writes what follows from it. Writes without an earlier read rest on
// nothing. A refused write does no harm.
#include <fmt/format.h>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class NoLostUpdate final : public Checker {
 public:
  NoLostUpdate() : Checker(Property::no_lost_update, events_of<Wrote>(), {Fact::phase, Fact::read}) {}

  void on(const Event& event, const Ledger& before) override {
    const Wrote& wrote = std::get<Wrote>(event.what);
    const Account* const account = before.find(wrote.acquisition);
    if (!wrote.accepted || account == nullptr || !account->changed_since) return;
    write_ = std::make_unique<Write>(*account, Moment{event.step, event.at});
    violated_ = true;
  }

  Finding finding() const override {
    const auto& [writer, wrote] = *write_;
    const Deed& lost = *writer.changed_since;
    return {property(), lost.moment.step, wrote.step,
            fmt::format("At {} a write of {} replaced what {} had written at {}: {} had read the resource "
                        "before, at {}, and knew nothing of it.",
                        text_of(wrote.at), name_of(writer.acquisition), name_of(lost.by),
                        text_of(lost.moment.at), name_of(writer.acquisition), text_of(writer.read->at))};
  }

 private:
  using Write = std::pair<Account, Moment>;
  std::unique_ptr<Write> write_;
};

}  // namespace

std::unique_ptr<Checker> no_lost_update() { return std::make_unique<NoLostUpdate>(); }

}  // namespace holdfast::checkers
