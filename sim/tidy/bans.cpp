// Words that have no place in a room, each with the word to use instead; and state that outlives a run.
#include <algorithm>
#include <array>
#include <cctype>

#include "sim/tidy/rules.hpp"

namespace holdfast::tidy {
namespace {

using Names = std::vector<std::string_view>;

struct Ban {
  std::string_view rule;
  Names words;
  Names rooms;       // where it applies; tests are free
  Names exceptions;  // paths within them where it does not
  std::string_view instead;
};

const Names everywhere = {"algorithms/", "sim/", "reports/", "bench/"};
const Names simulated = {"algorithms/", "sim/"};
const Names deciding = {"algorithms/", "sim/core/", "sim/choose/", "sim/world/"};
const Names real = {"sim/live/", "sim/cli/", "sim/guest/", "sim/process/"};

const std::array bans{
    Ban{"real-time",
        {"system_clock", "steady_clock", "high_resolution_clock", "gettimeofday", "clock_gettime",
         "std::time", "time(nullptr)", "time(NULL)"},
        simulated,
        real,
        "the time of the world: Clock for clients, Instant for the world"},
    Ban{"real-time",
        {"sleep_for", "sleep_until", "usleep", "nanosleep"},
        simulated,
        real,
        "co_await clock.sleep(…)"},
    Ban{"real-chance",
        {"random_device", "getrandom", "rand", "srand", "arc4random", "mt19937", "mt19937_64", "minstd_rand",
         "default_random_engine"},
        simulated,
        {"sim/live/", "sim/process/"},
        "Choices::pick(), so that the tape has it; sim/choose/rng.hpp makes the numbers"},
    Ban{"real-chance",
        {"uniform_int_distribution", "uniform_real_distribution", "bernoulli_distribution",
         "discrete_distribution", "normal_distribution", "exponential_distribution", "poisson_distribution",
         "std::shuffle", "std::sample", "random_shuffle"},
        everywhere,
        {},
        "sim/choose/rng.hpp: the distributions of the C++ library differ between implementations"},
    Ban{"unstable-hash", {"std::hash"}, simulated, {}, "digest_of() or Digester"},
    Ban{"real-thread",
        {"std::thread", "std::jthread", "std::async", "std::mutex", "std::atomic"},
        simulated,
        // What ran is noted by all threads of an exploration; no run reads it.
        {"sim/explore/", "sim/live/", "sim/cli/", "sim/guest/", "sim/process/", "sim/core/awaits.hpp"},
        "one thread runs one world; sim/explore owns the threads"},
    Ban{"float", {"double", "float"}, deciding, {}, "integers: Duration, counts, parts per million"},
    Ban{"environment",
        {"getenv"},
        everywhere,
        {"sim/live/", "sim/cli/", "bench/"},
        "an option, read in sim/cli"},
    Ban{"speaks",
        {"std::cout", "std::cerr", "printf", "fprintf", "puts", "fmt::print"},
        simulated,
        {"sim/cli/", "sim/core/invariant.cpp"},
        "only reports and sim/cli speak; return a value"},
    Ban{"one-store",
        {"redis::", "shdict::", "sql::", "etcd::", "zookeeper::"},
        {"sim/choose/", "sim/trace/", "sim/scenario/", "sim/world/", "sim/check/", "sim/explore/",
         "reports/"},
        {},
        "stores::Server, or a trait of it: this is so for every store"},
    Ban{"assert",
        {"assert"},
        everywhere,
        {},
        "INVARIANT(condition, \"why it must hold\"): stays in release builds"},
    Ban{"swallowed",
        {"catch (...)"},
        {"algorithms/"},
        {},
        "nothing: an exception that leaves an algorithm is a finding"},
};

// The slots that belong to a thread and not to a run.
constexpr std::array known_state{"next_to_run", "run_position", "* time_oracle",
                                 "* entered",   "* of_thread",  "blocks_of_thread"};

bool is_in(std::string_view path, const Names& rooms) {
  return std::any_of(rooms.begin(), rooms.end(), [&](auto room) { return path.starts_with(room); });
}

void check_words(const Source& source, Findings& findings) {
  for (const Ban& ban : bans) {
    if (!is_in(source.path, ban.rooms) || is_in(source.path, ban.exceptions)) continue;
    for (std::size_t i = 0; i < source.code.size(); ++i)
      for (const std::string_view word : ban.words)
        if (has_word(source.code[i], word))
          findings.add(i + 1, std::string(ban.rule), std::string(word) + " → " + std::string(ban.instead));
  }
}

// What stands before the value of a variable, or all of it.
std::string_view declaration_of(const Statement& statement) {
  std::string_view text = statement.text;
  for (const std::string_view label : {"public: ", "private: ", "protected: "})
    if (text.starts_with(label)) text.remove_prefix(label.size());
  return text.substr(0, text.find(" ="));
}

bool begins_with_word(std::string_view text, const Names& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](auto word) { return text == word || text.starts_with(std::string(word) + " "); });
}

