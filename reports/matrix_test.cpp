// The matrix in every format: golden texts, widths, hostile names.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "reports/golden_test.hpp"
#include "reports/markup_test.hpp"
#include "reports/matrix_page.hpp"
#include "reports/matrix_read.hpp"
#include "reports/report.hpp"
#include "reports/samples_test.hpp"
#include "reports/verdicts.hpp"

namespace holdfast::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

PropertyResult result(Property property, Verdict verdict, std::string note = "") {
  PropertyResult made{property, verdict, std::move(note), std::nullopt};
  if (verdict == Verdict::violated) made.counterexample = paused_holder();
  return made;
}

MatrixCell cell(std::string algorithm, Fault fault, std::vector<PropertyResult> results) {
  const Scenario scenario = sample_scenario(algorithm, fault);
  MatrixCell made{.algorithm = algorithm, .fault = fault, .rules = scenario.faults};
  made.effort.states = 1234;
  made.effort.transitions = 5678;
  made.effort.table_bytes = 1234 * 22;
  made.effort.runs = 9;
  made.effort.depth_max = 17;
  made.effort.reach.struck.insert(fault);
  made.effort.reach.struck_held.insert(fault);
  made.effort.seconds = 0.25;
  for (PropertyResult& each : results) {
    const bool has_trace = each.counterexample.has_value();
    JudgedProperty& judged = made.properties.emplace_back(JudgedProperty{std::move(each), scenario});
    if (has_trace) judged.trace_file = "out/" + algorithm + ".trace.json";
  }
  return made;
}

Matrix sample_matrix() {
  Matrix matrix{.version = "0.1.0", .seed = 0x51ab, .bounds = {}, .cells = {}};
  matrix.bounds.ttl = 4s;
  matrix.bounds.section = 1s;
  const Property mutual = Property::mutual_exclusion;
  const Property owner = Property::owner_only_release;
  matrix.cells = {
      cell("set-nx-px", Fault::none, {result(mutual, Verdict::holds), result(owner, Verdict::holds)}),
      cell("set-nx-px", Fault::pause, {result(mutual, Verdict::violated), result(owner, Verdict::violated)}),
      cell("set-nx-px", Fault::late_reply,
           {result(mutual, Verdict::unknown, "5,000,000 states"), result(owner, Verdict::holds)}),
      cell("token", Fault::none, {result(mutual, Verdict::holds), result(owner, Verdict::holds)}),
      cell("token", Fault::pause, {result(mutual, Verdict::violated), result(owner, Verdict::holds)}),
      cell("token", Fault::late_reply, {result(mutual, Verdict::sampled), result(owner, Verdict::sampled)}),
      cell("token", Fault::clock_skew,
           {result(mutual, Verdict::not_applicable, "no wall clock is read"),
            result(owner, Verdict::not_applicable, "no wall clock is read")})};
  matrix.costs = {{"token", "contend", 8, 400, 6.35, 13.04, 357.2, 116, 0.9991,  //
                   6.35, 2.0, 2.0, 4.35, 2.4, 51.7}};
  matrix.seconds = 1.5;
  return matrix;
}

std::string text_of(const Matrix& matrix, const Terminal& terminal = {}) {
  std::ostringstream out;
  write_matrix_text(matrix, algorithms::all(), out, terminal);
  write_saved_traces(matrix, out, terminal);
  return out.str();
}
std::string markdown_of(const Matrix& matrix) {
  std::ostringstream out;
  write_matrix_markdown(matrix, algorithms::all(), out);
  return out.str();
}
template <class Writer>
std::string written(Writer writer, const Matrix& matrix) {
  std::ostringstream out;
  writer(matrix, out);
  return out.str();
}

