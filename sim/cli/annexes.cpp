#include "sim/cli/annexes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "reports/html.hpp"
#include "reports/words.hpp"
#include "sim/cli/json_file.hpp"
#include "sim/cli/options.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;
using reports::Language;
using reports::say;
using reports::word;

// What `holdfast baseline compare NAME` found last.
reports::Annex changes_in(const std::string& file, Language language) {
  const Json json = read_json(file);
  require_schema(file, json, "holdfast/baseline-comparison/1", "what holdfast baseline compare found");
  reports::Annex annex{say(word("annex baseline", language), text_at(file, json, "", "name"))};
  for (const Json& each : json.value("differences", Json::array()))
    annex.rows.push_back(
        {text_at(file, each, "/differences", "change"), text_at(file, each, "/differences", "text")});
  if (annex.rows.empty()) annex.text = word("nothing has changed", language);
  else annex.header = {word("change", language), word("what", language)};
  return annex;
}

std::string text_or(const Json& value, const std::string& missing) {
  if (value.is_null()) return missing;
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// What `holdfast envelope` found: sizes of one fault after the other, or of two at once.
reports::Annex envelope_in(const std::string& file, Language language) {
  const Json json = read_json(file);
  require_schema(file, json, "holdfast/envelope/1", "what holdfast envelope found");
  reports::Annex annex{say(word("annex envelope", language), text_at(file, json, "", "algorithm"))};
  const std::string never = word("never", language);
  try {
    if (json.contains("map")) {
      const Json& map = json.at("map");
      const auto across = map.at("across").at("fault").get<std::string>();
      const auto down = map.at("down").at("fault").get<std::string>();
      annex.title += say(word("annex both", language), across, down);
      annex.header = {word("property", language), say(word("least that breaks", language), across),
                      say(word("together with", language), down)};
      for (const Json& each : map.at("properties")) {
        const Json least = each.value("least", Json::object());
        annex.rows.push_back({each.at("property"), text_or(least.value("across", Json()), never),
                              text_or(least.value("down", Json()), "")});
      }
    } else {
      for (const std::string_view column : {"fault", "property", "holds up to", "breaks from"})
        annex.header.push_back(word(column, language));
      for (const Json& fault : json.at("faults"))
        for (const Json& each : fault.at("properties"))
          annex.rows.push_back(
              {fault.at("scale").at("fault"), each.at("property"), text_or(each.at("holds_up_to"), never),
               text_or(each.at("breaks_from"), each.at("decided") ? never : word("not known", language))});
    }
  } catch (const Json::exception&) {
    throw UserError(exit_bad_file, fmt::format("{}: is not what holdfast envelope writes", file));
  }
  return annex;
}

std::vector<std::string> annex_files_in(const std::filesystem::path& directory) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error))
    if (const std::string file = entry.path().string();
        file.ends_with(".changes.json") || file.ends_with(".envelope.json"))
      files.push_back(file);
  return files;
}

}  // namespace

Annexes annexes_in(const std::string& directory, reports::Language language) {
  std::vector<std::string> files = annex_files_in(directory);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error))
    if (entry.is_directory(error))
      for (std::string& file : annex_files_in(entry.path())) files.push_back(std::move(file));
  std::sort(files.begin(), files.end());
  Annexes annexes;
  for (const std::string& file : files) {
    try {
      annexes.good.push_back(file.ends_with(".changes.json") ? changes_in(file, language)
                                                             : envelope_in(file, language));
    } catch (const UserError& why) {
      annexes.bad.push_back(why.what());
    }
  }
  return annexes;
}

}  // namespace holdfast::cli
