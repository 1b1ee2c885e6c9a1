// The shared dictionary against nginx' own way of doing it, on generated commands.
#include <gtest/gtest.h>
// RapidCheck's header for GoogleTest needs GoogleTest's first.
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <list>

#include "sim/stores/shdict/dict.hpp"
#include "sim/stores/shdict/replies_test.hpp"

namespace holdfast::shdict {
namespace {

using Kind = Change::Kind;

// As ngx_http_lua_shdict.c does it: nothing is marked, an end is compared with the time when somebody looks.
class Reference {
 public:
  explicit Reference(std::size_t capacity) : capacity_(capacity) {}

  Reply execute(const std::vector<std::string>& argv, std::int64_t now) {
    const std::string& name = argv[0];
    free_ended(now, 1);
    const auto node = lookup(argv[1]);
    const bool is_found = node != nodes_.end() && !(node->ends != 0 && node->ends < now);
    if (name == "GET") return is_found ? Reply::bulk(node->value) : Reply::nil();
    if (name == "DELETE") {
      if (node != nodes_.end()) drop(node);
      return ok;
    }
    if (name == "REPLACE" && !is_found) return error("not found");
    if (name.ends_with("ADD") && is_found) return error("exists");
    if (node != nodes_.end()) drop(node);
    const std::int64_t milliseconds = std::stoll(argv[3]) * 1000;
    Node made{argv[1], argv[2], milliseconds == 0 ? 0 : now + milliseconds};
    bool is_forced = false;
    for (int i = 0; used_ + size(made) > capacity_; ++i) {
      if (name.starts_with("SAFE") || i == 30 || free_ended(now, 0) == 0) return error("no memory");
      is_forced = true;
    }
    used_ += size(made);
    nodes_.push_front(made);
    return is_forced ? forced : ok;
  }

 private:
  struct Node {
    std::string key;
    std::string value;
    std::int64_t ends;  // 0: never
  };
  // Of keys of one byte and values of up to 186: 128 or 256.
  static std::size_t size(const Node& node) { return 69 + node.value.size() <= 128 ? 128 : 256; }
  std::list<Node>::iterator lookup(const std::string& key) {
    for (auto node = nodes_.begin(); node != nodes_.end(); ++node) {
      if (node->key != key) continue;
      nodes_.splice(nodes_.begin(), nodes_, node);
      return nodes_.begin();
    }
    return nodes_.end();
  }
  void drop(std::list<Node>::iterator node) {
    used_ -= size(*node);
    nodes_.erase(node);
  }
  // n == 1: one or two that have ended. n == 0: the last one by force, and up to two that have ended.
  int free_ended(std::int64_t now, int n) {
    int freed = 0;
    while (n < 3 && !nodes_.empty()) {
      const auto last = std::prev(nodes_.end());
      if (n++ != 0 && (last->ends == 0 || last->ends > now)) return freed;
      drop(last);
      ++freed;
    }
    return freed;
  }

  std::size_t capacity_;
  std::size_t used_ = 0;
  std::list<Node> nodes_;
};

std::vector<std::string> living_keys(const Dict& dict) {
  std::vector<std::string> keys;
  for (const auto& [key, entry] : dict.entries())
    if (!entry.is_stale) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

RC_GTEST_PROP(AgainstTheSource, EveryAnswerIsTheSame, ()) {
  const auto capacity = *rc::gen::inRange<std::size_t>(0, 6) * 128 + 64;
  Dict dict(capacity);
  Reference reference(capacity);
  std::int64_t now = 1'700'000'000'000;
  const int length = *rc::gen::inRange(1, 60);
  for (int i = 0; i < length; ++i) {
    now += *rc::gen::element(0, 0, 1, 999, 1000);
    std::vector<std::string> argv{*rc::gen::element<std::string>("ADD", "ADD", "SAFE_ADD", "SET", "SAFE_SET",
                                                                 "REPLACE", "GET", "GET", "DELETE"),
                                  *rc::gen::element<std::string>("a", "b", "c", "d", "e")};
    if (argv[0] != "GET" && argv[0] != "DELETE") {
      argv.push_back(*rc::gen::element<std::string>("true", "v", std::string(100, 'v')));
      argv.push_back(*rc::gen::element<std::string>("0", "1", "2"));
    }
    const WallTime at{std::chrono::milliseconds(now)};
    Changes changes;
    if (*rc::gen::arbitrary<bool>()) dict.expire_due(at, changes);
    std::vector<std::string> before = living_keys(dict);
    changes.clear();
    RC_ASSERT(dict.execute(argv, at, changes) == reference.execute(argv, now));
    // The changes account for what is there now.
    for (const Change& change : changes) {
      const auto place = std::lower_bound(before.begin(), before.end(), change.key);
      const bool was_there = place != before.end() && *place == change.key;
      RC_ASSERT(was_there == (change.kind != Kind::created));
      if (change.kind == Kind::created) before.insert(place, change.key);
      if (change.kind == Kind::removed || change.kind == Kind::expired) before.erase(place);
    }
    RC_ASSERT(before == living_keys(dict));
  }
}

}  // namespace
}  // namespace holdfast::shdict
