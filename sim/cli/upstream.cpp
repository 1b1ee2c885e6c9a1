#include "sim/cli/upstream.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/options.hpp"
#include "sim/cli/session.hpp"
#include "sim/core/lock.hpp"
#include "sim/core/transcript.hpp"

namespace holdfast::cli {
namespace {

using std::filesystem::path;

bool has_any(const path& checkout, const std::vector<Excerpt>& excerpts) {
  return std::any_of(excerpts.begin(), excerpts.end(),
                     [&](const Excerpt& each) { return std::filesystem::exists(checkout / each.file); });
}

std::string text_of(const path& checkout, std::string_view file) {
  const std::string name = (checkout / file).string();
  return std::filesystem::exists(name) ? read_file(name) : "";
}

// Returns how many of the lines are not there any more.
std::size_t compare_lines(const path& checkout, const std::vector<Excerpt>& excerpts) {
  std::size_t changed = 0;
  for (const Excerpt& each : excerpts) {
    const std::string text = text_of(checkout, each.file);
    const std::optional<std::uint32_t> first = find_excerpt(text, each);
    const std::string now = digest_of_lines(text, each.first, each.last);
    std::string what = first == each.first ? "the same"
                       : first             ? fmt::format("the same, from line {} on", *first)
                       : now.empty()       ? "not there"
                                           : fmt::format("other text, with digest {}", now);
    fmt::print("{} {}:{}-{}  {}\n", first ? "ok     " : "differs", each.file, each.first, each.last, what);
    changed += first ? 0 : 1;
  }
  return changed;
}

// Returns in how many files something else has changed: a default, or what the lines call.
std::size_t compare_files(const path& checkout, const std::vector<WholeFile>& files) {
  std::size_t changed = 0;
  for (const WholeFile& each : files) {
    const std::string text = text_of(checkout, each.file);
    if (text.empty()) continue;
    const bool is_same = digest_of_text(text) == each.digest;
    fmt::print(
        "{} {}  {}\n", is_same ? "ok     " : "changed", each.file,
        is_same ? "all of it is the same" : "has changed: read its defaults, and what those lines call");
    changed += is_same ? 0 : 1;
  }
  return changed;
}

[[noreturn]] void refuse(const path& checkout, const Upstream& upstream) {
  const bool is_bare =
      std::filesystem::exists(checkout / "HEAD") && std::filesystem::exists(checkout / "objects");
  if (is_bare)
    throw UserError(
        exit_missing_file,
        fmt::format("{}: is a bare repository, without files (git worktree add takes {} out of it)",
                    checkout.string(), upstream.commit));
  throw UserError(exit_missing_file,
                  fmt::format("{}: is no checkout of {}, nor of what lies below it: none of "
                              "the files is there",
                              checkout.string(), upstream.repository));
}

void tell_unseen(const Card& card, bool is_library_here, const path& checkout) {
  const Upstream& upstream = *card.upstream;
  if (!is_library_here)
    fmt::print("unseen  {}: the library itself is not in this directory\n", upstream.repository);
  for (const Below& each : upstream.below)
    if (!has_any(checkout, each.excerpts))
      fmt::print("unseen  {} at {}: give its checkout, too\n", each.repository, each.commit);
  if (is_library_here && upstream.files.empty())
    fmt::print("unseen  the other lines of these files, and so defaults\n");
  fmt::print("unseen  other files of the library, and what its package requires\n");
  if (!card.driver.empty()) fmt::print("unseen  the driver: {}\n", card.driver);
  else if (upstream.below.empty())
    fmt::print("unseen  the driver; here it sends a request again {}\n",
               card.driver_retries == 0 ? "never" : fmt::format("at most {} times", card.driver_retries));
}

std::size_t examine(const path& checkout, const std::string& id) {
  const Card* const card = algorithms::find(id);
  if (card == nullptr || !card->upstream)
    throw UserError(exit_usage, fmt::format("--upstream: \"{}\" is no lock of a library (holdfast list "
                                            "algorithms)",
                                            id));
  const Upstream& upstream = *card->upstream;
  const bool is_library_here = has_any(checkout, upstream.excerpts);
  const bool is_below_here = std::any_of(upstream.below.begin(), upstream.below.end(),
                                         [&](const Below& each) { return has_any(checkout, each.excerpts); });
  if (!is_library_here && !is_below_here) refuse(checkout, upstream);
  std::size_t changed = 0;
  if (is_library_here) {
    fmt::print("{} is {} at {}\n", id, upstream.repository, upstream.commit);
    changed += compare_lines(checkout, upstream.excerpts) + compare_files(checkout, upstream.files);
  }
  for (const Below& each : upstream.below)
    if (has_any(checkout, each.excerpts)) {
      fmt::print("below {} lies {} at {}\n", id, each.repository, each.commit);
      changed += compare_lines(checkout, each.excerpts);
    }
  tell_unseen(*card, is_library_here, checkout);
  return changed;
}

}  // namespace

std::size_t examine_upstreams(const path& checkout, const std::vector<std::string>& ids) {
  if (ids.empty())
    throw UserError(exit_usage,
                    "--upstream: name the locks that transcribe this "
                    "library");
  std::size_t changed = 0;
  for (const std::string& id : ids) changed += examine(checkout, id);
  return changed;
}

}  // namespace holdfast::cli
