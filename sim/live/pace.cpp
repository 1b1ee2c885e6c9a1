#include "sim/live/pace.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <set>
#include <string>
#include <utility>

namespace holdfast::live {
namespace {

// A key lives for `ttl`; a request is carried out `later` than the key was written and must find it alive, or
// must not.
struct Constraint {
  Duration ttl;
  Duration later;
  bool finds_it_alive;
};
// What a request looked for, which may turn out to have ended before it.
struct Look {
  Step step;
  Instant at;
  NodeId node;
  std::string key;
  std::size_t constraint;  // its number
};

struct MortalKey {
  NodeId node;
  std::string key;
  Instant written;
  Instant expires_at;
  bool is_over = false;  // it expired, and no request came since
};

// Numbers beyond these are no times to live, but counters or instants.
constexpr std::int64_t shortest_ms = 50;
constexpr std::int64_t longest_ms = 3'600'000;

class Constraints {
 public:
  void note(const Event& event) {
    if (const auto* const change = std::get_if<KeyChanged>(&event.what)) note(*change, event.step, event.at);
    if (const auto* const executed = std::get_if<Executed>(&event.what))
      note(*executed, event.step, event.at);
    if (const auto* const sent = std::get_if<Sent>(&event.what)) note(*sent);
  }
  const std::vector<Constraint>& known() const { return constraints_; }
  // Scripts keep keys of which no event tells, for as long as one of their arguments says: any request may
  // have written one, any later request may look for it.
  std::vector<Constraint> possible() const {
    std::vector<Constraint> all = constraints_;
    for (const Duration ttl : ttls_)
      for (std::size_t i = 0; i < requests_.size(); ++i)
        for (std::size_t k = i + 1; k < requests_.size(); ++k)
          all.push_back({ttl, requests_[k] - requests_[i], requests_[k] - requests_[i] <= ttl});
    return all;
  }

 private:
  void note(const KeyChanged& change, Step step, Instant at) {
    const auto known = std::find_if(keys_.begin(), keys_.end(), [&](const MortalKey& it) {
      return it.node == change.node && it.key == change.key;
    });
    if (change.kind == KeyChanged::Kind::expired) {
      if (known != keys_.end()) known->is_over = true;
      // A dictionary looks for what has ended when a command comes.
      for (const Look& look : looks_)
        if (look.step == step && look.at == at && look.node == change.node && look.key == change.key)
          constraints_[look.constraint].finds_it_alive = false;
      return;
    }
    if (known != keys_.end()) keys_.erase(known);
    if (change.expires_at == never) return;
    // Whether the key is there is looked at when it has been written.
    constraints_.push_back({change.expires_at - at, Duration::zero(), true});
    keys_.push_back({change.node, change.key, at, change.expires_at});
  }

  void note(const Sent& sent) {
    if (sent.argv.size() < 3 || sent.argv[0] != "EVAL") return;
    const std::string& script = sent.argv[1];
    for (std::size_t i = 3; i < sent.argv.size(); ++i) {
      std::int64_t number = 0;
      const std::string& word = sent.argv[i];
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
      const bool is_number = error == std::errc() && end == word.data() + word.size();
      if (!is_number || number <= 0 || number > longest_ms) continue;
      if (script.find("PX") != script.npos || script.find("PEXPIRE") != script.npos)
        if (number >= shortest_ms) ttls_.insert(std::chrono::milliseconds(number));
    }
  }

  void note(const Executed& executed, Step step, Instant at) {
    requests_.push_back(at);
    looks_.clear();
    for (const MortalKey& key : keys_) {
      if (key.node != executed.node) continue;
      looks_.push_back({step, at, key.node, key.key, constraints_.size()});
      constraints_.push_back({key.expires_at - key.written, at - key.written, !key.is_over});
    }
    std::erase_if(keys_, [&](const MortalKey& key) { return key.is_over && key.node == executed.node; });
  }

  std::vector<MortalKey> keys_;
  std::vector<Look> looks_;  // of the last request
  std::vector<Constraint> constraints_;
  std::set<Duration> ttls_;
  std::vector<Instant> requests_;
};

Duration margin_at(const std::vector<Constraint>& constraints, std::int64_t per_mille) {
  Duration least = Duration::max();
  for (const Constraint& it : constraints) {
    const Duration later = it.later * per_mille / 1000;
    least = std::min(least, it.finds_it_alive ? it.ttl - later : later - it.ttl);
  }
  return least;
}

}  // namespace

Pace pace_of(const std::vector<Event>& events) {
  Constraints constraints;
  for (const Event& event : events) constraints.note(event);
  const auto best_for = [](const std::vector<Constraint>& list, std::int64_t first, std::int64_t last) {
    Pace best{.per_mille = first, .margin = margin_at(list, first)};
    for (std::int64_t per_mille = first; per_mille != last; per_mille += last < first ? -5 : 5)
      if (const Duration margin = margin_at(list, per_mille); margin > best.margin)
        best = {.per_mille = per_mille, .margin = margin};
    return best;
  };
  constexpr std::int64_t usual = 1000;
  constexpr std::int64_t fastest = 595;
  constexpr std::int64_t slowest = 1100;
  // What is merely possible counts where it leaves about as much room.
  const Pace certain = best_for(constraints.known(), usual, fastest);
  const Pace cautious = best_for(constraints.possible(), usual, fastest);
  Pace pace = 2 * cautious.margin >= std::min(certain.margin, Duration(20ms)) ? cautious : certain;
  // Where a lease must be over in the very millisecond of its end, slower.
  if (certain.margin <= Duration::zero()) pace = best_for(constraints.known(), usual, slowest);
  for (const Constraint& it : constraints.known()) pace.ttl_min = std::min(pace.ttl_min, it.ttl);
  return pace;
}

}  // namespace holdfast::live
