// Cards that can be used and cards that cannot.
#include "sim/core/lock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace holdfast {
namespace {

class Empty final : public Lock {
  Task<Attempt> acquire(Env&, std::string, Mode) override { co_return Attempt::refused("no"); }
  Task<Release> release(Env&, std::string, Grant) override { co_return Release::unknown; }
};

Card card(std::string_view id) {
  Card made;
  made.id = id;
  made.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Empty>(); };
  return made;
}

std::string complaint(const std::vector<Card>& cards, const std::vector<std::string_view>& functions) {
  try {
    algorithms::require_sound(cards, functions);
  } catch (const BadCard& error) {
    return error.what();
  }
  return "";
}

TEST(Cards, BearTheNamesOfTheirFiles) {
  EXPECT_EQ(complaint({card("one"), card("my-lock")}, {"one", "my_lock"}), "");
  EXPECT_EQ(complaint({card("one"), card("mine")}, {"one", "my_lock"}),
            "my_lock.cpp: its card says id \"mine\": an id is the name of its file, \"my-lock\"");
}

TEST(Cards, DoNotTakeTheNameOfAnother) {
  EXPECT_EQ(
      complaint({card("token"), card("token")}, {"token", "my_lock"}),
      "my_lock.cpp: its card says id \"token\", which is another lock's: an id is the name of its file, "
      "\"my-lock\"");
}

TEST(Cards, NeedAnIdAndALock) {
  EXPECT_THAT(complaint({card("")}, {"one"}), testing::HasSubstr("no id"));
  Card empty = card("one");
  empty.make = nullptr;
  EXPECT_THAT(complaint({empty}, {"one"}), testing::HasSubstr("\"one\" has no make"));
}

}  // namespace
}  // namespace holdfast
