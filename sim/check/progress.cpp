// progress: a client that waits for a free lock gets it within the bound, and so does one that comes back.
//
// A waiter is stuck where the lock is free and nothing will wake it within the bound. A client comes back in
// the calm phase, after a new client was granted the lock and gave it back: with the lock object that it has,
// in which whatever it did before may have left something.
#include <fmt/format.h>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class Progress final : public Checker {
 public:
  Progress() : Checker(Property::progress, events_of<Calm, CameBack, Granted, Stuck, Ended>(), {}, true) {}

  void on(const Event& event, const Ledger& before) override {
    if (const Calm* const calm = std::get_if<Calm>(&event.what)) {
      probe_ = calm->probe;
    } else if (const Granted* const granted = std::get_if<Granted>(&event.what)) {
      if (granted->acquisition.client == probe_) probe_.reset();
      back_.reset();  // no other client asks for the lock then
    } else if (const Stuck* const stuck = std::get_if<Stuck>(&event.what)) {
      // Where a new client does not get the lock either, it is not free: that is recovery.
      if (probe_) return;
      const Account* const waiter = before.find(stuck->acquisition);
      violate(stuck->acquisition.client, waiter != nullptr ? waiter->asked : Moment{}, event);
      is_stuck_ = true;
    } else if (back_) {
      violate(*back_, came_, event);
    } else if (const CameBack* const back = std::get_if<CameBack>(&event.what)) {
      back_ = back->client;
      came_ = {event.step, event.at};
    }
  }

  // Which client has come back is not said here, for clients may change places.
  Digest mix_state(Digest history, Instant, const Counts&) const override {
    return mix(history, std::uint64_t{probe_.has_value()} | std::uint64_t{back_.has_value()} << 1);
  }

  Finding finding() const override {
    if (is_stuck_)
      return {property(), began_.step, ended_.step,
              fmt::format("{} has been waiting since {}, and nothing is left that could wake it in time, "
                          "although the lock is free.",
                          name_of(who_), text_of(began_.at))};
    return {
        property(), began_.step, ended_.step,
        fmt::format("{} came back at {} with the lock object that it had, tried for {}, and was not granted "
                    "the lock, although a new client had been, and had given it back.",
                    name_of(who_), text_of(began_.at), to_text(ended_.at - began_.at))};
  }

 private:
  void violate(ClientId who, Moment began, const Event& event) {
    who_ = who;
    began_ = began;
    ended_ = {event.step, event.at};
    violated_ = true;
  }

  std::optional<ClientId> probe_;  // that tries, and was not granted the lock yet
  std::optional<ClientId> back_;   // that has come back; no client was granted the lock since
  Moment came_;
  ClientId who_;
  Moment began_;
  Moment ended_;
  bool is_stuck_ = false;
};

}  // namespace

std::unique_ptr<Checker> progress() { return std::make_unique<Progress>(); }

}  // namespace holdfast::checkers
