// What is learnt of a program: once, by all who ask, and compared whenever it is told again.
#include "sim/guest/histories.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "sim/guest/names.hpp"
#include "sim/guest/twins.hpp"

namespace holdfast::guest {
namespace {

using testing::HasSubstr;

Effect sending(std::string word) {
  return {.kind = Effect::Kind::send, .party = 1, .id = 1, .words = {"SET", std::move(word)}};
}
Told acquiring(std::string key) {
  return {.kind = Told::Kind::acquire, .party = 1, .words = {std::move(key)}};
}

// Sends what `word` gives for the events so far.
class Scripted final : public Session {
 public:
  using Word = std::function<std::string(const std::vector<std::string>& told)>;
  explicit Scripted(Word word) : word_(std::move(word)) {}
  Action tell(const Told& event) override {
    told_.push_back(event.words.front());
    return {.effects = {sending(word_(told_))}};
  }

 private:
  Word word_;
  std::vector<std::string> told_;
};

std::string all_of(const std::vector<std::string>& told) {
  std::string text;
  for (const std::string& each : told) text += each;
  return text;
}
Histories histories_of(const Scripted::Word& word) {
  return Histories(
      {.begin = [word](std::uint64_t, bool) { return std::make_unique<Scripted>(word); }, .twins = 1});
}
std::string word_at(const Histories& program, Node node) { return program.action(node).effects[0].words[1]; }

TEST(Histories, TellTheProgramAgainWhatLedToANode) {
  Histories program = histories_of(all_of);
  const Node a = program.next(program.root(), acquiring("a"));
  const Node ab = program.next(a, acquiring("b"));
  const Node ac = program.next(a, acquiring("c"));
  EXPECT_EQ(word_at(program, ab), "ab");
  EXPECT_EQ(word_at(program, ac), "ac");
  EXPECT_EQ(program.statistics().histories, 3u);
}
TEST(Histories, AreLearntOnce) {
  Histories program = histories_of(all_of);
  const Node first = program.next(program.root(), acquiring("a"));
  const std::size_t told = program.statistics().told;
  EXPECT_EQ(program.next(program.root(), acquiring("a")), first);
  EXPECT_EQ(program.statistics().told, told);
}
TEST(Histories, AreSharedByThreads) {
  Histories program = histories_of(all_of);
  const auto walk = [&] {
    for (const char* first : {"a", "b", "c"})
      for (const char* second : {"x", "y", "z"})
        EXPECT_EQ(
            word_at(program, program.next(program.next(program.root(), acquiring(first)), acquiring(second))),
            std::string(first) + second);
  };
  {
    std::jthread other(walk);
    walk();
  }
  EXPECT_EQ(program.statistics().histories, 12u);
}
TEST(Histories, SayWhichWordIsNotTheSame) {
  int runs = 0;
  Histories program({.begin =
                         [&runs](std::uint64_t, bool) {
                           return std::make_unique<Scripted>([run = ++runs](const auto& told) {
                             return all_of(told) + std::to_string(run);
                           });
                         },
                     .twins = 1});
  const Node a = program.next(program.root(), acquiring("a"));
  static_cast<void>(program.next(a, acquiring("b")));
  try {
    static_cast<void>(program.next(a, acquiring("c")));
    FAIL() << "the second run said something else";
  } catch (const Unusable& why) {
    EXPECT_THAT(why.what(), HasSubstr("SET a1"));
    EXPECT_THAT(why.what(), HasSubstr("SET a2"));
  }
}

// --- twins ---

// Its token is its chance.
class WithToken final : public Session {
 public:
  explicit WithToken(std::uint64_t chance) : token_("t" + std::to_string(chance)) {}
  Action tell(const Told& event) override {
    seen_ = event.words.back();
    return {.effects = {sending(event.words.front() == "again" ? "holder:" + token_ : token_)}};
  }
  static inline std::string seen_;

