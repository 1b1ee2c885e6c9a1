// Without a fuzzer: what fuzzers have found worth keeping is fed to every build, cut off at every length.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/fuzz_test/targets.hpp"

namespace holdfast::fuzz {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return std::move(text).str();
}

TEST(Corpus, OfEveryTargetIsReadOrRefused) {
  for (const Target& target : targets) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(
             std::filesystem::path(HOLDFAST_SOURCE_DIR "/sim/fuzz_test/corpus") / target.name)) {
      const std::string text = text_of(entry.path());
      SCOPED_TRACE(entry.path().string());
      target.feed(text);
      // At most 50 lengths, so that large files take no longer than small ones.
      for (std::size_t size = 0; size < text.size(); size += 1 + text.size() / 50)
        target.feed(std::string_view(text).substr(0, size));
      ++count;
    }
    EXPECT_GE(count, 5u) << target.name;
  }
}

}  // namespace
}  // namespace holdfast::fuzz
