// Templates and words: nothing is missing, nothing is idle, and what is text stays text.
#include "reports/html.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

namespace holdfast::reports {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

// All that says something on pages in C++.
std::string sources() {
  std::ostringstream text;
  for (const auto& entry : std::filesystem::directory_iterator(HOLDFAST_SOURCE_DIR "/reports")) {
    const std::string file = entry.path().string();
    if (file.ends_with(".cpp") && !file.ends_with("_test.cpp")) text << std::ifstream(file).rdbuf();
  }
  for (const char* file : {"annexes.cpp", "exercise.cpp", "pages.cpp", "run_state.cpp", "web_api.cpp"})
    text << std::ifstream(std::string(HOLDFAST_SOURCE_DIR "/sim/cli/") + file).rdbuf();
  return text.str();
}

// What stands between {{ and }} in all templates and words, without the sign before it.
std::set<std::string> names_in_templates() {
  std::string text(asset("words.json").text);
  for (const Asset& file : assets)
    if (file.file.ends_with(".mustache")) text += file.text;
  std::set<std::string> names;
  const std::regex tag(R"(\{\{\{?[#^/]?([a-z_.>]+)\}\})");
  for (std::sregex_iterator it(text.begin(), text.end(), tag), end; it != end; ++it) names.insert((*it)[1]);
  return names;
}

TEST(Templates, AskForNothingThatNoPageGives) {
  const std::string code = sources();
  std::size_t count = 0;
  for (const std::string& name : names_in_templates()) {
    if (name == "." || name.starts_with(">") || name.starts_with("w.")) continue;
    EXPECT_THAT(code, HasSubstr("\"" + name + "\"")) << "in reports/page";
    ++count;
  }
  EXPECT_GT(count, 100u);
}

TEST(Templates, EveryWordIsInEveryLanguageAndUsed) {
  const std::string code = sources();
  const std::set<std::string> names = names_in_templates();
  const Json words = Json::parse(asset("words.json").text);
  for (const auto& [name, texts] : words.items()) {
    ASSERT_EQ(texts.size(), language_ids.size()) << name;
    EXPECT_NE(texts[1], "") << name;
    // "outcome holds" is made of "outcome " and an id, "locks_1" is the one of "locks".
    const std::string family = "\"" + name.substr(0, name.find(' ')) + " ";
    const std::string many = "\"" + name.substr(0, name.rfind("_1")) + "\"";
    EXPECT_TRUE(names.contains("w." + name) || code.find("\"" + name + "\"") != std::string::npos ||
                code.find(many) != std::string::npos || code.find(family) != std::string::npos)
        << name << " is idle";
  }
}

TEST(Templates, WriteMarkupOfOthersAsText) {
  const Json data{{"title", "<script>alert(1)</script>"}, {"summary", "\"><img src=x>"}, {"bounds", "a & b"}};
  std::ostringstream out;
  write_page({.title = "</title><b>", .card = "x\" onload=\"y"}, "difference", data, out);
  EXPECT_THAT(out.str(), HasSubstr("<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1>"));
  EXPECT_THAT(out.str(), HasSubstr("<title>&lt;/title&gt;&lt;b&gt;</title>"));
  EXPECT_THAT(out.str(), HasSubstr("content=\"x&quot; onload=&quot;y\""));
  EXPECT_THAT(out.str(), Not(HasSubstr("<img")));
}

TEST(Templates, SentencesBeginWithCapitalsAndNamesStay) {
  EXPECT_EQ(as_sentence("time passes until 4s. the key job expires."),
            "Time passes until 4s. The key job expires.");
  EXPECT_EQ(as_sentence("redis-1 restarts."), "redis-1 restarts.");
  EXPECT_EQ(as_sentence("set-nx-px breaks"), "set-nx-px breaks");
  EXPECT_EQ(as_sentence("A starts."), "A starts.");
  EXPECT_EQ(as_sentence(""), "");
}

TEST(Templates, OnlyServedPagesAskWhereTheyAreFrom) {
  const auto page_of = [](bool is_served) {
    std::ostringstream out;
    write_page({.title = "x", .is_served = is_served}, "refusal", {{"why", "<b>"}}, out);
    return out.str();
  };
  EXPECT_THAT(page_of(true), HasSubstr("connect-src 'self'; form-action 'self'"));
  EXPECT_THAT(page_of(true), HasSubstr("&lt;b&gt;"));
  EXPECT_THAT(page_of(false), Not(HasSubstr("'self'")));
}

// Drawings, the data of the script, and what a policy of its own allows; all else is escaped.
TEST(Templates, TakeNothingRawButDrawingsStylesAndScripts) {
  const std::set<std::string> raw{"sequence", "unfolded",    "overview", "overview_by_time",
                                  "picture",  "drawn",       "run",      "content",
                                  "hash",     "script_hash", "text",     "script"};
  const std::regex tag(R"(\{\{(\{|&)\s*([a-z_]+))");
  for (const Asset& file : assets) {
    const std::string text(file.text);
    if (!file.file.ends_with(".mustache")) continue;
    for (std::sregex_iterator it(text.begin(), text.end(), tag), end; it != end; ++it)
      EXPECT_TRUE(raw.contains((*it)[2])) << file.file << ": " << (*it)[2];
  }
}

}  // namespace
}  // namespace holdfast::reports
