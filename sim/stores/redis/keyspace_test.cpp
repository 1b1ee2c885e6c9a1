// Few keys and many: what is found, and in which order it is shown, is the same as in a sorted map.
#include "sim/stores/redis/keyspace.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::redis {
namespace {

using Shown = std::vector<std::pair<std::string, std::int64_t>>;
using Model = std::map<std::string, std::int64_t>;

Shown shown(const Keyspace& keys) {
  Shown all;
  keys.visit([&](const std::string& key, const Entry& entry) { all.emplace_back(key, entry.expires_ms); });
  return all;
}

void expect_same(const Keyspace& keys, const Model& model) {
  RC_ASSERT(keys.size() == model.size());
  RC_ASSERT(shown(keys) == Shown(model.begin(), model.end()));
  for (const auto& [key, expires_ms] : model) {
    const Entry* const entry = keys.find(key);
    RC_ASSERT(entry != nullptr && entry->expires_ms == expires_ms);
  }
}

// Short keys and long ones, of which the text lies elsewhere.
std::string key_of(int number) {
  return (number % 2 == 0 ? "key:" : "a key with a long name:") + std::to_string(number);
}

RC_GTEST_PROP(Keyspace, IsASortedMapOfFewAndOfMany, ()) {
  const int different = *rc::gen::element(3, 8, 9, 12, 60);
  Keyspace keys;
  Model model;
  Changes changes;
  for (int i = 0; i < 150; ++i) {
    const std::string key = key_of(*rc::gen::inRange(0, different));
    const std::int64_t time = *rc::gen::inRange(1, 50);
    const int deed = *rc::gen::inRange(0, 10);
    if (deed < 6) {
      keys.put(key, std::string("value"), time, changes);
      model[key] = time;
    } else if (deed < 8) {
      RC_ASSERT(keys.remove(key, changes) == (model.erase(key) == 1));
    } else {
      keys.expire_due(time, changes);
      std::erase_if(model, [&](const auto& each) { return time > each.second; });
    }
    RC_ASSERT(keys.has(key) == (model.count(key) == 1));
    if (i % 10 == 0) expect_same(keys, model);
    if (i % 50 == 0) expect_same(Keyspace(keys), model);
  }
  expect_same(keys, model);
  keys.remove_all(changes);
  expect_same(keys, {});
}

TEST(Keyspace, ReportsWhatEndsAtOnceByKey) {
  Keyspace keys;
  Changes changes;
  for (int i = 19; i >= 0; --i) keys.put("key:" + std::to_string(10 + i), std::string(), 5, changes);
  changes.clear();
  keys.expire_due(6, changes);
  ASSERT_EQ(changes.size(), 20u);
  for (std::size_t i = 0; i < changes.size(); ++i) EXPECT_EQ(changes[i].key, "key:" + std::to_string(10 + i));
  EXPECT_EQ(keys.size(), 0u);
}

}  // namespace
}  // namespace holdfast::redis
