// run and validate: scenario files, their expectations and their golden stories.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <sstream>

#include "reports/report.hpp"
#include "reports/trace_json.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/company.hpp"
#include "sim/cli/known.hpp"
#include "sim/cli/results.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/told.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/but_for.hpp"

namespace holdfast::cli {
namespace {

// A file, or the name of a lesson.
std::string resolved(const std::string& name) {
  std::error_code error;
  if (std::filesystem::exists(name, error) || name.find('/') != std::string::npos) return name;
  const std::filesystem::path lesson = lessons_directory() / (name + ".json");
  if (std::filesystem::exists(lesson, error)) return lesson.string();
  std::vector<std::string> stems;
  for (const std::string& file : lesson_files()) stems.push_back(std::filesystem::path(file).stem().string());
  const std::vector<std::string_view> views(stems.begin(), stems.end());
  throw UserError(exit_missing_file, fmt::format("{}: no such file or lesson{} (holdfast list scenarios)",
                                                 name, did_you_mean(name, views)));
}

// Without places of this machine: a golden text is the same everywhere.
std::string story_of(const Scenario& scenario, const Exploration& exploration) {
  std::ostringstream story;
  for (const PropertyResult& result : exploration.properties)
    if (result.counterexample &&
        (!scenario.expect || !scenario.expect->property || scenario.expect->property == result.property)) {
      reports::write_trace({scenario, *result.counterexample, ""}, reports::View::story, story,
                           reports::Terminal{});
      return story.str();
    }
  return {};
}

// What is wrong with the golden story beside `file`; empty when it is right, or when there is none.
std::string compare_story(const std::filesystem::path& file, const std::string& story, bool rewrite) {
  const std::filesystem::path golden = std::filesystem::path(file).replace_extension(".story");
  std::error_code error;
  if (rewrite) {
    if (!story.empty()) write_file(golden, story);
    else std::filesystem::remove(golden, error);
    return {};
  }
  if (!std::filesystem::exists(golden, error) || read_file(golden.string()) == story) return {};
  return fmt::format("the story differs from {}; compare them, then: holdfast run --rewrite {}",
                     golden.string(), file.string());
}

// Of the runs that are shown in full. Golden stories are without: they tell what happens, not what might
// have.
void explain_counterexamples(reports::ScenarioRun& run, Session& session) {
  std::vector<Unexplained> list;
  for (PropertyResult& result : run.exploration.properties)
    if (result.counterexample)
      list.push_back(
          {&run.scenario, algorithms::find(run.scenario.algorithm), &*result.counterexample, Detail::full});
  explain_all(list, 1, session.budget());
}

void name_traces(reports::ScenarioRun& run, Saved& saved) {
  for (const PropertyResult& result : run.exploration.properties) {
    run.trace_files.emplace_back();
    if (!result.counterexample) continue;
    const std::string name = fmt::format("{}+{}.trace.json", run.scenario.name, id_of(result.property));
    run.trace_files.back() = (saved.directory() / name).string();
  }
}

// The run names those alone that are saved.
void save_traces(reports::ScenarioRun& run, Saved& saved) {
  for (std::size_t i = 0; i < run.trace_files.size(); ++i)
    if (std::string& file = run.trace_files[i]; !file.empty())
      file = saved.write(
          std::filesystem::path(file).filename().string(),
          reports::trace_json(run.scenario, *run.exploration.properties[i].counterexample, version));
}

void print(const Output& options, const std::vector<reports::ScenarioRun>& runs,
           const std::optional<reports::Shard>& shard) {
  if (options.format == "json") reports::write_runs_json(runs, std::cout, shard);
  else if (options.format == "markdown") reports::write_runs_markdown(runs, std::cout);
  else if (options.format == "junit") reports::write_runs_junit(runs, std::cout);
  else reports::write_runs_text(runs, std::cout, terminal_of(options));
}

// Of a file that is not as expected: whether that is only because not enough is known.
bool is_inconclusive(const reports::ScenarioRun& run) {
  const std::optional<Expect>& expect = run.scenario.expect;
  bool is_open = false;
  for (const PropertyResult& result : run.exploration.properties) {
    if (expect && expect->property && *expect->property != result.property) continue;
    if (result.verdict == Verdict::violated) return false;
    is_open |= result.verdict == Verdict::unknown || result.verdict == Verdict::hollow;
  }
  return is_open;
}

}  // namespace

int run_files(const RunOptions& options) {
  std::vector<reports::ScenarioRun> runs;
  std::optional<reports::Shard> shard;
  if (options.shard) shard = {options.shard->index, options.shard->count, {}};
  for (std::size_t i = 0; i < options.names.size(); ++i) {
    const std::string file = resolved(options.names[i]);
    if (shard) shard->whole.push_back(file);
    if (!shard || options.shard->has(i)) runs.push_back({file, read_scenario(file), {}});
  }
  prepare_directory(options.out);
  Session session(options);
  session.expect_jobs(runs.size(), "scenarios");
  int code = exit_as_expected;
  std::string complaints;
  for (reports::ScenarioRun& run : runs) {
    const Card& card = *algorithms::find(run.scenario.algorithm);
    require_shareable(card);
    run.exploration =
        explore(run.scenario, card, session.shared_budget(), Engine::snapshots, threads_of(options));
    session.note_done(run.exploration);
    if (session.is_interrupted()) break;
    const bool unmet = !reports::unmet_expectation(run.scenario, run.exploration).empty();
    if (unmet) code = is_inconclusive(run) && code != exit_violated ? exit_inconclusive : exit_violated;
    const std::string story = story_of(run.scenario, run.exploration);
    if (const std::string wrong = compare_story(run.file, story, options.rewrite); !wrong.empty()) {
      complaints += fmt::format("holdfast: {}\n", wrong);
      code = exit_violated;
    }
    if (unmet || options.names.size() == 1) explain_counterexamples(run, session);
  }
  session.end_progress();
  tell_text(complaints);
  Saved saved(options);
  for (reports::ScenarioRun& run : runs) {
    name_traces(run, saved);
    save_traces(run, saved);
  }
  print(options, runs, shard);
  std::cout.flush();
  saved.require_all();
  return session.is_interrupted() ? exit_interrupted : code;
}

int validate(const ValidateOptions& options) {
  std::size_t bad = 0;
  for (const std::string& name : options.names) {
    const std::string file = resolved(name);
    const Parsed parsed = parse_scenario(read_file(file), file, known());
    if (parsed.scenario) continue;
    ++bad;
    tell("{}\n", text_of(parsed.problems).substr(1));
  }
  if (bad != 0)
    throw UserError(exit_bad_file, fmt::format("{} of {} files are bad", bad, options.names.size()));
  fmt::print("{} {} good\n", options.names.size(), options.names.size() == 1 ? "file is" : "files are");
  return exit_as_expected;
}

}  // namespace holdfast::cli
