// Whatever a file contains, reading it ends, with a scenario or with at least one problem.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <algorithm>

#include "sim/scenario/corpus_test.hpp"
#include "sim/scenario/example_cards_test.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast {
namespace {

bool is_orderly(const Parsed& parsed) {
  if (parsed.scenario.has_value() != parsed.problems.empty()) return false;
  return std::all_of(parsed.problems.begin(), parsed.problems.end(), [](const Problem& problem) {
    return problem.line >= 1 && problem.column >= 1 && problem.source_column >= 1 &&
           !problem.message.empty() && to_text(problem).size() < 4000;
  });
}

bool is_read_or_refused(const std::string& text) {
  return is_orderly(parse_scenario(text, "a.json", Known(algorithms::all())));
}

const std::vector<std::string>& corpus() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> all;
    for (const Example& example : examples) all.push_back(with_body(example.body));
    for (const auto& path : lesson_files()) all.push_back(text_of(path));
    return all;
  }();
  return texts;
}

// A part of `text`, of any length and from anywhere.
std::string part_of(const std::string& text) {
  const std::size_t begin = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
  return text.substr(begin, *rc::gen::inRange<std::size_t>(0, text.size() - begin + 1));
}

std::string mutated(std::string text) {
  const std::size_t place = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
  switch (*rc::gen::inRange(0, 6)) {
    case 0: return text.substr(0, place);
    case 1:
      return text.substr(0, place) + *rc::gen::arbitrary<char>() +
             text.substr(std::min(place + 1, text.size()));
    case 2: return text.insert(place, part_of(text));
    case 3: return text.erase(place, *rc::gen::inRange<std::size_t>(0, 40));
    case 4: {
      const char letter = *rc::gen::element('[', '{', '"', '\\', '\0');
      return text.insert(place, std::string(*rc::gen::inRange<std::size_t>(0, 100), letter));
    }
    default: return text.insert(place, part_of(*rc::gen::elementOf(corpus())));
  }
}

RC_GTEST_PROP(HostileFile, MutationsOfGoodFilesAreReadOrRefused, ()) {
  for (const std::string& original : {*rc::gen::elementOf(corpus()), *rc::gen::elementOf(corpus())}) {
    std::string text = original;
    const int mutations = *rc::gen::inRange(1, 6);
    for (int i = 0; i < mutations; ++i) {
      text = mutated(std::move(text));
      RC_ASSERT(is_read_or_refused(text));
    }
  }
}

RC_GTEST_PROP(HostileFile, AnyBytesAreReadOrRefused, (const std::string& text)) {
  RC_ASSERT(is_read_or_refused(text));
}

TEST(HostileFile, EveryTruncationOfALessonIsOneProblem) {
  const std::string text = text_of(lesson_files().front());
  for (std::size_t size = 0; size + 2 < text.size(); ++size) {
    const Parsed parsed =
        parse_scenario(std::string_view(text).substr(0, size), "a.json", Known(algorithms::all()));
    ASSERT_EQ(parsed.problems.size(), 1u) << size;
    ASSERT_TRUE(parsed.problems[0].message == (size == 0 ? "the file is empty" : "the file ends too early"))
        << size << ": " << parsed.problems[0].message;
  }
}

TEST(HostileFile, EveryFlippedByteOfALessonIsReadOrRefused) {
  const std::string text = text_of(lesson_files().front());
  for (std::size_t place = 0; place < text.size(); ++place) {
    for (const int mask : {0x01, 0x20, 0x80}) {
      std::string flipped = text;
      flipped[place] = static_cast<char>(flipped[place] ^ mask);
      ASSERT_TRUE(is_read_or_refused(flipped)) << place << " " << mask;
    }
  }
}

TEST(HostileFile, AMebibyteOfUnknownKeysIsReadQuickly) {
  std::string text = "{";
  for (int i = 0; text.size() < 1'000'000; ++i) text += "\"k" + std::to_string(i) + "\":[],";
  text += "\"z\":0}";
  const Parsed parsed = parse_scenario(text, "a.json", example_known());
  EXPECT_EQ(parsed.problems.size(), 101u);
}

}  // namespace
}  // namespace holdfast
