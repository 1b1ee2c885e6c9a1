#include "sim/cli/json_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/session.hpp"

namespace holdfast::cli {

using Json = nlohmann::ordered_json;

// Deeper than anything that this program writes; printing what is nested takes stack.
constexpr int depth_max = 64;

// Throws. `place` counts bytes from zero.
[[noreturn]] static void refuse_at(std::size_t place, const std::string& text, const std::string& file,
                                   std::string_view problem) {
  const auto at = text.begin() + static_cast<std::ptrdiff_t>(place);
  const auto lines = std::count(text.begin(), at, '\n');
  const auto line_begin = std::find(std::make_reverse_iterator(at), text.rend(), '\n').base();
  throw UserError(exit_bad_file,
                  fmt::format("{}:{}:{}: error: {}", file, lines + 1, at - line_begin + 1, problem));
}

void refuse_json(const std::string& file, const std::string& what, const std::string& pointer) {
  throw UserError(exit_bad_file, fmt::format("{}: error: {}\n      at {}", file, what, pointer));
}

Json read_json(const std::string& file) { return parse_json(read_file(file), file); }

Json parse_json(const std::string& text, const std::string& file) {
  const auto keeps_flat = [&](int depth, Json::parse_event_t, const Json&) {
    if (depth > depth_max)
      throw UserError(exit_bad_file,
                      fmt::format("{}: error: the file is nested deeper than {} levels", file, depth_max));
    return true;
  };
  try {
    return Json::parse(text, keeps_flat);
  } catch (const Json::parse_error& error) {
    // error.byte counts from one, and is one more than there are when the text ends too early.
    refuse_at(std::min(error.byte, text.size() + 1) - (error.byte > 0), text, file, "not JSON");
  } catch (const Json::out_of_range& error) {
    // The parser says which number it was, and not where.
    std::string_view number = error.what();
    number.remove_prefix(std::min(number.find('\'') + 1, number.size()));
    number = number.substr(0, number.find('\''));
    refuse_at(std::min(text.find(number), text.size()), text, file, "this number is too large");
  }
}

void require_schema(const std::string& file, const Json& json, std::string_view schema,
                    std::string_view what) {
  const std::string own = json.is_object() && json.contains("schema") && json["schema"].is_string()
                              ? json["schema"].get<std::string>()
                              : "";
  if (own == schema) return;
  const std::string_view family = schema.substr(0, schema.rfind('/') + 1);
  const std::string newer = own.starts_with(family) ? own.substr(family.size()) : "";
  if (!newer.empty() && newer.find_first_not_of("0123456789") == std::string::npos)
    throw UserError(
        exit_bad_file,
        fmt::format("{}: error: is {}, but this holdfast reads {}: a newer one wrote it", file, own, schema));
  throw UserError(exit_bad_file, fmt::format("{}:1:1: error: not {}", file, what));
}

std::string text_at(const std::string& file, const Json& object, const std::string& pointer,
                    const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string())
    throw UserError(exit_bad_file,
                    fmt::format("{}: error: expected a text\n      at {}/{}", file, pointer, key));
  return *found;
}

std::string plain(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

}  // namespace holdfast::cli
