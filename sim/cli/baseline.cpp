#include "sim/cli/baseline.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/compare.hpp"
#include "sim/cli/history.hpp"
#include "sim/cli/json_file.hpp"
#include "sim/cli/parser.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/told.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;
using std::filesystem::path;

path store_of(const BaselineOptions& options) {
  if (!options.store.empty()) return options.store;
  const char* named = std::getenv("HOLDFAST_BASELINES");
  return named == nullptr || *named == '\0' ? "holdfast-baselines" : named;
}

std::vector<std::string> names_in(const path& store) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(store, error))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string file_of(const BaselineOptions& options, const std::string& name) {
  return (store_of(options) / (name + ".json")).string();
}
// What the last comparison with a baseline found, for accept.
std::string found_file_of(const BaselineOptions& options, const std::string& name) {
  return (path(options.out) / (name + ".baseline.json")).string();
}

void require_name(const std::string& name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  };
  if (!name.empty() && name.size() <= 100 && name[0] != '.' && name[0] != '-' &&
      std::all_of(name.begin(), name.end(), is_plain))
    return;
  throw UserError(exit_usage,
                  fmt::format("\"{}\" is no name of a baseline: letters, digits, and . _ - within, "
                              "at most 100 (holdfast baseline --help)",
                              name));
}

Baseline read_baseline(const BaselineOptions& options, const std::string& name) {
  const std::string file = file_of(options, name);
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    const std::vector<std::string> names = names_in(store_of(options));
    throw UserError(exit_missing_file, fmt::format("{}: no such baseline{} (holdfast baseline save {})", file,
                                                   did_you_mean(name, {names.begin(), names.end()}), name));
  }
  return parse_baseline(read_file(file), file);
}

std::string this_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

bool is_unknown(const Baseline& baseline) {
  const auto cells = baseline.sections.find("cells");
  return cells != baseline.sections.end() &&
         std::any_of(cells->second.begin(), cells->second.end(),
                     [](const Json& cell) { return cell["verdict"] == id_of(Verdict::unknown); });
}

// Explores what `options` choose.
Baseline explored(const BaselineOptions& options, Session& session) {
  Baseline found;
  found.words = options.chosen_words;
  reports::Matrix matrix = explored_matrix(options, compared_cards(options), session);
  save_evidence(options, matrix, session);
  take_figures(matrix, found);
  return found;
}

// The options of the command, but what is explored is what the words of the baseline say.
BaselineOptions with_words(const BaselineOptions& options, const Baseline& baseline,
                           const std::string& file) {
  std::vector<std::string> words{"baseline", "save", baseline.name};
  words.insert(words.end(), baseline.words.begin(), baseline.words.end());
  BaselineOptions chosen;
  Parser parser;
  add_baseline(parser, [&](const BaselineOptions& those) {
    chosen = those;
    return exit_as_expected;
  });
  try {
    parser.parse(words)();
    chosen_cards(chosen);
    chosen_faults(chosen);
    comparison_of(chosen);
  } catch (const UserError& error) {
    throw UserError(exit_bad_file, fmt::format("{}: error: {}\n      at /options", file, error.what()));
  }
  if (chosen.chosen_words.size() != baseline.words.size())
    throw UserError(
        exit_bad_file,
        fmt::format("{}: error: only options that choose what is explored\n      at /options", file));
  static_cast<Running&>(chosen) = options;
  static_cast<Threads&>(chosen) = options;
  return chosen;
}

// The text of a file; nothing, if there is none.
std::optional<std::string> text_in(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::nullopt;
  return read_file(file);
}

// Held by one command at a time, as long as this object lives.
class HeldStore {
 public:
  explicit HeldStore(const path& store) : descriptor_(open(store.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ != -1) flock(descriptor_, LOCK_EX);
  }
  ~HeldStore() {
    if (descriptor_ != -1) close(descriptor_);
  }
  HeldStore(const HeldStore&) = delete;

 private:
  int descriptor_;
};

// Puts `baseline` in the place of what the file was when the command began. Throws UserError if another
// command has saved one since; then this one is what accept takes.
void replace(const BaselineOptions& options, const std::string& name,
             const std::optional<std::string>& before, const Baseline& baseline) {
  const HeldStore held(store_of(options));
  const std::string file = file_of(options, name);
  const std::string text = baseline_text(baseline);
  const std::optional<std::string> now = text_in(file);
  if (options.force || now == before || now == text) return write_file(file, text);
  prepare_directory(options.out);
  write_file(found_file_of(options, name), text);
  throw UserError(
      exit_missing_file,
      fmt::format("{}: another command has saved it since this one began, and it stays as it is · "
                  "holdfast baseline accept {} puts what this one found in its place",
                  file, name));
}