// Eight locks under ten faults, every cell violated: the widest table of the default comparison.
Matrix full_matrix() {
  Matrix matrix{.version = "0.1.0", .bounds = {}, .cells = {}};
  for (const char* lock : {"getset", "lua-setnx-expire", "set-nx-px", "set-nx-px-as-printed", "setnx",
                           "setnx-del-recovery", "setnx-expire", "token"})
    for (const Fault fault :
         {Fault::none, Fault::crash, Fault::pause, Fault::slow_section, Fault::late_request,
          Fault::late_reply, Fault::lost_request, Fault::lost_reply, Fault::clock_skew, Fault::restart}) {
      std::vector<PropertyResult> results;
      for (const Property property :
           {Property::mutual_exclusion, Property::no_stale_write, Property::owner_only_release,
            Property::owner_only_change, Property::truthful_release, Property::recovery})
        results.push_back(result(property, Verdict::violated));
      matrix.cells.push_back(cell(lock, fault, results));
    }
  return matrix;
}

TEST(MatrixText, TheSampleAsATable) { expect_golden("matrix.txt", text_of(sample_matrix())); }
TEST(MatrixText, TheSampleAsAList) {
  expect_golden("matrix.list.txt", text_of(sample_matrix(), {.width = 60}));
}
TEST(MatrixText, TheSampleInAscii) {
  expect_golden("matrix.ascii.txt", text_of(sample_matrix(), {.ascii = true}));
}

TEST(MatrixText, EightLocksUnderTenFaultsAreATableOf100Columns) {
  const std::string text = text_of(full_matrix());
  EXPECT_THAT(text, HasSubstr("set-nx-px-as-printed ✘ 9"));
  EXPECT_THAT(text, HasSubstr("MWOCTR"));
}

// One line for each lock, however many faults there are; the names of the faults stand upright.
TEST(MatrixText, WhatIsTooWideIsAMatrixOfSigns) {
  const std::string text = text_of(full_matrix(), {.width = 85});
  std::string row = "token               ";
  for (int i = 0; i < 10; ++i) row += " ✘M";
  EXPECT_THAT(text, HasSubstr(row + "\n"));
  EXPECT_THAT(text, HasSubstr("first letter of those that break; --width "));
  EXPECT_THAT(text, Not(HasSubstr("violated        none")));
  std::ostringstream alone;
  write_matrix_alone(full_matrix(), alone, {.width = 85});
  const std::string matrix = alone.str();
  EXPECT_LE(std::count(matrix.begin(), matrix.end(), '\n'), 12 + 8 + 3);
}

TEST(MatrixText, OnATerminalWhatOnlyProgramsNeedIsLeftOut) {
  EXPECT_THAT(text_of(sample_matrix()), HasSubstr("exercised: "));
  EXPECT_THAT(text_of(sample_matrix(), {.brief = true}), Not(HasSubstr("exercised: ")));
}

TEST(MatrixText, EveryWidthIsRespectedAndAsciiIsAscii) {
  const std::array matrices{sample_matrix(), full_matrix()};
  for (std::size_t width = 60; width <= 160; ++width)
    for (const bool ascii : {false, true}) {
      for (const Matrix& matrix : matrices) {
        std::istringstream lines(text_of(matrix, {.width = width, .ascii = ascii}));
        for (std::string line; std::getline(lines, line);) {
          if (line.starts_with("next: ")) continue;  // a command is not broken into pieces
          ASSERT_LE(columns(line), width) << line;
          ASSERT_TRUE(line.empty() || line.back() != ' ') << line;
          for (const char byte : line) ASSERT_TRUE(!ascii || static_cast<unsigned char>(byte) < 0x80) << line;
        }
      }
    }
}

TEST(MatrixText, AHollowResultDoesNotHoldAndSaysWhy) {
  Matrix matrix = sample_matrix();
  matrix.cells.resize(1);
  matrix.cells[0].properties.erase(matrix.cells[0].properties.begin() + 1);
  matrix.cells[0].properties[0] = {{Property::recovery, Verdict::hollow, "nobody asked", std::nullopt}};
  EXPECT_THAT(text_of(matrix), HasSubstr("1 hollow"));
  EXPECT_THAT(text_of(matrix), HasSubstr("∅"));
  const std::string text = written(write_matrix_json, matrix);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["cells"][0]["verdict"], "hollow");
  EXPECT_EQ(json["cells"][0]["note"], "nobody asked");
  EXPECT_EQ(std::get<Matrix>(read_matrix(text)).cells[0].properties[0].result.verdict, Verdict::hollow);
}

