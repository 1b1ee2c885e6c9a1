#include "sim/cli/pages.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <limits>
#include <optional>
#include <sstream>

#include "reports/exports.hpp"
#include "reports/html.hpp"
#include "reports/matrix_read.hpp"
#include "reports/ranking.hpp"
#include "reports/trace_json.hpp"
#include "sim/cli/annexes.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/known.hpp"
#include "sim/cli/moves.hpp"
#include "sim/cli/replayed.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/told.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/parallel.hpp"

namespace holdfast::cli {
namespace {

// A name as compilers write it, relative to the project and not out of it.
bool is_source_name(const std::filesystem::path& name) {
  if (name.empty() || name.is_absolute()) return false;
  for (const std::filesystem::path& part : name)
    if (part == "..") return false;
  return name.extension() == ".cpp" || name.extension() == ".hpp" || name.extension() == ".lua";
}

// Where the sources may be: the project that the program was built in, and the working directory.
std::vector<std::filesystem::path> source_roots() { return {project_directory(), "."}; }

// A file's name as part of an address: "+" stands for itself in paths, but not everywhere.
std::string in_address(std::string_view name) {
  std::string text;
  for (const char letter : name)
    text += std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' || letter == '.' ||
                    letter == '_'
                ? std::string(1, letter)
                : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(letter)));
  return text;
}

// Those that break the property, and of which a scenario shows the repair.
std::vector<KnownBug> repaired_bugs(const Card& card, Property property) {
  std::vector<KnownBug> bugs;
  for (const KnownBug& bug : card.bugs) {
    if (bug.repair.empty() || bug.lesson.empty()) continue;
    const std::filesystem::path file = lessons_directory() / (std::string(bug.lesson) + ".json");
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) continue;
    const Scenario lesson = read_scenario(file.string());
    if (lesson.expect && lesson.expect->property == property) bugs.push_back(bug);
  }
  return bugs;
}

// Returns what is left out of it, and why.
std::vector<std::string> save_index(const std::string& directory, const reports::Matrix& matrix,
                                    reports::Language language) {
  Annexes annexes = annexes_in(directory, language);
  write_file(std::filesystem::path(directory) / "index.html",
             index_of(matrix, language, std::move(annexes.good)));
  return std::move(annexes.bad);
}

// Writes the card of a run beside its page, and returns its address. Most networks show no SVG: a PNG of the
// same name is preferred.
std::string card_beside(const std::filesystem::path& directory, const reports::TraceView& trace,
                        const std::string& site) {
  const std::filesystem::path name = std::filesystem::path(reports::page_of_trace(trace.path)).stem();
  std::ostringstream card;
  reports::write_trace_card(trace, card);
  write_file(directory / (name.string() + ".card.svg"), card.str());
  std::error_code error;
  const bool has_png = std::filesystem::exists(directory / (name.string() + ".card.png"), error);
  return site + (site.ends_with('/') ? "" : "/") + in_address(name.string()) +
         (has_png ? ".card.png" : ".card.svg");
}

}  // namespace

reports::TraceFile read_trace(const std::string& file) {
  const std::string text = read_file(file);
  require_kind(text, file, "trace");
  reports::ParsedTrace parsed = reports::parse_trace(text, file, known());
  if (parsed.trace) return std::move(*parsed.trace);
  throw UserError(exit_bad_file, "bad trace file" + text_of(parsed.problems));
}

reports::SourceTexts sources_of(const std::vector<Event>& events) {
  reports::SourceTexts texts;
  const std::vector<std::filesystem::path> roots = source_roots();
  for (const Event& event : events) {
    const Sent* sent = std::get_if<Sent>(&event.what);
    if (!sent || texts.contains(sent->where.file) || !is_source_name(sent->where.file)) continue;
    for (const std::filesystem::path& root : roots) {
      std::error_code error;
      const std::filesystem::path file = root / sent->where.file;
      if (!std::filesystem::is_regular_file(file, error)) continue;
      texts.emplace(sent->where.file, read_file(file.string()));
      break;
    }
  }
  return texts;
}

reports::TracePageContext context_of(const reports::TraceView& trace, std::string index,
                                     const reports::TraceFile* file) {
  reports::TracePageContext context{file ? file->version : std::string(version), std::move(index)};
  if (trace.example.findings.empty()) return context;
  context.bugs =
      repaired_bugs(lock_called(trace.scenario.algorithm), trace.example.findings.front().property);
  // A run that starves a client has no last question.
  if (trace.example.loop) return context;
  const std::optional<reports::PlayedGame> game = file ? file->game : std::nullopt;
  constexpr std::uint32_t any_number = std::numeric_limits<std::uint32_t>::max();
  context.moves =
      moves_of(trace.scenario, lock_called(trace.scenario.algorithm), trace.example.tape,
               game ? game->faults : any_number, trace.example.findings.front().property, trace.language);
  if (game && game->shortest_known > 0) context.shortest_known = game->shortest_known;
  return context;
}

