#include "sim/cli/json_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/session.hpp"

namespace holdfast::cli {

using Json = nlohmann::ordered_json;

Json read_json(const std::string& file) {
  const std::string text = read_file(file);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    // error.byte counts from one, and is one more than there are when the text ends too early.
    const auto place =
        text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size() + 1) - (error.byte > 0));
    const auto lines = std::count(text.begin(), place, '\n');
    const auto line_begin = std::find(std::make_reverse_iterator(place), text.rend(), '\n').base();
    throw UserError(exit_bad_file,
                    fmt::format("{}:{}:{}: error: not JSON", file, lines + 1, place - line_begin + 1));
  }
}

std::string text_at(const std::string& file, const Json& object, const std::string& pointer,
                    const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string())
    throw UserError(exit_bad_file,
                    fmt::format("{}: error: expected a text\n      at {}/{}", file, pointer, key));
  return *found;
}

}  // namespace holdfast::cli
