// Replies in any order, of a program of which every history is known.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/guest/orders.hpp"

namespace holdfast::guest {
namespace {

// It asks three servers, says what `word` gives for the order of all replies so far, and asks once more when
// it is to release.
class AsksThree final : public Session {
 public:
  using Order = std::vector<std::uint32_t>;
  using Word = std::function<std::string(const Order&)>;
  explicit AsksThree(Word word) : word_(std::move(word)) {}
  Action tell(const Told& event) override {
    Action did;
    if (event.kind == Told::Kind::begin) return did;
    if (event.kind == Told::Kind::reply) {
      order_.push_back(event.id);
      if (order_.size() % 3 != 0) return did;
      const bool acquires = order_.size() == 3;
      did.effects.push_back({.kind = acquires ? Effect::Kind::granted : Effect::Kind::released, .party = 1});
      did.effects.back().text = word_(order_);
      return did;
    }
    for (std::uint32_t server = 0; server < 3; ++server)
      did.effects.push_back({.kind = Effect::Kind::send,
                             .party = 1,
                             .id = static_cast<std::uint32_t>(order_.size()) + server + 1,
                             .server = server,
                             .is_patient = true,
                             .words = {"SET"}});
    return did;
  }

 private:
  Word word_;
  Order order_;
};

Histories asking(const AsksThree::Word& word) {
  return Histories({.begin = [word](std::uint64_t, std::size_t) { return std::make_unique<AsksThree>(word); },
                    .twins = 1,
                    .has_classes = true});
}

// Where it stands when it has all replies, in the order of the servers.
Node answered(Histories& program, Node node, Told::Kind call) {
  node = program.stand_in(node, {.kind = call, .party = 1, .words = {"job", "token"}}, 0).node;
  EXPECT_TRUE(program.waits_for_all(node, false));
  for (const Effect& sent : std::vector<Effect>(node->action.effects)) {
    const Told reply{.kind = Told::Kind::reply, .party = 1, .id = sent.id, .reply = Reply::status("OK")};
    node = program.stand_in(node, reply, 0).node;
  }
  return node;
}
Node acquired(Histories& program) {
  return answered(program, program.next(program.root(), {}), Told::Kind::acquire);
}
Node released(Histories& program) { return answered(program, acquired(program), Told::Kind::release); }
bool there_is_time() { return false; }

// Six orders of three replies, and as many of three more.
TEST(Orders, OfTwoCallsAreAllAsked) {
  Histories program = asking([](const AsksThree::Order&) { return "same"; });
  released(program);
  const Presumed::Answer answer = program.ask(there_is_time);
  EXPECT_FALSE(answer.is_refuted);
  EXPECT_EQ(answer.all, 36u);
  EXPECT_EQ(answer.asked, 36u);
  EXPECT_EQ(program.statistics().joint, 2u);
  EXPECT_EQ(program.version(), 0u);
}

// Those that are known are not told again.
TEST(Orders, AreAskedOnce) {
  Histories program = asking([](const AsksThree::Order&) { return "same"; });
  acquired(program);
  program.ask(there_is_time);
  const std::size_t sessions = program.statistics().sessions;
  EXPECT_EQ(program.ask(there_is_time).asked, 6u);
  EXPECT_EQ(program.statistics().sessions, sessions);
}

TEST(Orders, AreNoProofWhereThereIsNoTimeToAskForAll) {
  Histories program = asking([](const AsksThree::Order&) { return "same"; });
  acquired(program);
  int left = 4;
  const Presumed::Answer answer = program.ask([&] { return left-- == 0; });
  EXPECT_EQ(answer.all, 6u);
  EXPECT_LT(answer.asked, answer.all);
}

TEST(Orders, CountForThemselvesWhereOneAloneMatters) {
  Histories program = asking([](const AsksThree::Order& order) {
    return order == AsksThree::Order{3, 1, 2} ? "else" : "same";
  });
  const Node sent = acquired(program)->before->before->before;
  EXPECT_TRUE(program.ask(there_is_time).is_refuted);
  EXPECT_EQ(program.version(), 1u);
  EXPECT_FALSE(program.waits_for_all(sent, false));
  EXPECT_FALSE(program.waits_for_all(sent, true));
}

// It shows only in what it says to the next call, after the replies to that came in one order of their own.
TEST(Orders, CountForThemselvesWhereOnlyTwoTogetherMatter) {
  Histories program = asking([](const AsksThree::Order& order) {
    return order == AsksThree::Order{2, 1, 3, 6, 5, 4} ? "else" : "same";
  });
  released(program);
  EXPECT_TRUE(program.ask(there_is_time).is_refuted);
}

TEST(Orders, OfACalmPhaseAreOne) {
  Histories program = asking([](const AsksThree::Order&) { return "same"; });
  Node node = program.next(program.root(), {});
  node = program.stand_in(node, {.kind = Told::Kind::acquire, .party = 1}, 0).node;
  EXPECT_TRUE(program.waits_for_all(node, true));
  for (std::uint32_t id = 1; id <= 3; ++id)
    node = program.stand_in(node, {.kind = Told::Kind::reply, .party = 1, .id = id}, 0).node;
  EXPECT_EQ(program.ask(there_is_time).all, 0u);
}

// What the search finds meanwhile changes nothing before it is asked.
TEST(Orders, ThatAreRefutedMeanwhileMatterFromTheNextSearchOn) {
  Histories program = asking([](const AsksThree::Order&) { return "same"; });
  const Node granted = acquired(program);
  const Node sent = granted->before->before->before;
  const Told release{.kind = Told::Kind::release, .party = 1, .words = {"job", "token"}};
  program.note_order_matters(sent);
  EXPECT_TRUE(program.is_in_doubt());
  EXPECT_TRUE(program.waits_for_all(sent, false));
  EXPECT_TRUE(program.ask(there_is_time).is_refuted);
  EXPECT_FALSE(program.is_in_doubt());
  EXPECT_FALSE(program.waits_for_all(sent, false));
  // Nor is it presumed of the same command anywhere else.
  const Node again = program.stand_in(granted, release, 0).node;
  EXPECT_TRUE(is_to_several(again->action));
  EXPECT_FALSE(program.waits_for_all(again, false));
}

TEST(Orders, AreOfOneRequestToSeveralServers) {
  const Effect first{
      .kind = Effect::Kind::send, .party = 1, .id = 1, .server = 0, .is_patient = true, .words = {"GET"}};
  Effect second = first;
  second.id = 2;
  EXPECT_FALSE(is_to_several({.effects = {first}}));
  EXPECT_FALSE(is_to_several({.effects = {first, second}}));  // one server
  second.server = 1;
  EXPECT_TRUE(is_to_several({.effects = {first, second}}));
  Effect other = second;
  other.words = {"SET"};
  EXPECT_FALSE(is_to_several({.effects = {first, other}}));
  other = second;
  other.connection = 1;
  EXPECT_FALSE(is_to_several({.effects = {first, other}}));
  EXPECT_FALSE(is_to_several({.effects = {first, second, {.kind = Effect::Kind::sleep, .id = 3}}}));
}

}  // namespace
}  // namespace holdfast::guest
