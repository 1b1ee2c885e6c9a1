// What somebody was told, or something holds, in one digest that does not say when, nor which token of
// another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/core/invariant.hpp"
#include "sim/core/units.hpp"
#include "sim/trace/digest.hpp"
#include "sim/world/marks.hpp"
#include "sim/world/token.hpp"

namespace holdfast {

// Words, times and tokens, in their order. The first time is kept, and the others count from it: histories
// that differ only in when they happened have equal digests. Of the tokens it says which are equal; which
// they are depends on what their makers have made since.
class History {
 public:
  void add(std::uint64_t word) { digest_ = mix(digest_, word); }
  void add(const Digest& part) { digest_ = mix(digest_, part); }
  void add(Instant time) {
    const Ticks since = first_ == never ? Ticks(0) : (time - first_).count();
    if (since.is_unknown()) {
      add(Mark::time | std::uint64_t{times_.size() + 1} << 8);
      times_.push_back(time);
      return;
    }
    digest_ = mix(mix(digest_, Mark::time), since);
    if (first_ == never) first_ = time;
  }
  void add(Duration length) {
    const Ticks ticks = length.count();
    if (!ticks.is_unknown()) return add(static_cast<std::uint64_t>(ticks));
    add(Instant(Duration(Ticks::of_bits(time_oracle->end_of(ticks.bits())))));
    add(Instant(Duration(Ticks::of_bits(time_oracle->begin_of(ticks.bits())))));
  }
  // Whatever is around it.
  void add(const Token& token) {
    const auto known = std::find_if(tokens_.begin(), tokens_.end(), [&](const Token& each) {
      return each.client == token.client && each.number == token.number;
    });
    digest_ = mix(mix(digest_, Mark::token), static_cast<std::uint64_t>(known - tokens_.begin()));
    if (known == tokens_.end()) tokens_.push_back({token.client, token.number});
  }
  // As one word.
  void add(const History& other) {
    add(other.digest_);
    add_first(other);
  }
  // In any order.
  void add_to_set(const History& other) {
    digest_ = sum(digest_, other.digest_);
    add_first(other);
  }
  bool is_empty() const { return digest_ == Digest{}; }
  // Without its times: of those the digest says how long ago they were. `age_of`: of a token.
  template <class AgeOf>
  Digest at(Instant now, const AgeOf& age_of) const {
    Digest digest = first_ == never ? digest_ : mix(digest_, (now - first_).count());
    for (const Instant each : times_) digest = mix(digest, (now - each).count());
    for (const Token& each : tokens_)
      digest = mix(digest, std::uint64_t{each.client.value} << 32 | std::uint64_t{age_of(each)});
    return digest;
  }
  // REQUIRES: it has no tokens.
  Digest at(Instant now) const {
    INVARIANT(tokens_.empty(), "what is as it is names nobody");
    return at(now, [](const Token&) { return std::uint32_t{0}; });
  }
  template <class Note>
  void for_each_token(const Note& note) const {
    for (const Token& each : tokens_) note(each);
  }

 private:
  void add_first(const History& other) {
    if (other.first_ != never) add(other.first_);
    for (const Instant each : other.times_) add(each);
    for (const Token& each : other.tokens_) add(each);
  }

  Digest digest_;
  Instant first_ = never;
  std::vector<Instant>
      times_;  // where time is dense: those that nobody knows how long after the first they were
  std::vector<Token> tokens_;  // each once, in the order in which they were met
};

}  // namespace holdfast
