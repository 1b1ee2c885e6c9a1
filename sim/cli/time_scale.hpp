// Every time of a scenario, made longer or shorter by one factor: for a run in real time.
#pragma once

#include <string>

#include "sim/core/lock.hpp"
#include "sim/scenario/scenario.hpp"

namespace holdfast::cli {

class TimeScale {
 public:
  TimeScale(Duration to, Duration from) : to_(to.count()), from_(from.count()) {}
  Duration operator()(Duration duration) const { return Duration(duration.count() * to_ / from_); }
  // Its keys begin with `key_prefix`.
  Scenario operator()(Scenario scenario, const Card& card, const std::string& key_prefix) const;

 private:
  Texts scaled(Texts params, const Card& card) const;

  Duration::rep to_;
  Duration::rep from_;
};

}  // namespace holdfast::cli
