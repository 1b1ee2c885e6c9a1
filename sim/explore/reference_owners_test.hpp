// Whose the parts of the value of a key are, said again for the reference: with world/holdings.hpp it shares
// nothing.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/change.hpp"
#include "sim/trace/event.hpp"
#include "sim/world/contents.hpp"

namespace holdfast::reference {

// The fields or members of a value by their names, and what each says; a string has one, without a name.
// Fields that hold no grant are left out.
struct Values final : stores::Server::Lister {
  struct Value {
    std::string text;
    std::int64_t amount = 1;  // of a number; how often a list has it
  };
  explicit Values(const std::vector<std::string>& these) : asides(these) {}
  const std::vector<std::string>& asides;
  bool is_there = false;  // the key
  std::map<std::string, Value> all{};

  void add(std::string_view name, std::string_view text) {
    is_there = true;
    Value value{std::string(text)};
    const char* const end = text.data() + text.size();
    std::int64_t number = 0;
    if (std::from_chars(text.data(), end, number).ptr == end && !text.empty()) value.amount = number;
    all.emplace(name, value);
  }
  void text(std::string_view text) override { add("", text); }
  void field(std::string_view name, std::string_view text) override {
    is_there = true;
    if (std::find(asides.begin(), asides.end(), name) == asides.end()) add(name, text);
  }
  void element(std::string_view text) override {
    is_there = true;
    if (const auto [known, is_new] = all.emplace(text, Value()); !is_new) ++known->second.amount;
  }
  void ranked(std::string_view name, std::uint64_t rank) override {
    is_there = true;
    all.emplace(name, Value{std::to_string(rank)});
  }
};

inline std::string full_name(Acquisition it) { return name_of(it.client) + std::to_string(it.number); }

struct Owners {
  struct Part {
    std::string text;
    std::map<Acquisition, std::int64_t> shares;
    bool operator==(const Part&) const = default;
    std::int64_t sum() const {
      std::int64_t all = 0;
      for (const auto& [who, amount] : shares) all += amount;
      return all;
    }
  };
  std::map<std::string, Part> parts{};
  bool operator==(const Owners&) const = default;

  bool has(Acquisition who) const {
    return !who.is_nobody() && std::any_of(parts.begin(), parts.end(), [&](const auto& each) {
      return each.second.shares.contains(who);
    });
  }
  std::string text(const auto& name) const {
    std::string text;
    for (const auto& [element, part] : parts)
      for (const auto& [who, amount] : part.shares)
        text += "\n" + element + " of " + name(who) + " " + std::to_string(amount);
    return text;
  }
  // `first`, if it has a part.
  Acquisition owner(Acquisition first) const {
    if (has(first)) return first;
    for (const auto& [name, part] : parts)
      for (const auto& [who, amount] : part.shares)
        if (!who.is_nobody()) return who;
    return {};
  }
  std::set<Acquisition> all() const {
    std::set<Acquisition> all;
    for (const auto& [name, part] : parts)
      for (const auto& [who, amount] : part.shares) all.insert(who);
    all.erase(Acquisition());
    return all;
  }
  // Of whom something here is not there, or is another amount; nobody, if it is nobody's.
  std::set<Acquisition> bereft(const Owners& there) const {
    std::set<Acquisition> who_lost;
    for (const auto& [name, part] : parts)
      for (const auto& [who, amount] : part.shares) {
        const auto it = there.parts.find(name);
        const bool is_there = it != there.parts.end() && it->second.text == part.text &&
                              it->second.shares.contains(who) && it->second.shares.at(who) == amount;
        if (!is_there && !who.is_nobody()) who_lost.insert(who);
      }
    if (who_lost.empty()) who_lost.insert(Acquisition());
    return who_lost;
  }

