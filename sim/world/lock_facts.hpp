// What is known of a lock before its runs begin. A rehearsal finds it (explore/rehearsal.hpp).
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/units.hpp"

namespace holdfast {

struct LockFacts {
  // A lock by its name, and the keys that hold a grant of it: in most locks one. Not empty.
  struct Named {
    std::string name;
    std::vector<std::string> keys;
  };
  // Of a name that is not here, the key of that name.
  std::vector<Named> locks;
  // Why these keys have no owner; empty: they have.
  std::string_view why_ownerless;
  // Why a key that stands does not say that the lock is taken; empty: it does.
  std::string_view why_never_gone;
  // Clients that are refused write to these keys, too, beside what is the holder's.
  bool are_shared = false;
  // … and what they leave there keeps nobody out.
  bool is_free_beside = false;
  // Fields of hashes there that hold no grant: who is refused writes them anew, and the holder goes on.
  std::vector<std::string> asides;
  // How long a grant lasts unless it is renewed; empty: unknown, or for ever.
  std::optional<Duration> lease;
  // What ended the rehearsal (BeyondModel); empty: nothing. Then the other facts say little.
  std::string beyond_model;
  // Every key that changes counts as the lock's: for the rehearsal itself.
  bool notes_all_keys = false;

  // nullptr when nothing is known of it.
  const Named* find(std::string_view name) const {
    const auto known =
        std::find_if(locks.begin(), locks.end(), [&](const Named& it) { return it.name == name; });
    return known == locks.end() ? nullptr : &*known;
  }
};

}  // namespace holdfast
