// no-stale-write: once the lock was granted to another client, whoever was granted it before writes no more.
//
// The later grant counts even when it has ended by the time of the write: its holder has seen the resource
// and must be able to rely on what it saw. A write that the resource refuses does no harm. Of a write after
// the release, only those count who hold the lock by then: whoever has released is not remembered.
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
    if (!wrote.accepted) return;
    if (account == nullptr) return judge_late(wrote.acquisition, event, before);
    if (account->overtaken) note({*account, *account->overtaken, {event.step, event.at}});
  }

  Finding finding() const override {
    const auto& [writer, later, wrote] = *write_;
    const bool is_late = writer.phase == Account::Phase::asking;
    return {property(), later.moment.step, wrote.step,
            fmt::format("At {} a write of {}, {}, reached the resource although {} had been granted the lock "
                        "at {}.",
                        text_of(wrote.at), name_of(writer.acquisition),
                        is_late ? "which had released the lock" : "granted at " + text_of(writer.granted.at),
                        name_of(later.by), text_of(later.moment.at))};
  }

 private:
  struct Write {
    Account writer;  // of nobody who was granted, if it has released
    Deed later;
    Moment moment;
  };

  void note(const Write& write) {
    write_ = std::make_unique<Write>(write);
    violated_ = true;
  }

  void judge_late(Acquisition writer, const Event& event, const Ledger& before) {
    Account released;
    released.acquisition = writer;
    for (const Account& other : before.accounts()) {
      const bool holds = other.phase == Account::Phase::claiming || other.phase == Account::Phase::ended;
      if (!holds || other.acquisition.client == writer.client || violated_) continue;
      note({released, {other.acquisition, other.granted}, {event.step, event.at}});
    }
  }

  std::unique_ptr<Write> write_;
};

}  // namespace

std::unique_ptr<Checker> no_stale_write() { return std::make_unique<NoStaleWrite>(); }

}  // namespace holdfast::checkers