const Names storage = {"static", "thread_local", "inline static", "inline thread_local"};
const Names no_variable = {"using",  "class",   "struct", "enum",   "union", "namespace", "template",
                           "friend", "concept", "return", "extern", "else",  "public",    "static_assert"};

// A variable that outlives a run and can change.
bool is_static_state(const Statement& statement) {
  const std::string_view declaration = declaration_of(statement);
  const bool has_storage = begins_with_word(declaration, storage);
  if (!has_storage && !statement.at_namespace_level) return false;
  if (statement.end == '}' || begins_with_word(declaration, no_variable)) return false;
  // What follows the braces of an initialiser is no declaration.
  if (declaration.empty() || std::isalpha(static_cast<unsigned char>(declaration.front())) == 0) return false;
  // A type and a name, so a blank; a parenthesis makes it a function.
  if (declaration.find(' ') == declaration.npos || declaration.find('(') != declaration.npos) return false;
  for (const std::string_view word : {"const", "constexpr", "constinit", "operator"})
    if (has_word(declaration, word)) return false;
  return std::none_of(known_state.begin(), known_state.end(),
                      [&](auto name) { return declaration.ends_with(name); });
}

std::string_view last_word(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" )") + 1;
  const std::size_t begin = text.find_last_of(" .>&*(:", end - 1) + 1;
  return text.substr(begin, end - begin);
}

// Names of variables of unordered type in this file, and loops over them.
void check_unordered(const Source& source, Findings& findings) {
  std::vector<std::string> names;
  for (const Statement& statement : source.statements) {
    const std::string_view declaration = declaration_of(statement);
    if (declaration.find("unordered_") != declaration.npos && declaration.ends_with(last_word(declaration)))
      names.emplace_back(last_word(declaration));
  }
  for (const Statement& statement : source.statements) {
    const std::string& text = statement.text;
    const std::size_t colon = text.find(" : ");
    for (const std::string& name : names) {
      const bool loops =
          text.starts_with("for") && colon != text.npos &&
          last_word(std::string_view(text).substr(colon, text.find(')', colon) - colon)) == name;
      if (loops || has_word(text, name + ".begin()"))
        findings.add(statement.line, "unordered-loop",
                     "the order differs between machines: sort first, or use std::map");
    }
  }
}

void check_pointer_keys(const Source& source, Findings& findings) {
  for (std::size_t i = 0; i < source.code.size(); ++i) {
    const std::string& code = source.code[i];
    for (const std::string_view container : {"map<", "set<"}) {
      const std::size_t at = code.find(container);
      if (at == code.npos) continue;
      const std::size_t key_end = code.find_first_of("<,>", at + container.size());
      if (key_end != code.npos && code[key_end] != '<' && key_end > 0 && code[key_end - 1] == '*')
        findings.add(i + 1, "pointer-key", "addresses differ between runs: key by an id");
    }
  }
}

}  // namespace

void check_bans(const Source& source, Findings& findings) {
  if (is_test(source.path)) return;
  check_words(source, findings);
  if (!is_in(source.path, simulated) || is_in(source.path, real)) return;
  check_unordered(source, findings);
  check_pointer_keys(source, findings);
  for (const Statement& statement : source.statements) {
    if (is_static_state(statement))
      findings.add(statement.line, "static-state",
                   "a member of what lives as long as one run, or a constant");
    if (count_word(statement.text, "pick(") > 1)
      findings.add(statement.line, "two-picks",
                   "one pick() per statement: compilers evaluate arguments in any order");
    if (source.path.starts_with("algorithms/") && statement.text.find('~') != statement.text.npos)
      findings.add(statement.line, "destructor", "none in algorithms: a real crash runs no destructor");
  }
}

}  // namespace holdfast::tidy
