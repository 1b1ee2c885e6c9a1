// fence-order: of two grants, the one whose key was written later has the greater number.
//
// The owner is decided when the key is written; the arrival of a grant, or its writes to the resource, do not
// matter. A grant counts by the last write of its acquisition before it, on the first server; grants without
// a number, without such a write, or to readers say nothing.
#include <fmt/format.h>

#include <algorithm>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class FenceOrder final : public Checker {
 public:
  FenceOrder()
      : Checker(Property::fence_order, events_of<KeyChanged, Granted, Refused, Crashed, Finished>(),
                {Fact::phase, Fact::wrote}, true) {}

  void on(const Event& event, const Ledger& before) override {
    if (const auto* const change = std::get_if<KeyChanged>(&event.what)) note_write(*change, event, before);
    else if (const auto* const granted = std::get_if<Granted>(&event.what)) judge(*granted, event);
    else if (const auto* const refused = std::get_if<Refused>(&event.what)) forget(refused->acquisition);
    else if (const auto* const crashed = std::get_if<Crashed>(&event.what)) forget(crashed->client);
    else forget(std::get<Finished>(event.what).client);
  }

  // The account has the acquisitions that have written. Of one alone nothing else matters, as long as it was
  // written after all that was granted.
  Digest mix_state(Digest history, Instant, const Counts& counts) const override {
    if (newest_) history = mix(mix(history, 1), counts.seen(newest_->fence));
    for (const Written& each : written_) {
      const bool is_usual = !each.later && number_of(each.earlier) == number_of(newest_);
      if (is_usual && written_.size() == 1) continue;
      history = mix(mix(history, is_usual ? 2 : 3), each.by.client.value);
      if (is_usual) continue;
      for (const std::optional<Numbered>& other : {each.earlier, each.later})
        history = mix(history, other ? counts.seen(other->fence) + 1 : 0);
    }
    return history;
  }

  void note_counts(Counts& counts) const override {
    if (newest_) counts.note(newest_->fence);
    for (const Written& each : written_)
      for (const std::optional<Numbered>& other : {each.earlier, each.later})
        if (other) counts.note(other->fence);
  }

  Finding finding() const override {
    const auto& [grant, other, is_later] = *clash_;
    const auto words = [](const Numbered& it) {
      return fmt::format("{} (number {}, its key written at {})", name_of(it.grant.by), it.fence,
                         text_of(it.written.at));
    };
    return {property(), other.grant.moment.step, grant.grant.moment.step,
            fmt::format("At {} {} was granted the lock; {} had been granted it at {}: the key of {} was "
                        "written {}, and its number is not {}.",
                        text_of(grant.grant.moment.at), words(grant), words(other),
                        text_of(other.grant.moment.at), name_of(grant.grant.by),
                        is_later ? "later" : "earlier", is_later ? "greater" : "smaller")};
  }

 private:
  struct Numbered {
    std::uint64_t fence;
    Deed grant;
    Moment written;
  };
  // Of clients that were not granted the lock yet, in the order of writes.
  struct Written {
    Acquisition by;
    Moment moment;
    std::optional<Numbered> earlier;  // of the grants whose keys were written before: the greatest number
    std::optional<Numbered> later;    // … and after: the smallest
  };
  struct Clash {
    Numbered grant;
    Numbered other;
    bool is_later;  // the key of `grant` was written later
  };
  // One more, and 0 for none.
  static std::uint64_t number_of(const std::optional<Numbered>& it) { return it ? it->fence + 1 : 0; }

  void note_write(const KeyChanged& change, const Event& event, const Ledger& before) {
    const bool is_write =
        change.kind == KeyChanged::Kind::created || change.kind == KeyChanged::Kind::overwritten;
    if (!is_write || change.node != NodeId{0}) return;
    const Account* const account = before.find(change.by);
    if (account == nullptr || account->phase != Account::Phase::asking) return;
    forget(change.by);
    written_.push_back({change.by, {event.step, event.at}, newest_, std::nullopt});
  }

  void judge(const Granted& granted, const Event& event) {
    const auto place = std::find_if(written_.begin(), written_.end(),
                                    [&](const Written& each) { return each.by == granted.acquisition; });
    if (place == written_.end()) return;
    const Written own = *place;
    const auto after = written_.erase(place);
    if (!granted.fence || granted.mode == Mode::shared) return;
    const Numbered grant{*granted.fence, {granted.acquisition, {event.step, event.at}}, own.moment};
    if (own.earlier && own.earlier->fence >= grant.fence) return clash(grant, *own.earlier, true);
    if (own.later && own.later->fence <= grant.fence) return clash(grant, *own.later, false);
    for (auto each = written_.begin(); each != after; ++each)
      if (!each->later || grant.fence < each->later->fence) each->later = grant;
    for (auto each = after; each != written_.end(); ++each)
      if (!each->earlier || grant.fence > each->earlier->fence) each->earlier = grant;
    if (!newest_ || grant.fence > newest_->fence) newest_ = grant;
  }

  void clash(const Numbered& grant, const Numbered& other, bool is_later) {
    clash_ = std::make_unique<Clash>(Clash{grant, other, is_later});
    violated_ = true;
  }

  void forget(Acquisition who) {
    std::erase_if(written_, [&](const Written& each) { return each.by == who; });
  }
  void forget(ClientId who) {
    std::erase_if(written_, [&](const Written& each) { return each.by.client == who; });
  }

  std::vector<Written> written_;
  std::optional<Numbered> newest_;  // the greatest number of all
  std::unique_ptr<Clash> clash_;
};

}  // namespace

std::unique_ptr<Checker> fence_order() { return std::make_unique<FenceOrder>(); }

}  // namespace holdfast::checkers
