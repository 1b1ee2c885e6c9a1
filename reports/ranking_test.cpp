// Which lock to take follows from the verdicts, and from nothing else.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports/markup_test.hpp"
#include "reports/matrix_page.hpp"
#include "reports/ranking.hpp"
#include "reports/samples_test.hpp"

namespace holdfast::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

MatrixCell verdict(const char* lock, Fault fault, Verdict mutual, Verdict owner) {
  MatrixCell cell{.algorithm = lock, .fault = fault};
  for (const auto& [property, it] :
       {std::pair(Property::mutual_exclusion, mutual), std::pair(Property::owner_only_release, owner)}) {
    JudgedProperty judged{{property, it, "", std::nullopt}, sample_scenario(lock, fault)};
    if (it == Verdict::violated) judged.result.counterexample = paused_holder();
    if (it == Verdict::violated) judged.trace_file = std::string(lock) + ".trace.json";
    cell.properties.push_back(std::move(judged));
  }
  return cell;
}

// "setnx" breaks alone, "bold" is unknown under a pause, "set-nx-px" breaks more than the other two, who are
// alike.
Matrix five_locks() {
  using enum Verdict;
  Matrix matrix{.version = "0.1.0", .bounds = {}, .cells = {}};
  matrix.cells = {
      verdict("setnx", Fault::none, violated, holds),  verdict("setnx", Fault::pause, holds, holds),
      verdict("set-nx-px", Fault::none, holds, holds), verdict("set-nx-px", Fault::pause, violated, violated),
      verdict("token", Fault::none, holds, holds),     verdict("token", Fault::pause, violated, holds),
      verdict("redis-py", Fault::none, holds, holds),  verdict("redis-py", Fault::pause, violated, holds),
      verdict("bold", Fault::none, unknown, holds),    verdict("bold", Fault::pause, unknown, holds)};
  return matrix;
}

std::vector<std::string> names(const std::vector<const Grid::Line*>& lines) {
  std::vector<std::string> list;
  for (const Grid::Line* const line : lines) list.push_back(line->algorithm);
  return list;
}
std::string page_of_five(Language language = Language::en) {
  std::ostringstream out;
  write_matrix_page(five_locks(), {.cards = algorithms::all(), .language = language}, out);
  return out.str();
}

TEST(Ranking, TheMostRobustComeFirstAndEqualsTogether) {
  const Matrix matrix = five_locks();
  const Grid grid = grid_of(matrix);
  const std::vector<RankedLocks> ranking = ranked(matrix, grid);
  ASSERT_EQ(ranking.size(), 4u);
  EXPECT_THAT(names(ranking[0].lines), ElementsAre("token", "redis-py"));
  EXPECT_THAT(names(ranking[1].lines), ElementsAre("set-nx-px"));
  EXPECT_THAT(names(ranking[2].lines), ElementsAre("bold"));  // unknown is no merit
  EXPECT_THAT(names(ranking[3].lines), ElementsAre("setnx"));
}

TEST(Ranking, ALockThatACrashLocksForGoodIsNotTheOneToTake) {
  using enum Verdict;
  Matrix matrix{.version = "0.1.0", .bounds = {}, .cells = {}};
  matrix.cells = {verdict("token", Fault::crash, holds, holds),
                  verdict("token", Fault::pause, violated, violated),
                  verdict("redis-py-as-installed", Fault::crash, holds, holds),
                  verdict("redis-py-as-installed", Fault::pause, holds, holds)};
  const Grid before = grid_of(matrix);
  EXPECT_EQ(names(ranked(matrix, before)[0].lines).front(), "redis-py-as-installed");
  matrix.cells[2].properties[0].result.property = Property::recovery;
  matrix.cells[2].properties[0].result.verdict = violated;
  const Grid grid = grid_of(matrix);
  EXPECT_EQ(names(ranked(matrix, grid)[0].lines).front(), "token");
}

TEST(Ranking, OfEqualsTheCheaperComesFirst) {
  Matrix matrix = five_locks();
  matrix.costs = {{.algorithm = "token", .workload = "contend", .commands_alone = 3},
                  {.algorithm = "redis-py", .workload = "contend", .commands_alone = 2}};
  const Grid grid = grid_of(matrix);
  EXPECT_THAT(names(ranked(matrix, grid)[0].lines), ElementsAre("redis-py", "token"));
}

TEST(Ranking, ThePageSaysWhatToTakeAndWhy) {
  const std::string page = page_of_five();
  EXPECT_THAT(page, HasSubstr("With one Redis server: take <a href=\"#lock-token\"><b>token</b></a> or "));
  EXPECT_THAT(page, HasSubstr(", proved to hold except under 1 of 1 fault: pause."));
  EXPECT_THAT(page, HasSubstr("Of the others: not decided. The best so far is <b>bold</b>"));
  EXPECT_THAT(page, HasSubstr("Nothing need go wrong to break 1 of 5 locks: <a href=\"#lock-setnx\">"));
  EXPECT_THAT(page, HasSubstr("<b>pause</b> breaks 3 of 5 locks. Most often, two clients believe at once"));
  // The answer, the matrix, and only then how to read it.
  EXPECT_LT(page.find("With one Redis server"), page.find("<table class=\"matrix\">"));
  EXPECT_LT(page.find("<table class=\"matrix\">"), page.find("h-read"));
  EXPECT_LT(page.find("h-read"), page.find("h-found"));
}

