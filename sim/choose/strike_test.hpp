// Strategies for tests: calm, but for what a test wants to happen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "sim/choose/choices.hpp"

namespace holdfast {

// An action that a test wants; what it does not say may be any.
struct Wanted {
  Action::Kind kind = Action::Kind::strike;
  Fault fault = Fault::none;
  std::optional<Actor> actor = std::nullopt;
  std::optional<std::uint32_t> which = std::nullopt;
  // At the step with this number, from 0, in which it is enabled …
  std::uint32_t nth = 0;
  // … counting only those in which its actor could do this, too.
  std::optional<Action::Kind> beside = std::nullopt;

  bool is(const Action& action) const {
    return action.kind == kind && action.fault == fault && (!actor || action.actor == *actor) &&
           (!which || action.how.which == *which);
  }
};

// Takes the wanted actions, one after the other; else the first action, or lets time pass whenever it may.
// What is put off it takes only where nothing else is left, the newest first.
class Taking final : public Choices {
 public:
  enum class Else : bool { first, wait };
  Taking(std::initializer_list<Wanted> wanted, Else otherwise = Else::first,
         std::optional<Wanted> put_off = std::nullopt)
      : wanted_(wanted), otherwise_(otherwise), put_off_(put_off) {}
  bool took_all() const { return next_ == wanted_.size(); }

 private:
  std::uint32_t decide(Site, Actor, std::uint32_t) override { return 0; }
  std::uint32_t decide_step(std::uint32_t, Enabled& enabled) override { return take(enabled); }
  void pass_step(Enabled& enabled) override { take(enabled); }

  std::uint32_t take(Enabled& enabled) {
    const std::span<const Enabled::Option> all = enabled.all();
    const auto number_of = [&](const auto& fits) {
      return static_cast<std::uint32_t>(std::find_if(all.begin(), all.end(), fits) - all.begin());
    };
    if (!took_all()) {
      const Wanted& wanted = wanted_[next_];
      const std::uint32_t picked =
          number_of([&](const Enabled::Option& each) { return wanted.is(each.action); });
      const bool is_enabled = picked < all.size() && is_beside(wanted, all[picked].action, all);
      if (is_enabled && seen_++ == wanted.nth) {
        ++next_;
        seen_ = 0;
        return picked;
      }
    }
    const std::uint32_t wait =
        number_of([](const Enabled::Option& each) { return each.action.kind == Action::Kind::wait; });
    if (otherwise_ == Else::wait && wait < all.size()) return wait;
    const std::uint32_t first =
        number_of([&](const Enabled::Option& each) { return !put_off_ || !put_off_->is(each.action); });
    const auto calm = static_cast<std::uint32_t>(all.size()) - enabled.faults();
    return std::min(first, calm - 1);
  }
  static bool is_beside(const Wanted& wanted, const Action& action, std::span<const Enabled::Option> all) {
    return !wanted.beside || std::any_of(all.begin(), all.end(), [&](const Enabled::Option& each) {
      return each.action.kind == *wanted.beside && each.action.actor == action.actor;
    });
  }

  std::vector<Wanted> wanted_;
  Else otherwise_;
  std::optional<Wanted> put_off_;
  std::size_t next_ = 0;
  std::uint32_t seen_ = 0;
};

inline constexpr auto lets_time_pass = Taking::Else::wait;

// Calm, but the fault strikes at the step with this number, from 0, in which it can.
inline Taking strike_once(Fault fault, std::uint32_t nth = 0) { return {{.fault = fault, .nth = nth}}; }

}  // namespace holdfast
