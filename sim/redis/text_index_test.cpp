// An index finds what a map finds, whatever came and went.
#include "sim/redis/text_index.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>

#include "sim/redis/keyspace.hpp"

namespace holdfast::redis {
namespace {

RC_GTEST_PROP(TextIndex, FindsWhatAMapFinds, ()) {
  TextIndex<int> index;
  std::map<std::string, int> map;
  const std::size_t steps = *rc::gen::inRange<std::size_t>(0, 400);
  for (std::size_t i = 0; i < steps; ++i) {
    const std::string text = std::to_string(*rc::gen::inRange(0, 60));
    const auto [place, is_new] = map.try_emplace(text, static_cast<int>(i));
    const int* const found = index.find(text);
    RC_ASSERT((found == nullptr) == is_new);
    if (is_new) {
      index.insert(place->first, place->second);
    } else {
      RC_ASSERT(*found == place->second);
      if (*rc::gen::inRange(0, 2) != 0) continue;
      index.erase(text);
      map.erase(place);
    }
  }
  for (int i = 0; i < 60; ++i)
    RC_ASSERT((index.find(std::to_string(i)) != nullptr) == map.contains(std::to_string(i)));
}

TEST(Keyspace, IsCopiedWithoutItsIndex) {
  Keyspace keys;
  Changes changes;
  const auto name = [](int number) { return "key:" + std::to_string(number); };
  for (int i = 0; i < 50; ++i) keys.put(name(i), std::to_string(i), no_expiry, changes);
  ASSERT_TRUE(keys.has(name(49)));
  Keyspace copy = keys;
  for (int i = 0; i < 50; i += 2) EXPECT_TRUE(keys.remove(name(i), changes));
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(keys.has(name(i)), i % 2 == 1);
    ASSERT_TRUE(copy.has(name(i)));
    EXPECT_EQ(std::get<std::string>(copy.find(name(i))->value), std::to_string(i));
  }
  keys = copy;
  copy.remove_all(changes);
  EXPECT_TRUE(keys.has(name(0)));
  EXPECT_FALSE(copy.has(name(0)));
}

}  // namespace
}  // namespace holdfast::redis
