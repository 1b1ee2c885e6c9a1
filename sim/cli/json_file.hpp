// Results that this program has printed as JSON, read back.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace holdfast::cli {

// Throws UserError: `what` is wrong in `file` at `pointer`.
[[noreturn]] void refuse_json(const std::string& file, const std::string& what, const std::string& pointer);

// Keys keep the order of the file. Throws UserError with file, line and column.
nlohmann::ordered_json read_json(const std::string& file);

// The same of text that was read before. Lists and objects in each other: at most 64.
nlohmann::ordered_json parse_json(const std::string& text, const std::string& file);

// `json` must be of this format ("holdfast/matrix/1"); `what` says what the file should be. Throws UserError,
// and says so when the file is of a newer version of the format.
void require_schema(const std::string& file, const nlohmann::ordered_json& json, std::string_view schema,
                    std::string_view what);

// A member of `object` that must be there and be text. `pointer` says where `object` is. Throws UserError.
std::string text_at(const std::string& file, const nlohmann::ordered_json& object, const std::string& pointer,
                    const char* key);
// A text as it is, all else as JSON.
std::string plain(const nlohmann::ordered_json& value);

}  // namespace holdfast::cli
