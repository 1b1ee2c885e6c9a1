// once-per-period: what is to be done once in a period is done once, not twice, and not never if a client was
// there.
//
// A period is a number that each client counts for itself; when it begins is a matter of the client's clock.
// Two sides of one promise are judged:
// - twice: a client begins the job of a period while another is at it, or when it has been done. A job that
//   ended with its client was not done;
// - never: when all clients have come to their ends, the job of a period was not done, though a client has
//   gone through its program in that period from the begin to the end. What kept it from the lock is no
//   excuse: that somebody held it who died, or that an answer was lost. A client that has left a period out,
//   or died in it, was not there.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class OncePerPeriod final : public Checker {
 public:
  OncePerPeriod()
      : Checker(Property::once_per_period, events_of<JobBegun, JobDone, PeriodOver, Crashed, Calm>(), {},
                true) {}

  void on(const Event& event, const Ledger&) override {
    const Moment now{event.step, event.at};
    if (const auto* const begun = std::get_if<JobBegun>(&event.what)) {
      Period& its = at(begun->period);
      if (its.work != Work::none) return judge(its, {begun->acquisition, now}, begun->period);
      its.work = Work::begun;
      its.first = {begun->acquisition, now};
    } else if (const auto* const done = std::get_if<JobDone>(&event.what)) {
      at(done->period).work = Work::done;
    } else if (const auto* const over = std::get_if<PeriodOver>(&event.what)) {
      Period& its = at(over->period);
      if (!std::exchange(its.was_attended, true)) its.attended = {{over->client, 1}, now};
    } else if (const auto* const crashed = std::get_if<Crashed>(&event.what)) {
      for (Period& each : periods_)
        if (each.work == Work::begun && each.first.by.client == crashed->client) each.work = Work::none;
    } else {
      for (std::uint32_t i = 0; i < periods_.size() && !violated_; ++i)
        if (periods_[i].was_attended && periods_[i].work == Work::none) judge(periods_[i], {{}, now}, i);
    }
  }

  // The client that is at a job is known by its place in its program.
  Digest mix_state(Digest history, Instant, const Counts&) const override {
    for (std::uint32_t i = 0; i < periods_.size(); ++i)
      history = mix(history, std::uint64_t{i} << 8 | static_cast<std::uint64_t>(periods_[i].work) << 1 |
                                 std::uint64_t{periods_[i].was_attended});
    return history;
  }

  Finding finding() const override {
    const std::uint32_t number = period_ + 1;
    if (second_.by.is_nobody())
      return {property(), found_.attended.moment.step, second_.moment.step,
              fmt::format("Nobody has done the job of period {}, though {} was there until {}.", number,
                          name_of(found_.attended.by), text_of(found_.attended.moment.at))};
    return {property(), found_.first.moment.step, second_.moment.step,
            fmt::format("At {} {} began the job of period {}, which {} had begun at {}.",
                        text_of(second_.moment.at), name_of(second_.by, found_.first.by.client), number,
                        name_of(found_.first.by), text_of(found_.first.moment.at))};
  }

 private:
  enum class Work : std::uint8_t { none, begun, done };
  struct Period {
    Work work = Work::none;
    bool was_attended = false;  // by a client that came to its end
    Deed first = {};            // who began the job
    Deed attended = {};         // who came to the end first
  };

  Period& at(std::uint32_t period) {
    if (period >= periods_.size()) periods_.resize(period + 1);
    return periods_[period];
  }
  void judge(const Period& period, Deed second, std::uint32_t number) {
    found_ = period;
    second_ = second;
    period_ = number;
    violated_ = true;
  }

  std::vector<Period> periods_;
  Period found_;
  Deed second_;
  std::uint32_t period_ = 0;
};

}  // namespace

std::unique_ptr<Checker> once_per_period() { return std::make_unique<OncePerPeriod>(); }

}  // namespace holdfast::checkers
