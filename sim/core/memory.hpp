// What a lock object keeps between calls, told value by value: all that decides what it will do, but its
// parameters. States of an exploration contain it in place of everything that the client was ever told.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string_view>
#include <type_traits>

#include "sim/core/background.hpp"

namespace holdfast {

class Memory {
 public:
  virtual void note(std::int64_t number) = 0;
  virtual void note(Duration length) { note(static_cast<std::int64_t>(length.count())); }
  virtual void note(WallTime time) { note(time.time_since_epoch()); }
  virtual void note(SteadyTime time) { note(time.time_since_epoch()); }
  // It may be a name.
  virtual void note(std::string_view text) = 0;
  virtual void note(const Background& task) = 0;

 protected:
  ~Memory() = default;
};

namespace detail {

// Becomes a member of any type.
struct AnyMember {
  template <class Member>
  operator Member() const;
};

template <class Kept, class... Members>
consteval std::size_t count_members() {
  if constexpr (requires { Kept{Members()..., AnyMember()}; })
    return count_members<Kept, Members..., AnyMember>();
  else return sizeof...(Members);
}

}  // namespace detail

// Every value in it, in its order.
template <class Kept>
void recall(Memory& memory, const Kept& kept) {
  const auto all = [&](const auto&... each) { (recall(memory, each), ...); };
  if constexpr (std::integral<Kept> || std::is_enum_v<Kept>) {
    memory.note(static_cast<std::int64_t>(kept));
  } else if constexpr (std::convertible_to<Kept, std::string_view>) {
    memory.note(std::string_view(kept));
  } else if constexpr (std::same_as<Kept, Background>) {
    memory.note(kept);
  } else if constexpr (requires { kept.count(); }) {
    memory.note(Duration(kept));
  } else if constexpr (requires { kept.time_since_epoch(); }) {
    memory.note(kept);
  } else if constexpr (std::ranges::range<Kept>) {
    recall(memory, std::ranges::size(kept));
    for (const auto& each : kept) recall(memory, each);
  } else if constexpr (requires {
                         *kept;
                         static_cast<bool>(kept);
                       }) {
    recall(memory, static_cast<bool>(kept));
    if (kept) recall(memory, *kept);
  } else if constexpr (requires {
                         kept.first;
                         kept.second;
                       }) {
    all(kept.first, kept.second);
  } else {
    static_assert(std::is_aggregate_v<Kept>, "values, times, texts, tasks, and what holds them");
    constexpr std::size_t members = detail::count_members<Kept>();
    static_assert(members <= 8, "it has at most eight members");
    if constexpr (members == 1) {
      const auto& [a] = kept;
      all(a);
    } else if constexpr (members == 2) {
      const auto& [a, b] = kept;
      all(a, b);
    } else if constexpr (members == 3) {
      const auto& [a, b, c] = kept;
      all(a, b, c);
    } else if constexpr (members == 4) {
      const auto& [a, b, c, d] = kept;
      all(a, b, c, d);
    } else if constexpr (members == 5) {
      const auto& [a, b, c, d, e] = kept;
      all(a, b, c, d, e);
    } else if constexpr (members == 6) {
      const auto& [a, b, c, d, e, f] = kept;
      all(a, b, c, d, e, f);
    } else if constexpr (members == 7) {
      const auto& [a, b, c, d, e, f, g] = kept;
      all(a, b, c, d, e, f, g);
    } else if constexpr (members == 8) {
      const auto& [a, b, c, d, e, f, g, h] = kept;
      all(a, b, c, d, e, f, g, h);
    }
  }
}

}  // namespace holdfast