TEST(MatrixText, TellsWhatWasExercisedAndWhichFaultMetNoHeldLock) {
  Matrix matrix = sample_matrix();
  matrix.cells.resize(1);
  MatrixCell& cell = matrix.cells[0];
  cell.fault = Fault::crash;
  Reach& reach = cell.effort.reach;
  reach = {{Fault::crash}, {Fault::crash}, {Situation::contended}};
  const Terminal wide{.width = 2000};
  EXPECT_THAT(text_of(matrix, wide),
              HasSubstr(" · a client that asked while another held the lock in 1 of 1 cell"));
  EXPECT_THAT(text_of(matrix, wide), HasSubstr(" · faults that struck a held lock: crash 1\n"));
  auto json = nlohmann::json::parse(written(write_matrix_json, matrix));
  EXPECT_EQ(json["cells"][0]["met"].dump(), R"(["fault","fault-held","contended"])");
  reach.struck_held = {};
  EXPECT_THAT(text_of(matrix, wide),
              HasSubstr(" · faults that struck no held lock: " + cell.algorithm + " under crash\n"));
  json = nlohmann::json::parse(written(write_matrix_json, matrix));
  EXPECT_EQ(json["cells"][0]["met"].dump(), R"(["fault","contended"])");
}

TEST(MatrixText, NamesTheWorkloadUnlessItIsTheUsualOne) {
  Matrix matrix = sample_matrix();
  EXPECT_THAT(text_of(matrix, Terminal{.width = 400}), Not(HasSubstr("workload")));
  EXPECT_FALSE(nlohmann::json::parse(written(write_matrix_json, matrix))["bounds"].contains("workload"));
  matrix.bounds.workload = Workload::reader_flood;
  EXPECT_THAT(text_of(matrix, Terminal{.width = 400}), HasSubstr(" · workload reader-flood · "));
  const std::string text = written(write_matrix_json, matrix);
  EXPECT_EQ(nlohmann::json::parse(text)["bounds"]["workload"], "reader-flood");
  EXPECT_EQ(std::get<Matrix>(read_matrix(text)).bounds.workload, Workload::reader_flood);
}

TEST(MatrixText, CellsOfAnInterruptedComparisonAreUnknown) {
  Matrix matrix = sample_matrix();
  matrix.cells[0].effort = {};
  matrix.cells[0].properties = {};
  matrix.interrupted = true;
  EXPECT_THAT(text_of(matrix), HasSubstr("interrupted: 1 hold"));
  EXPECT_THAT(text_of(matrix), HasSubstr("2 unknown"));
}

TEST(MatrixText, BeliefsThatDifferAreNamedBesideTheLock) {
  Matrix matrix = sample_matrix();
  matrix.cells[0].belief = Belief::notified;
  const std::string text = text_of(matrix);
  EXPECT_THAT(text, HasSubstr("  notified"));
  EXPECT_THAT(text, HasSubstr("  until-release"));
}

// Explored with two clients, then as they read and write: that broke it, in a sample.
Matrix with_readers() {
  Matrix matrix = sample_matrix();
  for (MatrixCell& each : matrix.cells)
    each.within = {{.scope = {2, 1, 1, 1, 1s}, .states = 1234, .is_closed = true}};
  const Scope readers{2, 1, 1, 1, 1s, Variant::readers};
  matrix.cells[1].within.push_back({.scope = readers, .states = 99});
  matrix.cells[1].within.push_back({.scope = readers, .runs = 500});
  matrix.cells[1].properties[0].decided_by = 2;
  return matrix;
}

