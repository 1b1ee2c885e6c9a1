// Results that this program has printed as JSON, read back.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace holdfast::cli {

// Keys keep the order of the file. Throws UserError with file, line and column.
nlohmann::ordered_json read_json(const std::string& file);

// A member of `object` that must be there and be text. `pointer` says where `object` is. Throws UserError.
std::string text_at(const std::string& file, const nlohmann::ordered_json& object, const std::string& pointer,
                    const char* key);

}  // namespace holdfast::cli