// What people set in the baseline that is replaced. Throws UserError: it cannot be, without --force.
std::map<std::string, double> tolerances_for(const BaselineOptions& options, const std::string& name,
                                             bool is_new) {
  if (is_new) return usual_tolerances();
  try {
    const Baseline before = read_baseline(options, name);
    if (!options.force && before.words != options.chosen_words)
      throw UserError(exit_usage, fmt::format("{}: exists, and is about \"{}\": another name, or --force",
                                              file_of(options, name), fmt::join(before.words, " ")));
    return before.tolerances;
  } catch (const UserError& error) {
    if (!options.force || error.code() != exit_bad_file) throw;
    return usual_tolerances();
  }
}

int save(const BaselineOptions& options, const std::string& name) {
  const std::string file = file_of(options, name);
  prepare_directory(store_of(options).string());
  const std::optional<std::string> before = text_in(file);
  const bool is_new = !before;
  const auto tolerances = tolerances_for(options, name, is_new);
  Session session(options);
  Baseline found = explored(options, session);
  found.name = name;
  found.tolerances = tolerances;
  if (session.is_interrupted()) return exit_interrupted;
  if (is_unknown(found))
    throw UserError(exit_inconclusive,
                    "some verdicts are unknown, because the budget or the memory limit was hit: nothing was "
                    "saved");
  const auto is_over = [&] { return session.is_interrupted(); };
  if (!options.measured.empty())
    found.measured = read_measured(options.measured, read_json(options.measured));
  else if (!measure_in_turns({{this_program(), &found.measured}}, benchmarks_called(options.benchmarks),
                             options.repetitions, is_over))
    return exit_interrupted;
  session.end_progress();
  replace(options, name, before, found);
  fmt::print("{}: {}\n", file, is_new ? "saved" : "replaced, with its tolerances");
  return exit_as_expected;
}

// The samples of `before` and of `now`, of the same benchmarks. False: interrupted.
bool measure(const BaselineOptions& options, Session& session, Baseline& before, Baseline& now) {
  if (!options.measured.empty()) {
    now.measured = read_measured(options.measured, read_json(options.measured));
    return true;
  }
  std::vector<std::string> names;
  for (const Series& series : before.measured.series) names.push_back(series.name);
  std::vector<std::pair<std::string, Measured*>> programs{{this_program(), &now.measured}};
  if (!options.against.empty()) {
    before.measured = Measured();
    programs.emplace_back(options.against, &before.measured);
  }
  const auto measure_more = [&](const std::vector<std::string>& those) {
    const auto is_over = [&] { return session.is_interrupted(); };
    if (!measure_in_turns(programs, those, options.repetitions, is_over)) return false;
    if (!options.against.empty()) before.measured.context = now.measured.context;  // one machine
    return true;
  };
  if (!measure_more(names)) return false;
  // What looks slower is measured once more before it counts: the machine may have been busy.
  std::vector<std::string> slower;
  for (const Difference& each : differences(before, now))
    if (each.suite == "benchmarks" && each.change == Change::regression) slower.push_back(each.subject);
  return measure_more(slower);
}

int compare_with(const BaselineOptions& options, const std::string& name) {
  const std::string file = file_of(options, name);
  Baseline before = read_baseline(options, name);
  const BaselineOptions chosen = with_words(options, before, file);
  std::error_code error;
  std::filesystem::remove(found_file_of(options, name), error);
  Session session(options);
  Baseline now = explored(chosen, session);
  now.name = before.name;
  now.words = before.words;
  now.tolerances = before.tolerances;
  if (session.is_interrupted() || !measure(options, session, before, now)) return exit_interrupted;
  session.end_progress();
  std::vector<Difference> found = differences(before, now);
  const std::size_t counts = options.counts ? 0 : std::erase_if(found, [](const Difference& each) {
    return each.changed == Changed::count;
  });
  const BaselineReport report{before, now, found, counts};
  if (options.format == "json") write_baseline_json(report, std::cout);
  else if (options.format == "junit") write_baseline_junit(report, std::cout);
  else write_baseline_report(report, std::cout, terminal_of(options));
  std::ostringstream changes;
  write_baseline_json(report, changes);
  write_file((path(options.out) / (name + ".changes.json")).string(), changes.str());
  if (!is_unknown(now)) {
    write_file(found_file_of(options, name), baseline_text(now));
    if (!found.empty() || counts != 0) tell("holdfast baseline accept {} makes this the baseline\n", name);
  }
  if (has(report, Change::regression)) return exit_regression;
  return is_unknown(now) ? exit_inconclusive : exit_as_expected;
}

