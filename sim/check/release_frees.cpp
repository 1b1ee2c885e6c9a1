// release-frees: what a client has given back, or was refused, keeps nobody else out.
//
// A release that deletes nothing is seen by no other property: each holder is told that all is well, and the
// next client waits for the end of the lease. So it is judged by what stands. The world says (Left) when a
// call ends, all that it sent was answered, and a key that keeps others out still holds a grant of this
// acquisition for longer than a round trip: a part of its value whose author it is (world/holdings.hpp); the
// rehearsal has found which keys these are. The property is violated when
// - release() returns so, whatever it says. "Not held" is no excuse: nobody took the lock away, or nothing of
//   it would stand there;
// - acquire() refuses so: it has taken a part of a lock that nobody will give back.
// It is judged at once: the next request of another client finds what was left. Not judged is a call
// - in which a fault struck its client, its messages or a server: the command that frees may be lost;
// - whose lease was over, by its client's count, when release() was called: nothing was left to give back;
// - that took a key from another at work and was refused: that is owner-only-change;
// - in which its key goes or comes again, if a message of this acquisition was late or came twice before:
//   what stands may be of that message;
// - that returns while something which it has begun is under way or goes on at once, for that may be what
//   frees, or within a round trip of the end of the key. A lock of which all releases return so is hollow;
// - of a reader;
// - of a lock that is taken again although its key stands (LockFacts::why_never_gone).
// A release that hands the lock over to a waiter removes its own part. Releases of an inner acquisition
// (ReleasedAgain) need free nothing.
#include <fmt/format.h>

#include <algorithm>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class ReleaseFrees final : public Checker {
 public:
  ReleaseFrees()
      : Checker(Property::release_frees, events_of<Left>(), {Fact::phase, Fact::lease, Fact::excused}) {}

  void on(const Event& event, const Ledger& before) override {
    const Account* const account = before.find(std::get<Left>(event.what).acquisition);
    if (account == nullptr || account->is_excused || account->mode == Mode::shared) return;
    who_ = account->acquisition;
    is_refused_ = account->phase == Account::Phase::asking;
    written_ = is_refused_ ? account->asked : account->granted;
    for (const StandingKey& key : before.keys())
      for (const Deed& write : key.writes)
        if (write.by == who_) {
          written_ = write.moment;
          until_ = key.expires_at;
        }
    ended_ = {event.step, event.at};
    violated_ = true;
  }

  Finding finding() const override {
    // A time inside of its value may still end it.
    const std::string end =
        until_ == never ? ", and the key has no expiry" : fmt::format(" until {}", text_of(until_));
    return {property(), written_.step, ended_.step,
            fmt::format("At {} {} {}; but what it wrote at {} still stands and keeps the others out{}.",
                        text_of(ended_.at), is_refused_ ? "acquire() refused" : "release() returned to",
                        name_of(who_), text_of(written_.at), end)};
  }

 private:
  Acquisition who_;
  bool is_refused_ = false;
  Moment written_;
  Instant until_ = never;
  Moment ended_;
};

}  // namespace

std::unique_ptr<Checker> release_frees() { return std::make_unique<ReleaseFrees>(); }

}  // namespace holdfast::checkers
