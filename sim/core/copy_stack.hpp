// Copies of memory, one on top of the other: the states on the way of a depth-first search.
#pragma once

#include <cstddef>
#include <span>

namespace holdfast {

// Reserves addresses; memory is used as it is touched, so nothing ever moves.
class CopyStack {
 public:
  using Bytes = std::span<const std::byte>;

  CopyStack();
  ~CopyStack();
  CopyStack(const CopyStack&) = delete;

  // REQUIRES: size() + bytes.size() ≤ addresses_for_one_block().
  void push(Bytes bytes);
  // The last `size` bytes.
  Bytes top(std::size_t size) const { return {begin_ + used_ - size, size}; }
  void pop(std::size_t size) { used_ -= size; }
  void clear() { used_ = 0; }
  std::size_t size() const { return used_; }

 private:
  const std::size_t capacity_;
  std::byte* const begin_;
  std::size_t used_ = 0;
};

}  // namespace holdfast
