#include "sim/fuzz_test/targets.hpp"

#include <hiredis/hiredis.h>

#include <array>
#include <memory>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <streambuf>

#include "reports/trace_json.hpp"
#include "sim/cli/baseline.hpp"
#include "sim/cli/known.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/programs.hpp"
#include "sim/cli/redis_shell.hpp"
#include "sim/cli/tables.hpp"
#include "sim/core/invariant.hpp"
#include "sim/live/address.hpp"
#include "sim/live/replies.hpp"
#include "sim/scenario/parse.hpp"
#include "sim/serve/rule.hpp"
#include "sim/stores/redis/protocol.hpp"
#include "sim/stores/redis/words.hpp"

namespace holdfast::fuzz {
namespace {

// Takes so much text and no more.
class Page : public std::streambuf {
 public:
  Page() { setp(text_.data(), text_.data() + text_.size()); }

 private:
  std::array<char, 8'192> text_;
};

}  // namespace

void scenario(std::string_view text) {
  const Parsed parsed = parse_scenario(text, "fuzz.json", cli::known());
  INVARIANT(parsed.scenario.has_value() == parsed.problems.empty(), "a file is read or has problems");
  if (!parsed.scenario) return;
  const std::string written = scenario_json(*parsed.scenario);
  const Parsed again = parse_scenario(written, "fuzz.json", cli::known());
  INVARIANT(again.scenario && scenario_json(*again.scenario) == written, "what was written reads back equal");
}

void trace(std::string_view text) {
  const reports::ParsedTrace parsed = reports::parse_trace(text, "fuzz.json", cli::known());
  INVARIANT(parsed.trace.has_value() == parsed.problems.empty(), "a file is read or has problems");
  if (!parsed.trace) return;
  const reports::TraceFile& file = *parsed.trace;
  const std::string written = reports::trace_json(file.scenario, file.example, file.version, file.game);
  INVARIANT(reports::parse_trace(written, "fuzz.json", cli::known()).trace, "what was written can be read");
}

void baseline(std::string_view text) {
  try {
    const cli::Baseline parsed = cli::parse_baseline(std::string(text), "fuzz.json");
    const std::string written = cli::baseline_text(parsed);
    const cli::Baseline again = cli::parse_baseline(written, "fuzz.json");
    INVARIANT(cli::baseline_text(again) == written, "what was written reads back equal");
    for (const cli::Difference& each : cli::differences(parsed, again)) difference_text(each);
  } catch (const cli::UserError&) {
  }
}

void words(std::string_view text) {
  if (const auto split = redis::split_words(text))
    for (const std::string& word : *split)
      INVARIANT(word.size() <= text.size(), "no word is longer than its line");
}

void address(std::string_view text) {
  try {
    live::to_text(live::parse_address(text));
  } catch (const std::invalid_argument&) {
  }
}

void resp(std::string_view text) {
  const std::unique_ptr<redisReader, decltype(&redisReaderFree)> reader(redisReaderCreate(), redisReaderFree);
  // hiredis reserves memory for the announced length of an array: a hundred million empty places take long
  // and tell nothing.
  static const redisReplyObjectFunctions usual = *reader->fn;
  redisReplyObjectFunctions careful = usual;
  careful.createArray = [](const redisReadTask* task, int elements) {
    return elements > 100'000 ? nullptr : usual.createArray(task, elements);
  };
  reader->fn = &careful;
  redisReaderFeed(reader.get(), text.data(), text.size());
  for (void* raw = nullptr; redisReaderGetReply(reader.get(), &raw) == REDIS_OK && raw != nullptr;
       raw = nullptr) {
    const std::unique_ptr<void, decltype(&freeReplyObject)> reply(raw, freeReplyObject);
    live::to_reply(*static_cast<const redisReply*>(raw));
  }
}

void shell(std::string_view text) {
  std::istringstream in{std::string(text)};
  // Enough for every kind of reply; what repeats a command for ever ends there.
  Page page;
  std::ostream out(&page);
  cli::redis_shell(in, out, !text.empty() && text.front() == ' ');
}

void request(std::string_view text) {
  try {
    while (redis::take_command(text)) {
    }
  } catch (const redis::NoCommand&) {
  }
}

void rule(std::string_view text) {
  try {
    const std::string written = serve::text_of(serve::parse_rule(text));
    INVARIANT(serve::text_of(serve::parse_rule(written)) == written, "what was written reads back equal");
  } catch (const std::invalid_argument&) {
  }
}

void program(std::string_view text) {
  try {
    cli::parse_program(std::string(text), "fuzz.guest.json");
  } catch (const cli::UserError&) {
  }
}

void table(std::string_view text) {
  try {
    cli::parse_table(std::string(text), "fuzz.histories.json");
  } catch (const cli::UserError&) {
  }
}

}  // namespace holdfast::fuzz