 private:
  std::string token_;
};

struct TwoRuns {
  Granted granted;
  Twins twins;
  TwoRuns(std::unique_ptr<Session> one, std::unique_ptr<Session> other,
          std::unique_ptr<Session> late = nullptr)
      : twins(both(std::move(one), std::move(other)), some(std::move(late)), granted) {}
  static std::vector<std::unique_ptr<Session>> both(std::unique_ptr<Session> one,
                                                    std::unique_ptr<Session> other) {
    std::vector<std::unique_ptr<Session>> runs;
    runs.push_back(std::move(one));
    runs.push_back(std::move(other));
    return runs;
  }
  static std::vector<std::unique_ptr<Session>> some(std::unique_ptr<Session> one) {
    std::vector<std::unique_ptr<Session>> runs;
    if (one) runs.push_back(std::move(one));
    return runs;
  }
};
TwoRuns with_tokens() { return {std::make_unique<WithToken>(1), std::make_unique<WithToken>(2)}; }

TEST(Twins, MarkWhatDiffersByChance) {
  TwoRuns two = with_tokens();
  const Action first = two.twins.tell(acquiring("job"));
  EXPECT_EQ(first.effects[0].words[1], mark_of(0));
  EXPECT_EQ(first.tokens, 1u);
  EXPECT_EQ(first.texts, (std::vector<Parts>{{0, {"t1"}}, {0, {"t2"}}}));
  const Action again = two.twins.tell(acquiring("again"));
  EXPECT_EQ(again.effects[0].words[1], "holder:" + mark_of(0)) << "also as a part of another text";
  EXPECT_EQ(again.tokens, 1u);
}
TEST(Twins, AreToldTheirOwnTokens) {
  TwoRuns two = with_tokens();
  static_cast<void>(two.twins.tell(acquiring("job")));
  static_cast<void>(two.twins.tell(acquiring(mark_of(0))));
  EXPECT_EQ(WithToken::seen_, "t2");
}
// The words of the only command that it sends, to each event.
std::unique_ptr<Session> saying(std::vector<std::string> words) {
  class Saying final : public Session {
   public:
    explicit Saying(std::vector<std::string> its_words) : words_(std::move(its_words)) {}
    Action tell(const Told&) override {
      Effect sent{.party = 1, .id = 1};
      sent.words = words_;
      return {.effects = {sent}};
    }

   private:
    std::vector<std::string> words_;
  };
  return std::make_unique<Saying>(std::move(words));
}
TEST(Twins, KeepTheTextAroundWhatDiffersByChance) {
  TwoRuns two(saying({"SET", "worker:58303@host-7"}), saying({"SET", "worker:9912@host-7"}));
  const Action action = two.twins.tell(acquiring("job"));
  EXPECT_EQ(action.effects[0].words[1], "worker:" + mark_of(0) + "@host-7");
  EXPECT_EQ(action.texts, (std::vector<Parts>{{0, {"58303"}}, {0, {"9912"}}}));
}
TEST(Twins, RefuseAProgramWhoseDeedsDependOnChance) {
  TwoRuns two(saying({"SET", "a"}), saying({"SET", "a", "b"}));
  EXPECT_THROW(static_cast<void>(two.twins.tell(acquiring("job"))), Unusable);
}
TEST(Twins, FindOutThatTheTimeMatters) {
  TwoRuns until(saying({"SET", "a"}), saying({"SET", "a"}), saying({"SET", "b"}));
  EXPECT_THROW(static_cast<void>(until.twins.tell(acquiring("job"))), TimeMatters);
  TwoRuns other_command(saying({"GET"}), saying({"GET"}), saying({"GET", "a"}));
  EXPECT_THROW(static_cast<void>(other_command.twins.tell(acquiring("job"))), TimeMatters);
}
TEST(Twins, LetATokenBeMadeOfTimeAndChance) {
  TwoRuns two(saying({"SET", "a1"}), saying({"SET", "a2"}), saying({"SET", "b1"}));
  EXPECT_EQ(two.twins.tell(acquiring("job")).tokens, 1u);
  EXPECT_EQ(two.twins.tell(acquiring("job")).effects[0].words[1], mark_of(0));
}

// --- texts ---

// Says what `word` gives for its chance, whatever it is told.
Histories chancy(const std::function<std::string(std::uint64_t chance, const std::string& told)>& word,
                 std::size_t fresh = 0) {
  return Histories(
      {.begin =
           [word](std::uint64_t chance, bool) {
             return std::make_unique<Scripted>(
                 [word, chance](const std::vector<std::string>& told) { return word(chance, told.back()); });
           },
       .twins = 2,
       .fresh = fresh});
}
TEST(TextsOfRuns, AreThoseOfARunOfTheProgram) {
  Histories program =
      chancy([](std::uint64_t chance, const std::string&) { return fmt::format("w:{}", 900 + chance); });
  const Node a = program.next(program.root(), acquiring("a"));
  EXPECT_EQ(word_at(program, a), "w:" + mark_of(0));
  EXPECT_EQ(program.texts(a, {.chance = 0}).texts, std::vector<std::string>{"900"});
  EXPECT_EQ(program.texts(a, {.chance = 77}).texts, std::vector<std::string>{"977"});
}
// Twins begin their texts alike, by accident; the run of a client does not.
TEST(TextsOfRuns, AreRefusedWhereARunDoesNotDoWhatItsTwinsDid) {
  Histories program = chancy([](std::uint64_t chance, const std::string&) {
    return fmt::format("{}:{}", chance < 10 ? "a" : "b", chance);
  });
  const Node a = program.next(program.root(), acquiring("a"));
  EXPECT_THROW(static_cast<void>(program.texts(a, {.chance = 2})), Unusable);
}
// Ten values, eleven runs: two of them say the same, whatever the values are.
TEST(TextsOfRuns, OfWhichThereAreOnlyTenAreFoundToRepeat) {
  Histories program = chancy(
      [](std::uint64_t chance, const std::string&) { return fmt::format("w:{}", chance * 7919 % 10); }, 9);
  const Node a = program.next(program.root(), acquiring("a"));
  EXPECT_THROW(static_cast<void>(program.texts(a, {.chance = 0})), TextsRepeat);
  EXPECT_EQ(program.chances_to_explore().size(), 3u);
}
// What is said anew of an old text is no repetition: only chance that is new counts.
TEST(TextsOfRuns, MayBeSaidAgain) {
  Histories program =
      chancy([](std::uint64_t chance, const std::string&) { return fmt::format("w:{}", chance); }, 9);
  const Node a = program.next(program.root(), acquiring("a"));
  const Node again = program.next(a, acquiring("w:" + mark_of(0)));
  EXPECT_EQ(program.texts(again, {.chance = 5}), (Parts{1, {}}));
  EXPECT_EQ(program.texts(a, {.chance = 5}).texts, std::vector<std::string>{"5"});
}

}  // namespace
}  // namespace holdfast::guest
