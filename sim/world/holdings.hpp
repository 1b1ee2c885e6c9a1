// Whose grants a value holds: who put which part of it there.
//
// A key belongs to whom a grant of it belongs, and not to who wrote to it last: a refused client may count
// itself in the hash of the lock, or stand beside the holder in a sorted set. So every element of a value has
// an author. A command that replaces the value, as SET does, takes all of it; one that works inside of it
// takes what it removes or writes anew.
//
// Numbers that are counted up and down, and equal elements of a list, bear no names. Of them everybody has
// what they added less what they took away. Who takes away what they never added, takes it from the others:
// nobody can tell whose it was, so it is taken from all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/change.hpp"
#include "sim/core/lock.hpp"
#include "sim/trace/digest.hpp"
#include "sim/trace/event.hpp"
#include "sim/world/contents.hpp"
#include "sim/world/token.hpp"

namespace holdfast {

// A string has one element. Of a hash it is a field; of a set, a sorted set or a list, a member.
struct Element {
  Digest name;
  std::uint64_t content = 0;  // stands for a string, the value of a field, a score
  std::int64_t amount = 1;    // of a text that is a number; how often a list has it
  Token token = {};           // in its name; number 0: none
  // Of its name, what is no token.
  Digest shape() const { return token.number == 0 ? name : mix(Digest{}, token.around); }
  // The order must not depend on the number of a token: states in which that differs are one. Tokens of one
  // client have an order all the same, in which they were made.
  bool operator<(const Element& other) const {
    const Digest its = shape(), others = other.shape();
    if (its != others) return its < others;
    if (token.number == 0 || other.token.number == 0) return name < other.name;
    return token.client != other.token.client ? token.client < other.token.client
                                              : token.number < other.token.number;
  }
  bool operator==(const Element&) const = default;
};
using Elements = std::vector<Element>;  // in rising order

// The token in a text, if there is one: then it is no count, though it may be a number. Number 0: there is
// none, and it is no count all the same. Empty: none is.
using TokenOf = std::function<std::optional<Token>(std::string_view)>;

// What is at the key now. `asides`: names of fields that hold no grant.
Elements elements_of(const Contents& data, std::string_view key, const std::vector<std::string>& asides,
                     const TokenOf& token_of = {});

class Holdings {
 public:
  struct Part {
    Acquisition by;  // nobody: what is left where somebody took more than they had added
    Element element;
    bool is_renewed = false;  // and wrote to the key, or set its end, again since
    // The same is held, renewed or not.
    bool operator==(const Part& other) const { return by == other.by && element == other.element; }
  };
  using Parts = std::vector<Part>;
  // By element, then by acquisition, in rising order.
  const Parts& parts() const { return parts_; }

  bool is_anybodys() const;
  bool has(Acquisition acquisition) const { return part_of(acquisition) != nullptr; }
  // Its first part; nullptr when it has none.
  const Part* part_of(Acquisition acquisition) const;
  // Whose the value is, as far as one name can say it: `writer` if it has a part of it.
  Acquisition owner(Acquisition writer) const;

  // Each adds to `bereft` who lost a part of theirs, or whose end was set, by another hand; each once.
  using Bereft = std::vector<Acquisition>;
  void write(const Elements& now, Acquisition by, Change::Way way, Bereft& bereft);
  void set_end(Acquisition by, Bereft& bereft);
  // The key is gone: the hand may be one's own.
  void clear(Bereft& bereft);

  bool operator==(const Holdings&) const = default;

 private:
  Parts parts_;
};

}  // namespace holdfast
