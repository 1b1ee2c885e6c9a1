#include "sim/cli/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>

#include "sim/cli/json_file.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/told.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

// As one word of a shell.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? "'\\''" : std::string(1, letter);
  return text + "'";
}

// What git prints in the folder of the file; nothing if it fails.
std::string git(const std::filesystem::path& folder, const std::vector<std::string>& words) {
  std::string command = "git -C " + quoted(folder.string());
  for (const std::string& word : words) command += " " + quoted(word);
  const auto close = [](FILE* pipe) { pclose(pipe); };
  const std::unique_ptr<FILE, decltype(close)> pipe(popen((command + " 2>/dev/null").c_str(), "re"), close);
  std::string text;
  std::array<char, 4096> block{};
  for (std::size_t got = 1; pipe && got > 0;) {
    got = fread(block.data(), 1, block.size(), pipe.get());
    text.append(block.data(), got);
  }
  return text;
}

// For each thing of a section that any version names: its name, and the entry of each version.
struct Thing {
  std::string name;
  std::vector<const Json*> entries;
};
std::vector<Thing> things_of(const Section& section, const std::vector<CommittedBaseline>& versions) {
  std::vector<Thing> things;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const auto entries = versions[i].baseline.sections.find(section.name);
    if (entries == versions[i].baseline.sections.end()) continue;
    for (const Json& entry : entries->second) {
      const auto [place, is_new] = places.emplace(section.key_of(entry), things.size());
      if (is_new) things.push_back({"", std::vector<const Json*>(versions.size())});
      Thing& thing = things[place->second];
      thing.entries[i] = &entry;
      thing.name = section.has_verdict ? fmt::format("{} under {}, {}", plain(entry["algorithm"]),
                                                     plain(entry["fault"]), plain(entry["property"]))
                                       : fmt::format("{} ({}, {} clients)", plain(entry["algorithm"]),
                                                     plain(entry["workload"]), plain(entry["clients"]));
    }
  }
  return things;
}

void add_costs(const Section& section, const std::vector<CommittedBaseline>& versions,
               reports::History& into) {
  const std::vector<Thing> things = things_of(section, versions);
  for (const Figure& figure : section.figures) {
    const std::string name(figure.name);
    reports::History::Cost cost{name, {}};
    for (const Thing& thing : things) {
      reports::History::Figures line{thing.name, {}};
      for (const Json* const entry : thing.entries)
        line.values.push_back(entry != nullptr && entry->contains(name) && (*entry)[name].is_number()
                                  ? std::optional((*entry)[name].get<double>())
                                  : std::nullopt);
      cost.lines.push_back(std::move(line));
    }
    into.costs.push_back(std::move(cost));
  }
}

// "6 verdicts turned to ✘".
std::string turned(std::string_view sign, std::size_t count) {
  return count == 0 ? "" : fmt::format("{} turned to {}", reports::counted(count, "verdict"), sign);
}

}  // namespace

std::vector<CommittedBaseline> committed_versions(const std::string& file) {
  const std::filesystem::path path = std::filesystem::absolute(file);
  const std::string name = "./" + path.filename().string();
  std::istringstream log(
      git(path.parent_path(), {"log", "--reverse", "--format=%h%x09%cs%x09%s", "--", name}));
  std::vector<CommittedBaseline> versions;
  for (std::string line; std::getline(log, line);) {
    const std::size_t date = line.find('\t');
    const std::size_t subject = line.find('\t', date + 1);
    if (subject == std::string::npos) continue;
    const reports::HistoryCommit commit{line.substr(0, date), line.substr(date + 1, subject - date - 1),
                                        line.substr(subject + 1)};
    const std::string text = git(path.parent_path(), {"show", commit.name + ":" + name});
    if (text.empty()) continue;  // this commit removed it
    try {
      versions.push_back({commit, parse_baseline(text, fmt::format("{} in {}", file, commit.name))});
    } catch (const UserError& error) {
      tell("holdfast: left out: {}\n", error.what());
    }
  }
  if (versions.empty())
    throw UserError(
        exit_missing_file,
        fmt::format("{}: no commit has it (save it, and commit the file: each commit that changes "
                    "it is a point of its history)",
                    file));
  return versions;
}

reports::History history_of(const std::string& name, const std::vector<CommittedBaseline>& versions) {
  reports::History history{.baseline = name};
  for (const CommittedBaseline& it : versions) history.commits.push_back(it.commit);
  for (const Section& section : baseline_sections()) {
    if (section.name == "costs") add_costs(section, versions, history);
    if (!section.has_verdict) continue;
    for (const Thing& thing : things_of(section, versions)) {
      reports::History::Verdicts line{thing.name, {}};
      for (const Json* const entry : thing.entries)
        line.values.push_back(entry == nullptr
                                  ? std::nullopt
                                  : from_id<Verdict>(verdict_ids, (*entry)["verdict"].get<std::string>()));
      history.verdicts.push_back(std::move(line));
    }
  }
  std::map<std::string, std::vector<double>> times;
  for (const CommittedBaseline& it : versions)
    for (const Series& series : it.baseline.measured.series) times[series.name] = series.times;
  for (auto& [benchmark, samples] : times) history.times.push_back({benchmark, std::move(samples)});
  return history;
}

void write_history_text(const std::vector<CommittedBaseline>& versions, bool with_counts, std::ostream& out,
                        const reports::Terminal& terminal) {
  reports::Page page(out, terminal);
  const reports::History history = history_of("", versions);
  const std::vector<reports::HistoryTurn> turns = reports::turns_of(history);
  for (const reports::HistoryTurn& it : turns)
    page.paragraph("", fmt::format("{} {}: {}{}{}", it.commit->name,
                                   reports::printable(terminal, it.commit->subject), turned("✘", it.broke),
                                   it.broke * it.mended == 0 ? "" : ", ", turned("✔", it.mended)));
  if (!turns.empty()) page.line();
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const reports::HistoryCommit& commit = versions[i].commit;
    page.line(
        reports::printable(terminal, fmt::format("{}  {}  {}", commit.name, commit.date, commit.subject)));
    if (i == 0) continue;
    try {
      for (const Difference& each : differences(versions[i - 1].baseline, versions[i].baseline))
        if (with_counts || each.changed != Changed::count)
          page.line("  " + reports::printable(terminal, difference_text(each)));
    } catch (const UserError&) {
      page.line("  its bounds are others: nothing can be compared");
    }
  }
}

}  // namespace holdfast::cli
