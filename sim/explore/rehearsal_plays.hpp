// What a rehearsal plays: one or two clients of a lock, in a world of their own, and what was seen of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/stores/kinds.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

using KeyList = std::vector<std::string>;
bool has(const KeyList& keys, const std::string& key);

// What became of one key, on all servers alike.
struct KeyFate {
  bool stands = false;
  std::string value;            // at the grant
  Step written;                 // when last before it
  bool is_for_grant = false;    // written before the grant, and it stood then
  bool is_for_release = false;  // changed after release() was called
  std::optional<Duration> lease;
};

// What the first client did until it had released, once.
struct Solo {
  std::map<std::string, KeyFate> keys;
  std::uint32_t requests = 0;
  bool was_granted = false;
  Instant granted;
  std::optional<Instant> released;  // empty: release() never ended
  std::optional<Duration> said;     // how long the lock itself says that the grant lasts
};

class Rehearsal {
 public:
  Rehearsal(const Card& card, const Params& params, std::string_view name, stores::Kinds& kinds);
  // Every message takes this long.
  void delay(Duration each);

  // What one client did in each of its rounds.
  std::vector<Solo> alone(Mode mode, std::uint32_t rounds) const;
  // What a second client that asks while the first one holds writes into `keys`, and leaves there what the
  // first one wrote, or some of it. A field of the first one's that it writes anew is an aside, unless it
  // names somebody.
  struct Beside {
    bool is_any = false;
    std::vector<std::string> asides;
  };
  Beside beside(const KeyList& keys, const Solo& solo) const;
  // Whether a third client is let in at once when the first one has released, although the second one was
  // refused before: what it left keeps nobody out.
  bool frees_beside(const Solo& solo) const;
  // Whether a second client is let in while the first one holds. `evicted`: of every server, the key with
  // this number is gone then.
  struct Trial {
    bool lets_in = false;
    std::string evicted;  // empty: there is no such key
  };
  Trial let_in(Instant granted, std::optional<std::uint32_t> evicted) const;
  // Whether a second client is let in at once when the first one has released.
  bool frees(const Solo& solo) const;
  // Those of `keys` without which the lock grants a second client.
  KeyList that_exclude(const KeyList& keys, Instant granted) const;

 private:
  enum class Taken : std::uint8_t { asks, holds, releases };

  Scenario with_second(Instant granted) const;
  // Whether the last client of the stage is granted the lock at once.
  bool lets_last_in(const Scenario& stage) const;
  void play(const Scenario& stage, std::optional<std::uint32_t> evicted,
            const std::function<bool(const World&, const Event&)>& goes_on) const;
  static void note_beside(Beside& found, const World& world, const KeyChanged& changed,
                          const std::string& value);
  static void note_change(Solo& solo, const KeyChanged& changed, const Event& event, Taken taken);
  static void note_grant(Solo& solo, const Grant& grant, const Granted& granted, Instant at);

  const Card& card_;
  const Params& params_;
  stores::Kinds& kinds_;
  Scenario stage_;
};

}  // namespace holdfast
