// The schema in scenarios/ is the one this program makes, and an independent validator agrees with the
// parser.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sim/check/checker.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/scenario/corpus_test.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

const fs::path scenarios = fs::path(HOLDFAST_SOURCE_DIR) / "scenarios";

void write(const fs::path& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

TEST(Schema, TheCheckedInCopyIsWhatThisProgramMakes) {
  const std::string made = scenario_schema(Known(algorithms::all(), simulated_faults, checkers::decidable()));
  const fs::path mine = fs::path(HOLDFAST_BINARY_DIR) / "scenario.schema.json";
  write(mine, made);
  EXPECT_TRUE(made == text_of(scenarios / "scenario.schema.json"))
      << "to accept the new one: cp " << mine.string() << " "
      << (scenarios / "scenario.schema.json").string();
}

// The names of the files in `directory` that python3-jsonschema accepts.
constexpr std::string_view judge_script = R"(
import json, pathlib, sys
from jsonschema import Draft7Validator
schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
Draft7Validator.check_schema(schema)
validator = Draft7Validator(schema)
for path in sorted(pathlib.Path(sys.argv[2]).glob('*.json')):
    if validator.is_valid(json.loads(path.read_text())): print(path.name)
)";

TEST(Schema, AnIndependentValidatorAcceptsWhatTheParserAccepts) {
  if (std::system("python3 -c 'import jsonschema' >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "python3-jsonschema is not installed (apt-get install python3-jsonschema)";
  const Known known(algorithms::all(), simulated_faults, checkers::decidable());
  const fs::path directory = fs::path(HOLDFAST_BINARY_DIR) / "schema_corpus";
  fs::remove_all(directory);
  fs::create_directories(directory);
  write(directory / "schema", scenario_schema(known));
  write(directory / "judge.py", judge_script);
  std::vector<std::pair<std::string, std::string>> corpus;
  for (const Example& example : examples) corpus.emplace_back(example.name, with_body(example.body));
  for (const fs::path& path : lesson_files()) corpus.emplace_back(path.stem().string(), text_of(path));
  std::set<std::string> accepted_by_us;
  for (const auto& [name, text] : corpus) {
    write(directory / (name + ".json"), text);
    if (parse_scenario(text, name, known).scenario) accepted_by_us.insert(name + ".json");
  }
  const std::string command = "python3 '" + (directory / "judge.py").string() + "' '" +
                              (directory / "schema").string() + "' '" + directory.string() + "' >'" +
                              (directory / "accepted").string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::istringstream lines(text_of(directory / "accepted"));
  std::set<std::string> accepted_by_schema;
  for (std::string line; std::getline(lines, line);) accepted_by_schema.insert(line);
  EXPECT_EQ(accepted_by_us, accepted_by_schema);
  EXPECT_GE(accepted_by_us.size(), 30u);
  EXPECT_GE(corpus.size() - accepted_by_us.size(), 40u);
}

TEST(Schema, ExamplesAreAcceptedOrRefusedAsTheySay) {
  const Known known(algorithms::all(), simulated_faults, checkers::decidable());
  for (const Example& example : examples)
    EXPECT_EQ(parse_scenario(with_body(example.body), "a.json", known).scenario.has_value(), example.is_valid)
        << example.name;
}

}  // namespace
}  // namespace holdfast
