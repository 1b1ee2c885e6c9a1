// fenced-writes: once the resource has accepted a write with some number, it accepts none with a smaller one.
//
// The number is the fence of the grant that the write belongs to; writes of grants without one say nothing.
// Either the resource compares them, or the lock must see to it that no older holder writes.
#include <fmt/format.h>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class FencedWrites final : public Checker {
 public:
  FencedWrites() : Checker(Property::fenced_writes, events_of<Wrote>(), {Fact::phase, Fact::fence}, true) {}

  void on(const Event& event, const Ledger& before) override {
    const Wrote& wrote = std::get<Wrote>(event.what);
    const Account* const account = before.find(wrote.acquisition);
    if (!wrote.accepted || account == nullptr || !account->fence) return;
    const Write write{*account->fence, {wrote.acquisition, {event.step, event.at}}};
    if (newest_ && write.fence < newest_->fence) {
      older_ = std::make_unique<Write>(write);
      violated_ = true;
      return;
    }
    newest_ = write;
  }

  Digest mix_state(Digest history, Instant, const Counts& counts) const override {
    return newest_ ? mix(mix(history, 1), counts.seen(newest_->fence)) : history;
  }
  void note_counts(Counts& counts) const override {
    if (newest_) counts.note(newest_->fence);
  }

  Finding finding() const override {
    const Deed& first = newest_->deed;
    const Deed& second = older_->deed;
    return {
        property(), first.moment.step, second.moment.step,
        fmt::format("At {} the resource accepted a write of {} with the number {} although it had accepted "
                    "one of {} with the number {} at {}.",
                    text_of(second.moment.at), name_of(second.by), older_->fence, name_of(first.by),
                    newest_->fence, text_of(first.moment.at))};
  }

 private:
  struct Write {
    std::uint64_t fence;
    Deed deed;
  };
  std::optional<Write> newest_;
  std::unique_ptr<Write> older_;
};

}  // namespace

std::unique_ptr<Checker> fenced_writes() { return std::make_unique<FencedWrites>(); }

}  // namespace holdfast::checkers