std::string page_of(const reports::TraceView& trace, const std::string& index, const reports::TraceFile* file,
                    const reports::Matrix* matrix, std::vector<std::string> states, std::string card) {
  std::ostringstream text;
  reports::TracePageContext context = context_of(trace, index, file);
  if (matrix != nullptr && !trace.example.findings.empty())
    context.keepers =
        reports::keepers_of(*matrix, trace.example.findings.front().property,
                            trace.scenario.faults.empty() ? Fault::none : trace.scenario.faults.front().kind);
  context.states = std::move(states);
  context.card = std::move(card);
  reports::write_trace_page(trace, sources_of(trace.example.events), context, text);
  return std::move(text).str();
}

std::string index_of(const reports::Matrix& matrix, reports::Language language,
                     std::vector<reports::Annex> annexes) {
  std::ostringstream text;
  reports::write_matrix_page(
      matrix,
      {{{reports::word("compiler", language), compiler}}, std::move(annexes), algorithms::all(), language},
      text);
  return std::move(text).str();
}

void write_page(const std::string& directory, const reports::TraceView& trace, const std::string& index,
                const reports::TraceFile* file, const reports::Matrix* matrix, const std::string& site) {
  write_file(
      std::filesystem::path(directory) / reports::page_of_trace(trace.path),
      page_of(trace, index, file, matrix, {}, site.empty() ? "" : card_beside(directory, trace, site)));
}

void save_pages(const std::string& directory, const reports::Matrix& matrix, unsigned threads) {
  std::vector<const reports::JudgedProperty*> pages;
  for (const reports::MatrixCell& cell : matrix.cells)
    for (const reports::JudgedProperty& each : cell.properties)
      if (!each.trace_file.empty()) pages.push_back(&each);
  for_each_index(pages.size(), threads, [&](std::size_t i) {
    const reports::JudgedProperty& it = *pages[i];
    write_page(directory, {it.scenario, *it.result.counterexample, it.trace_file}, "index.html", nullptr,
               &matrix);
  });
  for (const std::string& bad : save_index(directory, matrix, reports::Language::en))
    tell("holdfast: {}; the page leaves it out\n", bad);
}

int report(const ReportOptions& options) {
  const std::filesystem::path directory = options.names.empty() ? Running().out : options.names.front();
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error))
    throw UserError(exit_missing_file,
                    fmt::format("{}: no such directory; holdfast compare makes one", directory.string()));
  if (!options.site.empty() && !options.site.starts_with("https://") && !options.site.starts_with("http://"))
    throw UserError(exit_usage, "--site: an address begins with https:// or http://");
  const std::filesystem::path results = directory / "matrix.json";
  const bool has_matrix = std::filesystem::exists(results, error);
  std::optional<reports::Matrix> compared;
  std::vector<std::string> left_out;
  if (has_matrix) {
    auto matrix = reports::read_matrix(read_file(results.string()));
    if (const auto* problem = std::get_if<std::string>(&matrix))
      throw UserError(exit_bad_file, fmt::format("{}: {}", results.string(), *problem));
    compared = std::move(std::get<reports::Matrix>(matrix));
    left_out = save_index(directory.string(), *compared, language_of(options));
  }
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (!reports::page_of_trace(entry.path().string()).empty()) files.push_back(entry.path().string());
  if (!has_matrix && files.empty())
    throw UserError(exit_missing_file,
                    fmt::format("{}: holds neither matrix.json nor traces", directory.string()));
  std::vector<std::string> bad(files.size());
  for_each_index(files.size(), threads_of(options), [&](std::size_t i) {
    try {
      const reports::TraceFile trace = read_trace(files[i]);
      bad[i] = replayed(trace).other_finding;
      if (bad[i].empty())
        write_page(directory.string(), {trace.scenario, trace.example, files[i], language_of(options)},
                   has_matrix ? "index.html" : "", &trace, compared ? &*compared : nullptr, options.site);
      else bad[i] = fmt::format("{}: the replay differs: {}", files[i], bad[i]);
    } catch (const UserError& error) {
      if (error.code() != exit_bad_file) throw;
      bad[i] = error.what();
    }
  });
  fmt::print("{}\n", (directory / (has_matrix ? "index.html" : "*.html")).string());
  std::erase(bad, "");
  bad.insert(bad.end(), left_out.begin(), left_out.end());
  for (const std::string& what : bad) tell("holdfast: {}\n", what);
  if (bad.empty()) return exit_as_expected;
  throw UserError(
      exit_bad_file,
      fmt::format("{} left out, as above", reports::counted(bad.size(), left_out.empty() ? "page" : "file")));
}

}  // namespace holdfast::cli