int accept(const BaselineOptions& options, const std::string& name) {
  const std::optional<std::string> text = text_in(file_of(options, name));
  const Baseline before = read_baseline(options, name);
  const std::string file = found_file_of(options, name);
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw UserError(exit_missing_file,
                    fmt::format("{}: there is nothing to accept (holdfast baseline compare {})", file, name));
  Baseline now = parse_baseline(read_file(file), file);
  now.name = before.name;
  now.tolerances = before.tolerances;
  const std::vector<Difference> found = differences(before, now);
  replace(options, name, text, now);
  for (const Difference& each : found)
    if (options.counts || each.changed != Changed::count) fmt::print("{}\n", difference_text(each));
  fmt::print("{}: {} accepted\n", file_of(options, name), reports::counted(found.size(), "difference"));
  return exit_as_expected;
}

int plot_history(const BaselineOptions& options, const std::string& name) {
  const std::vector<CommittedBaseline> versions = committed_versions(file_of(options, name));
  prepare_directory(options.out);
  std::ostringstream page;
  reports::write_history_page(history_of(name, versions), reports::Language::en, page);
  const std::string file = (path(options.out) / (name + ".history.html")).string();
  write_file(file, page.str());
  write_history_text(versions, options.counts, std::cout, terminal_of(options));
  fmt::print("\n{}\n", file);
  return exit_as_expected;
}

int list_baselines(const BaselineOptions& options) {
  Json json{{"schema", "holdfast/baselines/1"}, {"baselines", Json::array()}};
  std::size_t bad = 0;
  for (const std::string& name : names_in(store_of(options))) {
    json["baselines"].push_back(Json{{"name", name}, {"file", file_of(options, name)}});
    Json& entry = json["baselines"].back();
    try {
      Baseline baseline = read_baseline(options, name);
      entry["version"] = baseline.version;
      entry["options"] = baseline.words;
      entry["verdicts"] = baseline.sections["cells"].size();
      entry["benchmarks"] = baseline.measured.series.size();
    } catch (const UserError& error) {
      entry["problem"] = error.what();
      ++bad;
    }
  }
  const auto require_good = [&] {
    if (bad == 0) return exit_as_expected;
    std::cout.flush();
    throw UserError(exit_bad_file, fmt::format("{} of {} cannot be read, as above", bad,
                                               reports::counted(json["baselines"].size(), "baseline")));
  };
  if (options.format == "json") {
    std::cout << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
    return require_good();
  }
  if (json["baselines"].empty())
    fmt::print("no baselines in {} (holdfast baseline save NAME)\n", store_of(options).string());
  for (const Json& each : json["baselines"])
    if (each.contains("problem"))
      fmt::print("{:<24}cannot be read: {}\n", each["name"].get<std::string>(),
                 each["problem"].get<std::string>());
    else
      fmt::print("{:<24}{:>5} verdicts{:>4} benchmarks  {}\n", each["name"].get<std::string>(),
                 each["verdicts"].get<std::size_t>(), each["benchmarks"].get<std::size_t>(),
                 fmt::join(each["options"].get<std::vector<std::string>>(), " "));
  return require_good();
}

}  // namespace

int baseline(const BaselineOptions& options) {
  const std::string& action = options.names.front();
  if (action != "save" && !options.chosen_words.empty())
    throw UserError(exit_usage, fmt::format("{}: the baseline says what is explored; only save chooses it",
                                            options.chosen_words.front()));
  if (action == "list") {
    if (options.names.size() > 1)
      throw UserError(exit_usage, fmt::format("unexpected argument \"{}\"", options.names[1]));
    return list_baselines(options);
  }
  if (options.names.size() < 2)
    throw UserError(exit_usage, fmt::format("NAME is missing (holdfast baseline {} NAME)", action));
  const std::string& name = options.names[1];
  require_name(name);
  if (action == "save") return save(options, name);
  if (action == "history") return plot_history(options, name);
  return action == "compare" ? compare_with(options, name) : accept(options, name);
}

}  // namespace holdfast::cli
