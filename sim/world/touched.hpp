// Whose parts of a state have changed: what a state is made of notes it whenever it changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "sim/core/units.hpp"

namespace holdfast {

class Touched {
 public:
  void note(ClientId client) { bits_ |= std::uint64_t{1} << (client.value & 63); }
  void note_all() { bits_ = all; }
  // Since the last call: bit i is client i. All, when there are more than 64 clients.
  std::uint64_t take(std::size_t clients) { return std::exchange(bits_, clients > 64 ? all : 0); }

 private:
  static constexpr std::uint64_t all = ~std::uint64_t{0};
  std::uint64_t bits_ = all;
};

// What only the part of one client depends on.
template <class T>
class Part {
 public:
  // `touched` must outlive it.
  Part(T value, ClientId client, Touched& touched)
      : value_(std::move(value)), client_(client), touched_(touched) {}
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }
  T& change() {
    touched_.note(client_);
    return value_;
  }

 private:
  T value_;
  const ClientId client_;
  Touched& touched_;
};

}  // namespace holdfast