// Who reads the text sees the answer of the page before all else, with the names of the same locks.
TEST(Ranking, TheTextBeginsWithWhatToTakeAndWhy) {
  std::ostringstream out;
  write_matrix_text(five_locks(), algorithms::all(), out, {});
  EXPECT_THAT(out.str(),
              StartsWith("With one Redis server: take token or redis-py (Python), proved to hold except "
                         "under 1 of 1 fault:\npause.\n"));
  EXPECT_THAT(out.str(),
              HasSubstr("\nOf the others: not decided. The best so far is bold, of which nothing is "));
  EXPECT_THAT(out.str(), Not(HasSubstr("{{")));
  EXPECT_LT(out.str().find("not decided"), out.str().find("\nset-nx-px"));
  EXPECT_LT(out.str().find("\nset-nx-px"), out.str().find("\nbounds: "));
}

// Another verdict, another lock to take.
TEST(Ranking, TheAdviceFollowsTheVerdicts) {
  Matrix matrix = five_locks();
  matrix.cells[3] = verdict("set-nx-px", Fault::pause, Verdict::holds, Verdict::holds);
  std::ostringstream out;
  write_matrix_page(matrix, {.cards = algorithms::all()}, out);
  EXPECT_THAT(
      out.str(),
      HasSubstr("take <a href=\"#lock-set-nx-px\"><b>set-nx-px</b></a>, proved to hold under all that "
                "is shown here."));
  matrix.cells.erase(matrix.cells.begin() + 8, matrix.cells.end());
  for (MatrixCell& cell : matrix.cells)
    cell = verdict(cell.algorithm.c_str(), cell.fault, Verdict::violated, Verdict::holds);
  std::ostringstream bad;
  write_matrix_page(matrix, {.cards = algorithms::all()}, bad);
  EXPECT_THAT(bad.str(), HasSubstr("With one Redis server: no lock holds under any fault shown here; "));
}

// Two locks break under a pause. Nothing else can strike one of them; the other holds under what can.
TEST(Ranking, AFaultThatCannotStrikeIsNoMerit) {
  using enum Verdict;
  Matrix matrix{.version = "0.1.0", .bounds = {}, .cells = {}};
  for (const char* lock : {"resty-lock", "token"}) {
    const bool is_resty = std::string_view(lock) == "resty-lock";
    matrix.cells.push_back(verdict(lock, Fault::pause, violated, holds));
    for (const Fault fault : {Fault::crash, Fault::lost_reply, Fault::late_reply}) {
      const Verdict each = is_resty ? not_applicable : fault == Fault::late_reply ? violated : holds;
      matrix.cells.push_back(verdict(lock, fault, each, is_resty ? not_applicable : holds));
    }
  }
  const Grid grid = grid_of(matrix);
  EXPECT_THAT(names(ranked(matrix, grid)[0].lines), ElementsAre("token"));
}

// A fault that cannot strike a lock takes nothing from it, and what breaks more is no equal.
TEST(Ranking, WhatIsAsGoodIsTakenTooAndOfNoLibraryFirst) {
  using enum Verdict;
  Matrix matrix{.version = "0.1.0", .bounds = {}, .cells = {}};
  matrix.cells = {verdict("laravel", Fault::pause, violated, holds),
                  verdict("laravel", Fault::clock_skew, holds, holds),
                  verdict("set-nx-px", Fault::pause, violated, violated),
                  verdict("set-nx-px", Fault::clock_skew, holds, holds),
                  verdict("token", Fault::pause, violated, holds),
                  verdict("token", Fault::clock_skew, not_applicable, not_applicable)};
  const Grid grid = grid_of(matrix);
  const std::vector<Advice> advice = advice_on(ranked(matrix, grid), algorithms::all());
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_THAT(names(advice[0].take), ElementsAre("token", "laravel"));
}

TEST(Ranking, AdviceRestsOnProofsAlone) {
  using enum Verdict;
  const auto page_of_token = [](Verdict mutual, Verdict owner) {
    Matrix matrix{.version = "0.1.0", .bounds = {}, .cells = {}};
    matrix.cells = {verdict("token", Fault::none, holds, holds),
                    verdict("token", Fault::pause, mutual, owner)};
    std::ostringstream out;
    write_matrix_page(matrix, {.cards = algorithms::all()}, out);
    return out.str();
  };
  EXPECT_THAT(page_of_token(violated, holds), HasSubstr("With one Redis server: take "));
  const std::string sampled_one = page_of_token(sampled, sampled);
  EXPECT_THAT(sampled_one,
              HasSubstr("With one Redis server: no proof to rest advice on. Most is proved of "));
  EXPECT_THAT(sampled_one, HasSubstr("Not proved: pause."));
  const std::string deletes = page_of_token(violated, violated);
  EXPECT_THAT(deletes, HasSubstr("With one Redis server: none to advise. "));
  EXPECT_THAT(deletes, HasSubstr("may release the lock of another client (pause)."));
}

TEST(Ranking, EveryNameLeadsToAnExplanationThatIsThere) {
  const std::string page = page_of_five();
  std::size_t links = 0;
  const std::string link = "href=\"#lock-";
  for (std::size_t at = page.find(link); at != std::string::npos; at = page.find(link, at + 1)) {
    const std::string anchor = page.substr(at + 7, page.find('"', at + 6) - at - 7);
    EXPECT_THAT(page, HasSubstr("<div id=\"" + anchor + "\">"));
    ++links;
  }
  EXPECT_GE(links, 8u);
  EXPECT_THAT(page, HasSubstr("data-lock=\"redis-py redis-py python"));
}

TEST(Ranking, InChineseThePageBeginsInChinese) {
  const std::string page = page_of_five(Language::zh);
  EXPECT_THAT(page, HasSubstr("<html lang=\"zh-Hans\">"));
  EXPECT_THAT(page, HasSubstr("只有一台 Redis 服务器时：用 "));
  EXPECT_THAT(page, Not(HasSubstr("Which lock")));
}

}  // namespace
}  // namespace holdfast::reports
