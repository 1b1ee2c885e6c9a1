// A file of Lua that is a lock: what it returns is a table with acquire() and release(), or a module in the
// manner of resty.lock.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/guest/histories.hpp"
#include "sim/guest/script_source.hpp"

namespace holdfast::guest {

class Script {
 public:
  // Its card has the name of the file as its id. `directory`: where its modules are; empty: nowhere. Throws
  // BadCard.
  Script(LuaFile file, std::string directory);
  Script(const Script&) = delete;
  // As long as this lives, it and all that it makes are good.
  const Card& card() const { return card_; }
  // Its text, and that of its modules.
  const ScriptSource& source() const { return source_; }
  // The C++ lock that it says the same as; empty: none.
  const std::string& twin_of() const { return twin_of_; }
  Histories::Statistics statistics() const { return histories_.back()->statistics(); }
  // From now on it is explored with texts that repeat, if they were found to; false: nothing changes.
  bool let_texts_repeat() const;

 private:
  struct Reader;
  bool comes_to_rest() const;
  std::unique_ptr<Histories> make_histories(std::vector<std::uint64_t> chances) const;
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  ScriptSource source_;
  // The last one is used; locks that were made earlier know the others.
  mutable std::vector<std::unique_ptr<Histories>> histories_;
  std::deque<std::string> texts_;  // that the card refers to
  std::string twin_of_;
  bool is_stateless_ = false;
  Card card_;
};

// Of the scripts that were read. Main thread only.
namespace scripts {
// Reads the file, if it was not read before. `name`: the id of its card, and how places in it are called.
// Throws BadCard; std::system_error if it cannot be read.
const Script& load(const std::string& path, const std::string& name);
// nullptr: no script has this card.
const Script* of(const Card& card);
// Each whose texts repeat is explored with that; false: nothing changes.
bool let_texts_repeat();
}  // namespace scripts

}  // namespace holdfast::guest
