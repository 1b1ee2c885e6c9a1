// Signs of stores follow from verdicts alone, and so do the answers; every format shows the same.
#include "reports/stores.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "reports/matrix_page.hpp"
#include "reports/matrix_read.hpp"
#include "reports/samples_test.hpp"

namespace holdfast::reports {
namespace {

using enum Property;
using enum Verdict;
using testing::HasSubstr;
using testing::Not;
using Judged = std::vector<std::pair<Property, Verdict>>;

MatrixCell cell(const std::string& lock, Fault fault, const Judged& verdicts) {
  MatrixCell made{.algorithm = lock, .fault = fault};
  for (const auto& [property, verdict] : verdicts) {
    JudgedProperty& each =
        made.properties.emplace_back(JudgedProperty{{property, verdict, "", std::nullopt}});
    if (verdict != violated) continue;
    each.result.counterexample = paused_holder();
    each.trace_file = fmt::format("out/{}+{}+{}.trace.json", lock, id_of(fault), id_of(property));
  }
  return made;
}

// All hold, but what is said otherwise.
Judged all_but(const Judged& others) {
  Judged all;
  for (const Property property :
       {mutual_exclusion, no_stale_write, fence_order, rightful_write, no_lost_update, recovery})
    all.emplace_back(property, holds);
  for (auto& [property, verdict] : all)
    for (const auto& [other, known] : others)
      if (property == other) verdict = known;
  return all;
}

StoreSign sign_of(const Judged& verdicts) {
  const MatrixCell made = cell("token", Fault::pause, verdicts);
  return store_cell(&made).sign;
}

TEST(Stores, ASignFollowsFromTheVerdictsOfItsCell) {
  EXPECT_EQ(sign_of(all_but({})), StoreSign::safe);
  // Two holders: the numbers save what they protect only if they exist, are in order, let the holder in and
  // lose no update.
  EXPECT_EQ(sign_of(all_but({{mutual_exclusion, violated}})), StoreSign::fenced);
  EXPECT_EQ(sign_of(all_but({{mutual_exclusion, violated}, {no_stale_write, violated}})), StoreSign::fenced);
  for (const Verdict not_enough : {violated, not_applicable})
    for (const Property needed : {fence_order, rightful_write, no_lost_update})
      EXPECT_EQ(sign_of(all_but({{mutual_exclusion, violated}, {needed, not_enough}})), StoreSign::two)
          << id_of(needed) << " " << id_of(not_enough);
  for (const Verdict open : {sampled, unknown, hollow})
    for (const Property needed : {fence_order, rightful_write, no_lost_update}) {
      EXPECT_EQ(sign_of(all_but({{mutual_exclusion, violated}, {needed, open}})), StoreSign::fence_open);
      EXPECT_EQ(sign_of(all_but({{needed, open}})), StoreSign::safe);
    }
  EXPECT_EQ(sign_of({{mutual_exclusion, violated}, {no_stale_write, violated}, {recovery, holds}}),
            StoreSign::two);
  EXPECT_EQ(sign_of(all_but({{no_stale_write, violated}, {no_lost_update, violated}})), StoreSign::two);
  EXPECT_EQ(sign_of(all_but({{no_lost_update, violated}})), StoreSign::two);
  // Two at work are worse than none.
  EXPECT_EQ(sign_of(all_but({{recovery, violated}})), StoreSign::stuck);
  EXPECT_EQ(
      sign_of(all_but({{recovery, violated}, {mutual_exclusion, violated}, {no_lost_update, violated}})),
      StoreSign::two);
  // Without a proof of all three there is no tick.
  for (const Verdict open : {sampled, unknown, hollow})
    for (const Property asked : {mutual_exclusion, no_stale_write, recovery})
      EXPECT_EQ(sign_of(all_but({{asked, open}})), StoreSign::not_proved) << id_of(asked) << id_of(open);
  EXPECT_EQ(sign_of({{mutual_exclusion, holds}, {no_stale_write, holds}}), StoreSign::not_proved);
  EXPECT_EQ(sign_of({}), StoreSign::not_proved);
  EXPECT_EQ(store_cell(nullptr).sign, StoreSign::not_proved);
  // What has no numbers needs none while nothing breaks.
  EXPECT_EQ(sign_of(all_but({{fence_order, not_applicable}})), StoreSign::safe);
  EXPECT_EQ(sign_of(all_but({{mutual_exclusion, not_applicable},
                             {no_stale_write, not_applicable},
                             {recovery, not_applicable}})),
            StoreSign::not_applicable);
}

TEST(Stores, LargerBoundsThatStayedOpenAreSaid) {
  MatrixCell made = cell("token", Fault::pause, all_but({}));
  made.within = {{.scope = {.tick = 1s}, .scenario = {}, .is_closed = true},
                 {.scope = {.clients = 3}, .scenario = {}, .is_closed = false}};
  EXPECT_EQ(store_cell(&made).sign, StoreSign::safe_so_far);
  made.within[1].is_closed = true;
  EXPECT_EQ(store_cell(&made).sign, StoreSign::safe);
}

TEST(Stores, ASignLeadsToTheShortestRunThatShowsIt) {
  MatrixCell made = cell("token", Fault::pause,
                         all_but({{mutual_exclusion, violated},
                                  {no_lost_update, violated},
                                  {recovery, violated},
                                  {rightful_write, violated}}));
  made.properties[4].result.counterexample->steps = 3;  // no-lost-update
  made.properties[3].result.counterexample->steps = 1;  // rightful-write shows no second holder
  made.properties[5].result.counterexample->steps = 2;  // recovery neither
  EXPECT_EQ(store_cell(&made).run, &made.properties[4]);
  EXPECT_EQ(store_cell(&made).sign, StoreSign::two);
}

// A lease without numbers, one with, and a transaction, each in its own store.
Matrix sample_stores() {
  Matrix matrix{.version = "0.1.0", .seed = 1, .bounds = {}, .cells = {}};
  const Judged plain = all_but({{fence_order, not_applicable}});
  const Judged two =
      all_but({{fence_order, not_applicable}, {mutual_exclusion, violated}, {no_lost_update, violated}});
  matrix.cells = {cell("lease", Fault::none, plain),
                  cell("lease", Fault::pause, two),
                  cell("lease", Fault::restart, two),
                  cell("numbered", Fault::none, all_but({})),
                  cell("numbered", Fault::pause, all_but({{mutual_exclusion, violated}})),
                  cell("numbered", Fault::restart, all_but({{recovery, sampled}})),
                  cell("in-a-row", Fault::none, plain),
                  cell("in-a-row", Fault::pause, plain),
                  cell("in-a-row", Fault::restart, two)};
  matrix.cells[0].properties.push_back(
      {{bounded_bypass, violated, "", paused_holder()}, {}, 0, "out/l.trace.json"});
  matrix.cells[6].properties.push_back({{bounded_bypass, holds, "", std::nullopt}});
  matrix.cells[6].properties.back().result.bypass_max = 7;
  matrix.costs = {
      {"lease", "contend", 8, 400, 6.35, 13.04, 357.2, 116, 0.9991, 6.35, 2.0, 2.0, 4.35, 2.4, 51.7}};
  matrix.stores = {{"lease", StoreKind::redis, Tenure::lease},
                   {"numbered", StoreKind::shared_dict, Tenure::lease},
                   {"in-a-row", StoreKind::postgres, Tenure::transaction}};
  return matrix;
}

std::string text_of(const Matrix& matrix, const Terminal& terminal = {}) {
  std::ostringstream out;
  write_stores_text(matrix, out, terminal);
  return out.str();
}

TEST(Stores, EachHasARowAndEachFaultAColumn) {
  const Matrix matrix = sample_stores();
  const StoreTable table = store_table(matrix);
  EXPECT_THAT(table.columns, testing::ElementsAre(Fault::pause, Fault::restart));
  ASSERT_EQ(table.lines.size(), 3u);
  const auto signs = [&](std::size_t line) {
    std::vector<StoreSign> all;
    for (const StoreCell& each : table.lines[line].cells) all.push_back(each.sign);
    return all;
  };
  EXPECT_THAT(signs(0), testing::ElementsAre(StoreSign::two, StoreSign::two));
  EXPECT_THAT(signs(1), testing::ElementsAre(StoreSign::fenced, StoreSign::not_proved));
  EXPECT_THAT(signs(2), testing::ElementsAre(StoreSign::safe, StoreSign::two));
  EXPECT_EQ(overtaking_of(table.lines[0]), "any");
  EXPECT_EQ(overtaking_of(table.lines[1]), "?");
  EXPECT_EQ(overtaking_of(table.lines[2]), "≤7");
  EXPECT_THAT(costs_of(table.lines[0]), testing::ElementsAre("2.0", "6.3", "13"));
}

TEST(Stores, WhatBreaksWithoutAFaultHasAColumn) {
  Matrix matrix = sample_stores();
  matrix.cells[0] =
      cell("lease", Fault::none, all_but({{mutual_exclusion, violated}, {no_lost_update, violated}}));
  EXPECT_EQ(store_table(matrix).columns.front(), Fault::none);
}

TEST(Stores, AnswersSayWhatTheRunsShow) {
  Matrix matrix = sample_stores();
  std::vector<StoreAnswer> answers = store_answers(store_table(matrix));
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_EQ(answers[0].says, "No lock here is safe under all 2 faults: what you protect decides.");
  EXPECT_EQ(answers[1].says, "in-a-row: two holders under restart");
  EXPECT_EQ(answers[2].says, "numbered: the numbers save it under pause; not proved under restart");
  // Where the target refuses nothing, numbers save nothing: `numbered` has two holders under a pause.
  EXPECT_EQ(answers[3].says, "numbered: two holders under pause; not proved under restart");
  // Nothing is advised that was not compared.
  matrix.stores.erase(matrix.stores.begin() + 1, matrix.stores.end());
  answers = store_answers(store_table(matrix));
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[1].says, "lease: two holders under pause, restart");
  matrix = sample_stores();
  matrix.cells[8] = cell("in-a-row", Fault::restart, all_but({}));
  EXPECT_EQ(store_answers(store_table(matrix))[0].says,
            "Never two holders under any of these 2 faults: in-a-row");
}

TEST(Stores, AFileHasThemAgain) {
  const Matrix matrix = sample_stores();
  std::ostringstream out;
  write_matrix_json(matrix, out);
  const auto read = read_matrix(out.str());
  ASSERT_TRUE(std::holds_alternative<Matrix>(read)) << std::get<std::string>(read);
  const Matrix& again = std::get<Matrix>(read);
  EXPECT_EQ(stores_json(again), stores_json(matrix));
  EXPECT_EQ(stores_json(again)[1].dump(),
            R"({"algorithm":"numbered","store":"shared-dict","tenure":"lease",)"
            R"("signs":{"pause":"fenced","restart":"not-proved"},"overtaken":"?"})");
  EXPECT_EQ(text_of(again), text_of(matrix));
}

TEST(Stores, EveryWidthIsRespectedAndAsciiIsAscii) {
  EXPECT_THAT(text_of(sample_stores()), HasSubstr("PostgreSQL\n  in-a-row  transaction  ✔"));
  EXPECT_THAT(text_of(sample_stores(), {.width = 40}), HasSubstr("PostgreSQL: in-a-row\n  ✘ restart"));
  for (std::size_t width = 40; width <= 120; ++width)
    for (const bool ascii : {false, true}) {
      std::istringstream lines(text_of(sample_stores(), {.width = width, .ascii = ascii}));
      for (std::string line; std::getline(lines, line);) {
        ASSERT_LE(columns(line), width) << line;
        for (const char byte : line) ASSERT_TRUE(!ascii || static_cast<unsigned char>(byte) < 0x80) << line;
      }
    }
}

std::string page_of(const Matrix& matrix, Language language = Language::en) {
  std::ostringstream out;
  write_matrix_page(matrix, {.language = language}, out);
  return out.str();
}

TEST(Stores, EverySignThatBreaksLinksToItsRun) {
  const std::string page = page_of(sample_stores());
  for (const char* run :
       {"lease+pause+mutual-exclusion.html", "lease+restart+mutual-exclusion.html",
        "numbered+pause+mutual-exclusion.html", "in-a-row+restart+mutual-exclusion.html", "l.html"})
    EXPECT_THAT(page, HasSubstr(fmt::format("href=\"{}\"", run)));
  const std::regex link(R"(<td><span class="[a-z]"><a href=)");
  EXPECT_EQ(std::distance(std::sregex_iterator(page.begin(), page.end(), link), {}), 5);
  EXPECT_THAT(page, Not(HasSubstr("in-a-row+pause")));
  EXPECT_THAT(page, HasSubstr("<b>No lock here is safe under all 2 faults: what you protect decides.</b>"));
  EXPECT_THAT(page_of(sample_stores(), Language::zh), HasSubstr("锁该放在哪里？"));
}

TEST(Stores, TextOfOthersStaysText) {
  Matrix matrix = sample_stores();
  for (MatrixCell& each : matrix.cells)
    if (each.algorithm == "lease") each.algorithm = "./<b>|,\".lua";
  matrix.stores[0] = {"./<b>|,\".lua", StoreKind::redis, std::nullopt};
  EXPECT_THAT(page_of(matrix), Not(HasSubstr("./<b>")));
  std::ostringstream markdown;
  write_stores_markdown(matrix, markdown);
  EXPECT_THAT(markdown.str(), Not(HasSubstr("<b>")));
  std::ostringstream csv;
  write_stores_csv(matrix, csv);
  EXPECT_THAT(csv.str(), HasSubstr("redis,,\"./<b>|,\"\".lua\",pause,two,"));
}

}  // namespace
}  // namespace holdfast::reports