TEST(MatrixText, SaysWhichVariantBrokeWhichLock) {
  const std::string text = text_of(with_readers(), Terminal{.width = 400});
  EXPECT_THAT(text, HasSubstr("  with 2 clients once in steps of 1s: 7 of 7 cells closed, 2 properties"));
  EXPECT_THAT(text, HasSubstr("  with 2 clients once, readers and a writer in steps of 1s: "
                              "0 of 1 cell closed, 1 sampled, 1 property broken (set-nx-px)\n"));
  std::ostringstream check;
  write_check_text(with_readers(), check, Terminal{.width = 400});
  EXPECT_THAT(check.str(), HasSubstr(", readers and a writer in steps of 1s, in a sample\n"));
  EXPECT_THAT(check.str(),
              HasSubstr("    open: 2 clients once, readers and a writer in steps of 1s (sampled)\n"));
  std::ostringstream page;
  write_matrix_page(with_readers(), {}, page);
  EXPECT_THAT(page.str(), HasSubstr("title=\"mutual-exclusion, with 2 clients once, readers and a writer"));
}

TEST(MatrixJson, SaysWhichVariantDecidedWhat) {
  const std::string text = written(write_matrix_json, with_readers());
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["cells"][2]["decided_by"], 2);
  EXPECT_EQ(json["cells"][2]["within"][2]["variant"], "readers");
  EXPECT_EQ(json["cells"][2]["within"][2]["runs"], 500);
  EXPECT_EQ(json["cells"][2]["within"][0]["states"], 1234);
  EXPECT_EQ(deepening_in_words(std::get<Matrix>(read_matrix(text))), deepening_in_words(with_readers()));
}

TEST(MatrixText, EveryPropertyHasItsOwnLetter) {
  std::set<char> letters;
  for (std::size_t i = 0; i < property_ids.size(); ++i) letters.insert(letter_of(static_cast<Property>(i)));
  EXPECT_EQ(letters.size(), property_ids.size());
}

TEST(MatrixJson, IsTheDocumentedFormat) {
  expect_golden("matrix.json", written(write_matrix_json, sample_matrix()));
}

TEST(MatrixJson, HasOneCellForEachLockFaultAndProperty) {
  const auto json = nlohmann::json::parse(written(write_matrix_json, sample_matrix()));
  EXPECT_EQ(json["schema"], "holdfast/matrix/1");
  EXPECT_EQ(json["cells"].size(), 14u);
  EXPECT_EQ(json["cells"][2]["trace_length"], 9);
  EXPECT_EQ(json["cells"][0]["trace"], nullptr);
  EXPECT_EQ(json["costs"][0]["bypass_max"], 116);
}

TEST(MatrixJson, NamesThatAreNotUtf8StillGiveJson) {
  Matrix matrix = sample_matrix();
  matrix.cells[0].algorithm = "\xff\"\n";
  EXPECT_TRUE(nlohmann::json::accept(written(write_matrix_json, matrix)));
}

TEST(MatrixMarkdown, TheSample) { expect_golden("matrix.md", markdown_of(sample_matrix())); }

TEST(MatrixMarkdown, HostileNamesStayInTheirCell) {
  Matrix matrix = sample_matrix();
  for (MatrixCell& each : matrix.cells) each.algorithm = "a|b\n<script>`*";
  const std::string text = markdown_of(matrix);
  EXPECT_THAT(text, HasSubstr("| a\\|b\\\\x0a\\<script\\>\\`\\* |"));
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
}

TEST(MatrixJunit, TheSample) {
  expect_golden("matrix.junit.xml", written(write_matrix_junit, sample_matrix()));
}

TEST(MatrixJunit, OnlyAnUnexpectedVerdictFails) {
  Matrix matrix = sample_matrix();
  EXPECT_THAT(written(write_matrix_junit, matrix), Not(HasSubstr("<failure")));
  matrix.cells[0].properties[1].unexpected = "expected violated, found holds";
  const std::string text = written(write_matrix_junit, matrix);
  EXPECT_THAT(text, HasSubstr("tests=\"14\" failures=\"1\" errors=\"0\" skipped=\"3\""));
  EXPECT_THAT(text, HasSubstr("<failure message=\"expected violated, found holds\"/>"));
}

