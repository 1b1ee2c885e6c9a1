// no-stale-write: once the lock was granted to another client, the clients before it write no more.
//
// The later grant counts even when it has ended by the time of the write: its holder has seen the resource
// and must be able to rely on what it saw. A write that the resource refuses does no harm.
#include <fmt/format.h>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class NoStaleWrite final : public Checker {
 public:
  NoStaleWrite() : Checker(Property::no_stale_write, events_of<Wrote>(), {Fact::phase, Fact::overtaken}) {}

  void on(const Event& event, const Ledger& before) override {
    const Wrote& wrote = std::get<Wrote>(event.what);
    const Account* const account = before.find(wrote.acquisition);
    if (!wrote.accepted || account == nullptr || !account->overtaken) return;
    write_ = std::make_unique<Write>(*account, Moment{event.step, event.at});
    violated_ = true;
  }

  Finding finding() const override {
    const auto& [writer, wrote] = *write_;
    const Deed& later = *writer.overtaken;
    const bool is_late = writer.phase == Account::Phase::releasing;
    return {property(), later.moment.step, wrote.step,
            fmt::format("At {} a write of {}, {}, reached the resource although {} had been granted the lock "
                        "at {}.",
                        text_of(wrote.at), name_of(writer.acquisition),
                        is_late ? "which had released the lock" : "granted at " + text_of(writer.granted.at),
                        name_of(later.by), text_of(later.moment.at))};
  }

 private:
  using Write = std::pair<Account, Moment>;
  std::unique_ptr<Write> write_;
};

}  // namespace

std::unique_ptr<Checker> no_stale_write() { return std::make_unique<NoStaleWrite>(); }

}  // namespace holdfast::checkers
