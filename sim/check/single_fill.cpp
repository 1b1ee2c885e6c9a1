// single-fill: the backend is asked once for each miss of the cache, unless the client that asked died before
// the backend answered.
#include <fmt/format.h>

#include "sim/check/checker.hpp"

namespace holdfast::checkers {
namespace {

class SingleFill final : public Checker {
 public:
  SingleFill() : Checker(Property::single_fill, events_of<Fetching, Stored, Crashed>(), {}, true) {}

  void on(const Event& event, const Ledger&) override {
    if (const auto* const fetching = std::get_if<Fetching>(&event.what)) {
      violated_ = fill_ != Fill::none;
      (violated_ ? second_ : first_) = {fetching->acquisition, {event.step, event.at}};
      if (!violated_) fill_ = Fill::asked;
    } else if (std::holds_alternative<Stored>(event.what)) {
      fill_ = Fill::stored;
    } else if (const auto* const crashed = std::get_if<Crashed>(&event.what)) {
      if (fill_ == Fill::asked && crashed->client == first_.by.client) fill_ = Fill::none;
    }
  }

  // The client that asked is known by its place in its program.
  Digest mix_state(Digest history, Instant, const Counts&) const override {
    return mix(history, static_cast<std::uint64_t>(fill_));
  }

  Finding finding() const override {
    return {property(), first_.moment.step, second_.moment.step,
            fmt::format("At {} {} asked the backend for what {} had asked it for at {}.",
                        text_of(second_.moment.at), name_of(second_.by, first_.by.client), name_of(first_.by),
                        text_of(first_.moment.at))};
  }

 private:
  enum class Fill : std::uint8_t { none, asked, stored };
  Fill fill_ = Fill::none;
  Deed first_;
  Deed second_;
};

}  // namespace

std::unique_ptr<Checker> single_fill() { return std::make_unique<SingleFill>(); }

}  // namespace holdfast::checkers