TEST(MatrixJunit, HostileTextsAreEscaped) {
  Matrix matrix = sample_matrix();
  matrix.cells[1].algorithm = "<&\">\x01";
  for (JudgedProperty& each : matrix.cells[1].properties) each.scenario.algorithm = "]]><x>\x1b\xff";
  const std::string text = written(write_matrix_junit, matrix);
  EXPECT_THAT(text, HasSubstr("classname=\"&lt;&amp;&quot;&gt;\\x01\""));
  EXPECT_THAT(text, HasSubstr("]]&gt;&lt;x&gt;\\x1b\\xff"));
  for (const char byte : text) EXPECT_TRUE(static_cast<unsigned char>(byte) >= 0x20 || byte == '\n');
}

TEST(CheckText, OneLockInFull) {
  Matrix matrix = sample_matrix();
  std::erase_if(matrix.cells, [](const MatrixCell& each) { return each.algorithm != "token"; });
  std::ostringstream out;
  write_check_text(matrix, out, {});
  expect_golden("check.txt", out.str());
}

TEST(MatrixPage, IsReadBackFromJsonAsItWas) {
  const auto again = read_matrix(written(write_matrix_json, sample_matrix()));
  ASSERT_TRUE(std::holds_alternative<Matrix>(again)) << std::get<std::string>(again);
  EXPECT_EQ(markdown_of(std::get<Matrix>(again)), markdown_of(sample_matrix()));
  EXPECT_TRUE(std::holds_alternative<std::string>(read_matrix("{}")));
  EXPECT_TRUE(std::holds_alternative<std::string>(read_matrix("[")));
  std::string older = written(write_matrix_json, sample_matrix());
  older.replace(older.find("\"wasted_polls\""), 14, "\"polls\"");
  EXPECT_EQ(std::get<std::string>(read_matrix(older)),
            "key 'wasted_polls' not found; was it written by another version of holdfast?");
}

TEST(MatrixPage, TheSample) {
  std::ostringstream out;
  write_matrix_page(
      sample_matrix(),
      {{{"compiler", "g++"}},
       {{"Since the baseline main", "", "", {"change", "what"}, {{"regression", "token: <worse>"}}},
        {"Since the baseline old", "Nothing has changed."}}},
      out);
  expect_golden("matrix.html", markup_of(out.str()));
}

TEST(MatrixPage, TheColumnNoneIsNoFault) {
  const auto page_of = [](const Matrix& matrix) {
    std::ostringstream out;
    write_matrix_page(matrix, {}, out);
    return out.str();
  };
  Matrix matrix = full_matrix();
  EXPECT_THAT(page_of(matrix), HasSubstr("8 locks under 9 faults: 80 cells"));
  std::erase_if(matrix.cells, [](const MatrixCell& cell) { return cell.fault != Fault::none; });
  EXPECT_THAT(page_of(matrix), HasSubstr("8 locks under no fault: 8 cells"));
}

TEST(MatrixPage, LinksEveryViolationToItsPageAndEscapesEveryName) {
  Matrix matrix = sample_matrix();
  matrix.cells[0].algorithm = "<script>alert(1)</script>";
  std::ostringstream out;
  write_matrix_page(matrix, {{{"compiler", "<b>"}}, {{"<i>"}}}, out);
  const std::string page = out.str();
  EXPECT_THAT(page, HasSubstr("<a href=\"set-nx-px.html\" title=\"mutual-exclusion\">M</a>"));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert"));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("no wall clock is read"));
  EXPECT_EQ(page_of_trace("out/a+b.trace.json"), "a+b.html");
  EXPECT_EQ(page_of_trace("out/matrix.json"), "");
}

}  // namespace
}  // namespace holdfast::reports
