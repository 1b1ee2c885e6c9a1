#include "sim/cli/annexes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/cli/json_file.hpp"
#include "sim/cli/options.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

// What `holdfast baseline compare NAME` found last.
reports::Annex changes_in(const std::string& file) {
  const Json json = read_json(file);
  require_schema(file, json, "holdfast/baseline-comparison/1", "what holdfast baseline compare found");
  reports::Annex annex{fmt::format("Since the baseline {}", text_at(file, json, "", "name"))};
  for (const Json& each : json.value("differences", Json::array()))
    annex.rows.push_back(
        {text_at(file, each, "/differences", "change"), text_at(file, each, "/differences", "text")});
  if (annex.rows.empty()) annex.text = "Nothing has changed.";
  else annex.header = {"change", "what"};
  return annex;
}

std::string text_of(const Json& value, std::string_view missing) {
  if (value.is_null()) return std::string(missing);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// What `holdfast envelope` found: sizes of one fault after the other, or of two at once.
reports::Annex envelope_in(const std::string& file) {
  const Json json = read_json(file);
  require_schema(file, json, "holdfast/envelope/1", "what holdfast envelope found");
  reports::Annex annex{fmt::format("How much of a fault {} takes", text_at(file, json, "", "algorithm"))};
  try {
    if (json.contains("map")) {
      const Json& map = json.at("map");
      const auto across = map.at("across").at("fault").get<std::string>();
      const auto down = map.at("down").at("fault").get<std::string>();
      annex.title += fmt::format(": {} and {} at once", across, down);
      annex.header = {"property", "least " + across + " that breaks it", "with " + down};
      for (const Json& each : map.at("properties")) {
        const Json least = each.value("least", Json::object());
        annex.rows.push_back({each.at("property"), text_of(least.value("across", Json()), "none"),
                              text_of(least.value("down", Json()), "none")});
      }
    } else {
      annex.header = {"fault", "property", "holds up to", "breaks from"};
      for (const Json& fault : json.at("faults"))
        for (const Json& each : fault.at("properties"))
          annex.rows.push_back({fault.at("scale").at("fault"), each.at("property"),
                                text_of(each.at("holds_up_to"), "never"),
                                text_of(each.at("breaks_from"), each.at("decided") ? "never" : "not known")});
    }
  } catch (const Json::exception&) {
    throw UserError(exit_bad_file, fmt::format("{}: is not what holdfast envelope writes", file));
  }
  return annex;
}

}  // namespace

std::vector<reports::Annex> annexes_in(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error))
    if (const std::string file = entry.path().string();
        file.ends_with(".changes.json") || file.ends_with(".envelope.json"))
      files.push_back(file);
  std::sort(files.begin(), files.end());
  std::vector<reports::Annex> annexes;
  for (const std::string& file : files)
    annexes.push_back(file.ends_with(".changes.json") ? changes_in(file) : envelope_in(file));
  return annexes;
}

}  // namespace holdfast::cli
