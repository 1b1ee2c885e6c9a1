// Whose the parts of a value are, after commands of several clients.
#include "sim/world/holdings.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>
// After the line above, which its macros need.
#include <rapidcheck/gtest.h>

#include <numeric>

#include "sim/stores/kinds.hpp"

namespace holdfast {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Acquisition anna{ClientId{0}, 1};
constexpr Acquisition bert{ClientId{1}, 1};
constexpr Acquisition carl{ClientId{2}, 1};

// One server with the key "k".
class Held : public testing::Test {
 protected:
  // Who lost something by it.
  Holdings::Bereft after(Acquisition by, const Command& command) {
    stores::Effects effects;
    const std::optional<Reply> reply = data_->execute({}, command, WallTime{1s}, effects);
    EXPECT_FALSE(reply->is_error());
    Holdings::Bereft bereft;
    for (const Change& change : effects.changes) {
      const bool is_gone = change.kind == Change::Kind::removed;
      if (is_gone) held_.clear(bereft);
      else if (change.kind == Change::Kind::ttl_changed) held_.set_end(by, bereft);
      else held_.write(elements_of(data_, "k", asides_), by, change.way, bereft);
    }
    return bereft;
  }
  bool has(Acquisition who) const { return held_.has(who); }

  std::vector<std::string> asides_;
  Holdings held_;