  // A command of `by` has left these values. Returns who lost something of theirs.
  std::set<Acquisition> write(const Values& now, Acquisition by, Change::Way way) {
    std::set<Acquisition> lost;
    std::map<std::string, Part> next;
    for (const auto& [name, part] : parts)
      if (!now.all.contains(name))
        for (const auto& [who, amount] : part.shares) lost.insert(who);
    for (const auto& [name, value] : now.all) {
      const auto known = parts.find(name);
      const bool is_new = known == parts.end() || known->second.shares.empty();
      const bool is_inside = !is_new && way != Change::Way::replaced;
      const bool is_alike = is_inside && known->second.text == value.text;
      Part& part = next[name];
      if (is_inside && (is_alike || way == Change::Way::counted)) {
        part = known->second;
        count(part, value.amount, by, lost);
        // A field of a hash stands although it counts nothing.
        if (part.shares.empty() && !name.empty()) part.shares[by] = 0;
      } else {
        for (const auto& [who, amount] : is_new ? Part().shares : known->second.shares) lost.insert(who);
        part.shares = {{by, value.amount}};
      }
      part.text = value.text;
    }
    parts = std::move(next);
    lost.erase(by);
    lost.erase(Acquisition());
    return lost;
  }

 private:
  // What it takes beyond what it has added it takes from what is nobody's, and then from all the others.
  static void count(Part& part, std::int64_t now, Acquisition by, std::set<Acquisition>& lost) {
    const std::int64_t change = now - part.sum();
    if (change == 0) return;
    std::int64_t own = part.shares[by] + change, nobodys = part.shares[Acquisition()];
    part.shares.erase(by);
    part.shares.erase(Acquisition());
    while (own * nobodys < 0) {
      const std::int64_t one = own < 0 ? 1 : -1;
      own += one;
      nobodys -= one;
    }
    bool is_taken = false;
    std::erase_if(part.shares, [&](const auto& each) {
      const bool is_hit = each.second * own < 0;
      if (is_hit) lost.insert(each.first);
      is_taken |= is_hit;
      return is_hit;
    });
    if (own != 0 && !is_taken) part.shares[by] = own;
    if (is_taken) nobodys = now - part.sum();
    if (nobodys != 0) part.shares[Acquisition()] = nobodys;
    std::erase_if(part.shares, [](const auto& each) { return each.second == 0; });
  }
};

using OwnersOfKeys = std::map<std::string, Owners>;  // of the keys of locks

inline bool has_part(const OwnersOfKeys& keys, Acquisition who) {
  return std::any_of(keys.begin(), keys.end(), [&](const auto& each) { return each.second.has(who); });
}

// A script may count a number and write another way, too. What it leaves is looked at once.
inline Change::Way way_of(const Change& change, const Changes& changes) {
  for (const Change& other : changes)
    if (change.way == Change::Way::counted && other.key == change.key && other.kind == change.kind &&
        other.way != Change::Way::counted)
      return other.way;
  return change.way;
}

// What is told of a change that `by` has made: to each whom it concerns. `left`: what the command has left.
inline std::vector<KeyChanged> told_of(const Change& change, const Changes& changes, Acquisition by,
                                       const Values& left, Owners& owners) {
  using Kind = KeyChanged::Kind;
  const bool is_kept = change.kind == Change::Kind::ttl_changed;
  const Kind kind = is_kept ? Kind::ttl_changed : static_cast<Kind>(change.kind);
  const bool is_write = kind == Kind::created || kind == Kind::overwritten;
  const bool is_own = owners.has(by);
  std::set<Acquisition> before = is_write ? std::set<Acquisition>() : owners.all();
  if (is_kept) before.erase(by);
  else if (!is_write) owners = {};
  else if (left.is_there) before = owners.write(left, by, way_of(change, changes));
  if (before.empty()) before.insert(is_own ? by : Acquisition());
  const Acquisition hand = kind == Kind::expired ? Acquisition() : by;
  std::vector<KeyChanged> told;
  for (const Acquisition who : before)
    told.push_back(KeyChanged{{}, change.key, kind, hand, who, owners.owner(by)});
  return told;
}

// What is told when a fault has left these owners of those.
inline std::vector<KeyChanged> told_of_loss(const std::string& key, bool is_there, const Owners& were,
                                            const Owners& owners) {
  const auto kind = is_there ? KeyChanged::Kind::restored : KeyChanged::Kind::lost;
  std::vector<KeyChanged> told;
  for (const Acquisition who : were.bereft(owners))
    told.push_back(KeyChanged{{}, key, kind, {}, who, owners.owner({})});
  return told;
}

}  // namespace holdfast::reference
