// mutual-exclusion: no two clients believe at once that they hold the lock in modes that clash. Of a
// semaphore for n: no n + 1 clients do.
//
// A claim lasts from Granted to the first of Releasing, BeliefEnded and the client's end. The order of events
// decides, not their times: a claim that ends before another begins at the same instant does not overlap it.
// Claims of one client do not exclude each other; whether it may acquire twice is another property.
//
// Where an overlap of some length is tolerated, it is judged when one of the claims ends.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class MutualExclusion final : public Checker {
 public:
  MutualExclusion() : Checker(Property::mutual_exclusion, events_of<Granted>(), {Fact::phase}) {}

  void tolerate(Duration overlap) override {
    tolerated_ = overlap;
    depend_also(events_of<Releasing, BeliefEnded, Crashed, Finished, PeriodOver>(), {Fact::granted});
  }

  void allow(std::uint32_t holders) override { capacity_ = holders; }

  void on(const Event& event, const Ledger& before) override {
    if (tolerated_ > Duration::zero()) return judge_ends(event, before);
    const Granted& granted = std::get<Granted>(event.what);
    Others others(capacity_);
    for (const Account& account : before.accounts()) {
      if (account.phase != Account::Phase::claiming || !clash(account.mode, granted.mode)) continue;
      if (account.acquisition.client == granted.acquisition.client) continue;
      if (!others.are_all_with(account.acquisition.client)) continue;
      clash_ = std::make_unique<Clash>(account, Deed{granted.acquisition, {event.step, event.at}});
      violated_ = true;
      return;
    }
  }

  Finding finding() const override {
    if (overlap_) return long_overlap();
    const auto& [first_account, second] = *clash_;
    const std::string first = name_of(first_account.acquisition);
    return {
        property(), first_account.granted.step, second.moment.step,
        fmt::format(
            "At {} {} was granted the lock while {}, granted at {}, still believes that it holds it: {} has "
            "neither released it nor noticed a loss{}; {}.",
            text_of(second.moment.at), name_of(second.by), first, text_of(first_account.granted.at), first,
            beside_others(), fate_of_key(first_account))};
  }

 private:
  // Clients that hold beside one: each counts once, however often it was granted the lock.
  class Others {
   public:
    explicit Others(std::uint32_t capacity) : capacity_(capacity) {}
    // Whether they are as many as may hold, with this one.
    bool are_all_with(ClientId client) {
      if (capacity_ == 1) return true;
      if (std::find(clients_.begin(), clients_.end(), client) == clients_.end()) clients_.push_back(client);
      return clients_.size() >= capacity_;
    }

   private:
    std::uint32_t capacity_;
    std::vector<ClientId> clients_;
  };
  struct Overlap {
    Account one;
    Account other;  // granted later
    Moment end;
  };

  void judge_ends(const Event& event, const Ledger& before) {
    for (const Account& one : before.accounts())
      if (one.phase == Account::Phase::claiming && ends(one, event)) judge_end(one, event, before);
  }

  static bool ends(const Account& account, const Event& event) {
    const Acquisition it = account.acquisition;
    if (const auto* what = std::get_if<Releasing>(&event.what)) return what->acquisition == it;
    if (const auto* what = std::get_if<BeliefEnded>(&event.what)) return what->acquisition == it;
    if (const auto* what = std::get_if<Crashed>(&event.what)) return what->client == it.client;
    if (const auto* what = std::get_if<Finished>(&event.what)) return what->client == it.client;
    if (const auto* what = std::get_if<PeriodOver>(&event.what)) return what->client == it.client;
    return false;
  }

  // Of a semaphore, what the finding does not name.
  std::string beside_others() const {
    if (capacity_ == 1) return "";
    return fmt::format(", and so have {} more, where the lock is for {} at once", capacity_ - 1, capacity_);
  }

  // All that still claim now, and have long enough, overlap with each other, too.
  void judge_end(const Account& one, const Event& event, const Ledger& before) {
    Others others(capacity_);
    for (const Account& other : before.accounts()) {
      if (other.phase != Account::Phase::claiming || !clash(one.mode, other.mode)) continue;
      if (other.acquisition.client == one.acquisition.client) continue;
      const bool is_later = one.granted.step < other.granted.step;
      const Account& later = is_later ? other : one;
      if (violated_ || event.at - later.granted.at <= tolerated_) continue;
      if (!others.are_all_with(other.acquisition.client)) continue;
      overlap_ = std::make_unique<Overlap>(is_later ? one : other, later, Moment{event.step, event.at});
      violated_ = true;
    }
  }

  Finding long_overlap() const {
    const auto& [one, other, end] = *overlap_;
    return {property(), other.granted.step, end.step,
            fmt::format(
                "From {} to {} both {}, granted at {}, and {}, granted at {}, believed that they held the "
                "lock{}: for {}, and {} are tolerated; {}.",
                text_of(other.granted.at), text_of(end.at), name_of(one.acquisition), text_of(one.granted.at),
                name_of(other.acquisition), text_of(other.granted.at), beside_others(),
                to_text(end.at - other.granted.at), to_text(tolerated_), fate_of_key(one))};
  }

  Duration tolerated_{};
  std::uint32_t capacity_ = 1;
  std::unique_ptr<Overlap> overlap_;
  // Only once it is violated, for states are copied often.
  using Clash = std::pair<Account, Deed>;
  std::unique_ptr<Clash> clash_;
};

}  // namespace

std::unique_ptr<Checker> mutual_exclusion() { return std::make_unique<MutualExclusion>(); }

}  // namespace holdfast::checkers