 private:
  stores::Kinds kinds_;
  Contents data_{kinds_.make(StoreKind::redis)};
};

// SET replaces the value, and with it whose it was.
TEST_F(Held, ATextIsWhoseSetItLast) {
  EXPECT_THAT(after(anna, {"SET", "k", "text"}), IsEmpty());
  EXPECT_THAT(after(bert, {"SET", "k", "text"}), ElementsAre(anna));
  EXPECT_TRUE(has(bert));
  EXPECT_THAT(after(carl, {"APPEND", "k", "more"}), ElementsAre(bert));
  EXPECT_THAT(after(carl, {"GETSET", "k", "another"}), IsEmpty());
  EXPECT_THAT(after(anna, {"DEL", "k"}), ElementsAre(carl));
}

// GETSET puts a number there and counts nothing.
TEST_F(Held, ANumberThatIsSetIsReplacedLikeAnyText) {
  after(anna, {"SET", "k", "1"});
  EXPECT_THAT(after(bert, {"GETSET", "k", "2"}), ElementsAre(anna));
}

// One counts up, the other too, and takes its own back: the first one's is still there.
TEST_F(Held, WhoCountsUpAndDownAgainTakesNothing) {
  after(anna, {"INCR", "k"});
  EXPECT_THAT(after(bert, {"INCR", "k"}), IsEmpty());
  EXPECT_TRUE(has(anna) && has(bert));
  EXPECT_THAT(after(bert, {"DECR", "k"}), IsEmpty());
  EXPECT_TRUE(has(anna));
  EXPECT_FALSE(has(bert));
  EXPECT_THAT(after(anna, {"DECR", "k"}), IsEmpty());
  EXPECT_FALSE(has(anna));
}

// What it counted was gone with the key, so the one that it counts down is another's.
TEST_F(Held, WhoCountsDownMoreThanItCountedUpTakesItFromTheOthers) {
  after(anna, {"INCR", "k"});
  EXPECT_THAT(after(bert, {"DECR", "k"}), ElementsAre(anna));
  EXPECT_FALSE(has(anna) || has(bert));
  after(anna, {"INCR", "k"});
  after(carl, {"INCR", "k"});
  EXPECT_THAT(after(bert, {"DECR", "k"}), testing::UnorderedElementsAre(anna, carl));
  // One of the two is left, and nobody knows whose it is: it may be taken.
  EXPECT_THAT(after(bert, {"DECR", "k"}), IsEmpty());
}

// A store of free places: who counts down has taken one, who counts up gives one back.
TEST_F(Held, OfPlacesThatAreTakenWhoGivesBackMoreThanItTookTakesAnothers) {
  after({}, {"SET", "k", "1"});
  after(anna, {"DECR", "k"});
  EXPECT_THAT(after(bert, {"DECR", "k"}), IsEmpty());
  EXPECT_THAT(after(bert, {"INCR", "k"}), IsEmpty());
  EXPECT_FALSE(has(bert));
}

TEST_F(Held, AFieldOfAHashIsWhoseWroteIt) {
  after(anna, {"HSET", "k", "owner", "a", "since", "now"});
  EXPECT_THAT(after(bert, {"HINCRBY", "k", "refused", "1"}), IsEmpty());
  EXPECT_TRUE(has(anna));
  EXPECT_THAT(after(bert, {"HSET", "k", "owner", "b"}), ElementsAre(anna));
  EXPECT_THAT(after(carl, {"HDEL", "k", "refused"}), ElementsAre(bert));
}

// A hash with such a field exists, and keeps out the clients that look for it.
TEST_F(Held, AFieldThatCountsNothingIsWhoseCountedItDown) {
  after(anna, {"HINCRBY", "k", "holder", "1"});
  after(anna, {"HINCRBY", "k", "holder", "-1"});
  EXPECT_TRUE(has(anna));
  EXPECT_THAT(after(bert, {"HINCRBY", "k", "holder", "1"}), IsEmpty());
  EXPECT_FALSE(has(anna));
  EXPECT_TRUE(has(bert));
}

TEST_F(Held, AFieldThatHoldsNoGrantIsNobodys) {
  asides_ = {"tried"};
  after(anna, {"HSET", "k", "owner", "a", "tried", "1"});
  EXPECT_THAT(after(bert, {"HSET", "k", "tried", "2"}), IsEmpty());
  EXPECT_FALSE(has(bert));
}

TEST_F(Held, AMemberIsWhoseAddedIt) {
  after(anna, {"ZADD", "k", "1", "a"});
  EXPECT_THAT(after(bert, {"ZADD", "k", "2", "b"}), IsEmpty());
  EXPECT_THAT(after(bert, {"ZREM", "k", "b"}), IsEmpty());
  EXPECT_THAT(after(bert, {"ZADD", "k", "3", "a"}), ElementsAre(anna));
  EXPECT_THAT(after(anna, {"ZREM", "k", "a"}), ElementsAre(bert));
}

TEST_F(Held, OfEqualElementsOfAListWhoTakesMoreThanItPutTakesAnothers) {
  after(anna, {"RPUSH", "k", "1"});
  EXPECT_THAT(after(bert, {"RPUSH", "k", "1"}), IsEmpty());
  EXPECT_THAT(after(bert, {"LPOP", "k"}), IsEmpty());
  EXPECT_TRUE(has(anna));
  EXPECT_THAT(after(bert, {"LPOP", "k"}), ElementsAre(anna));
}

TEST_F(Held, AnEndThatAnotherSetsConcernsAllWhoHaveAPart) {
  after(anna, {"SADD", "k", "a"});
  after(bert, {"SADD", "k", "b"});
  EXPECT_THAT(after(bert, {"PEXPIRE", "k", "4000"}), ElementsAre(anna));
  EXPECT_TRUE(held_.part_of(bert)->is_renewed);
  EXPECT_FALSE(held_.part_of(anna)->is_renewed);
}

// Whatever clients count, what they have together is the number, and who takes nothing of the others' has
// exactly what it counted.
RC_GTEST_PROP(Holdings, AllPartsTogetherAreTheNumber, ()) {
  stores::Kinds kinds;
  Contents data(kinds.make(StoreKind::redis));
  Holdings held;
  for (int i = 0; i < 20; ++i) {
    const Acquisition by{ClientId{*rc::gen::inRange(0u, 3u)}, 1};
    const std::string step = std::to_string(*rc::gen::inRange(-3, 4));
    stores::Effects effects;
    data->execute({}, {"INCRBY", "k", step}, WallTime{1s}, effects);
    Holdings::Bereft bereft;
    for (const Change& change : effects.changes)
      held.write(elements_of(data, "k", {}), by, change.way, bereft);
    std::int64_t all = 0;
    for (const Holdings::Part& part : held.parts()) all += part.element.amount;
    RC_ASSERT(std::to_string(all) == data->value_of("k"));
    for (const Acquisition who : bereft) RC_ASSERT(who != by && !held.has(who));
  }
}

}  // namespace
}  // namespace holdfast
