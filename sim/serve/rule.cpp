#include "sim/serve/rule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "sim/scenario/nearest.hpp"
#include "sim/stores/redis/glob.hpp"
#include "sim/stores/redis/protocol.hpp"
#include "sim/stores/redis/words.hpp"

namespace holdfast::serve {
namespace {

constexpr FaultSet with_size = fault_table.sized_by(Enactor::listen);
constexpr std::array<std::string_view, 5> joints{"of", "with", "once", "every", "one"};

std::vector<std::string_view> possible_faults() {
  std::vector<std::string_view> ids;
  for (std::size_t i = 0; i < fault_ids.size(); ++i)
    if (const auto fault = static_cast<Fault>(i); fault_table.by(Enactor::listen).contains(fault))
      ids.push_back(fault_ids[i]);
  return ids;
}

[[noreturn]] void complain(std::string_view text, const std::string& why) {
  throw std::invalid_argument(fmt::format("rule \"{}\": {}", text, why));
}

std::string nearest_of(std::string_view word, std::span<const std::string_view> known) {
  const std::optional<std::string_view> near = nearest(word, known);
  return near ? fmt::format(" - did you mean \"{}\"?", *near) : std::string();
}

// The words of a rule, from the first to the last.
class Reader {
 public:
  explicit Reader(std::vector<std::string> words)
      : text_(redis::join_words(words)), words_(std::move(words)) {}

  Rule read() {
    rule_.fault = fault();
    if (with_size.contains(rule_.fault)) rule_.size = size();
    while (next_ < words_.size()) read_joint(words_[next_++]);
    return rule_;
  }

 private:
  Fault fault() {
    const std::vector<std::string_view> possible = possible_faults();
    if (words_.empty()) complain(text_, fmt::format("begins with one of {}", fmt::join(possible, ", ")));
    const std::string& word = words_[next_++];
    if (std::find(possible.begin(), possible.end(), word) == possible.end())
      complain(text_, fmt::format("\"{}\" is none of {}{}", word, fmt::join(possible, ", "),
                                  nearest_of(word, possible)));
    return *from_id<Fault>(fault_ids, word);
  }
  Duration size() {
    const std::optional<Duration> read = next_ < words_.size() ? parse_duration(words_[next_]) : std::nullopt;
    if (!read || *read <= Duration::zero())
      complain(text_, fmt::format("after {} comes a time, such as 500ms", id_of(rule_.fault)));
    ++next_;
    return *read;
  }
  void read_joint(const std::string& joint) {
    if (joint == "of") rule_.command = redis::upper(word_after(joint));
    else if (joint == "with") rule_.word = word_after(joint);
    else if (joint == "once") rule_.when = Rule::When::once;
    else if (joint == "every") read_count(joint, Rule::When::every);
    else if (joint == "one") {
      if (word_after(joint) != "in") complain(text_, "after \"one\" comes \"in\" and a number");
      read_count("one in", Rule::When::by_chance);
    } else
      complain(text_, fmt::format("\"{}\" is none of: of, with, once, every N, one in N{}", joint,
                                  nearest_of(joint, joints)));
  }
  std::string word_after(std::string_view joint) {
    if (next_ == words_.size()) complain(text_, fmt::format("something must come after \"{}\"", joint));
    return words_[next_++];
  }
  void read_count(std::string_view joint, Rule::When when) {
    const std::string word = word_after(joint);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), rule_.count);
    if (error != std::errc() || end != word.data() + word.size() || rule_.count == 0)
      complain(text_, fmt::format("after \"{}\" comes a number from 1, not \"{}\"", joint, word));
    rule_.when = when;
  }

  const std::string text_;
  const std::vector<std::string> words_;
  std::size_t next_ = 0;
  Rule rule_;
};

}  // namespace

bool Rule::concerns(const std::vector<std::string>& words) const {
  if (!command.empty() && redis::upper(words.front()) != command) return false;
  const auto matches = [this](const std::string& each) { return redis::glob_matches(word, each); };
  return word.empty() || std::any_of(words.begin() + 1, words.end(), matches);
}

Rule parse_rule(std::vector<std::string> words) { return Reader(std::move(words)).read(); }

Rule parse_rule(std::string_view text) {
  std::optional<std::vector<std::string>> words = redis::split_words(text);
  if (!words) complain(text, "a quote is not closed");
  return parse_rule(std::move(*words));
}

std::string text_of(const Rule& rule) {
  std::string text(id_of(rule.fault));
  if (rule.size != Duration::zero()) text += " " + to_text(rule.size);
  if (!rule.command.empty()) text += " of " + rule.command;
  if (!rule.word.empty()) text += " with " + redis::join_words({rule.word});
  if (rule.when == Rule::When::once) text += " once";
  if (rule.when == Rule::When::every) text += fmt::format(" every {}", rule.count);
  if (rule.when == Rule::When::by_chance) text += fmt::format(" one in {}", rule.count);
  return text;
}

}  // namespace holdfast::serve
