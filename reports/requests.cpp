// Requests on one line, with what scripts do in the place of their texts.
#include <algorithm>
#include <cctype>

#include "reports/script_names.hpp"
#include "reports/story.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {
namespace {

bool is_command(std::string_view word, std::string_view name) {
  return std::equal(word.begin(), word.end(), name.begin(), name.end(),
                    [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; });
}

// The place of a script, or of its digest, among the words of a request; 0: there is none.
std::size_t place_of_script(const std::vector<std::string>& argv) {
  if (argv.size() > 1 && (is_command(argv[0], "EVAL") || is_command(argv[0], "EVALSHA"))) return 1;
  return argv.size() > 2 && is_command(argv[0], "SCRIPT") && is_command(argv[1], "LOAD") ? 2 : 0;
}

std::string name_of_script(std::string_view script, const Words& words) {
  return std::string(words.scripts[static_cast<std::size_t>(deed_of_script(script))]);
}

// The words of a request, with names in the places of scripts.
std::vector<std::string> named_words(const std::vector<std::string>& argv, const Words& words) {
  std::vector<std::string> named = argv;
  if (const std::size_t place = place_of_script(argv); place != 0)
    named[place] = is_command(argv[0], "EVALSHA") ? "digest" : name_of_script(argv[place], words);
  return named;
}

std::string joined(const std::vector<std::string>& argv, std::size_t begin) {
  std::string line;
  for (std::size_t i = begin; i < argv.size(); ++i) {
    const bool needs_quotes = argv[i].empty() || argv[i].find(' ') != std::string::npos;
    line += (line.empty() ? "" : " ") + (needs_quotes ? "\"" + argv[i] + "\"" : argv[i]);
  }
  return line;
}

bool is_sent_whole(const std::vector<std::string>& argv) {
  return place_of_script(argv) == 1 && is_command(argv[0], "EVAL");
}

}  // namespace

std::string words_for(const std::vector<std::string>& argv, const Words& words) {
  return joined(named_words(argv, words), 0);
}

std::string label_for(const std::vector<std::string>& argv, const Words& words) {
  // The number of its keys says nothing to a reader.
  if (argv.size() > 2 && is_sent_whole(argv) && deed_of_script(argv[1]) != ScriptDeed::none)
    return name_of_script(argv[1], words) + ": " + joined(argv, 3);
  return words_for(argv, words);
}

bool sends_script(const Sent& sent) { return is_sent_whole(sent.argv); }

}  // namespace holdfast::reports
