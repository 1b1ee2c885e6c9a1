#include "sim/stores/redis/shebang.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sim/stores/redis/command.hpp"
#include "sim/stores/redis/words.hpp"

namespace holdfast::redis {
namespace {

constexpr std::string_view shebang = "#!";
constexpr std::string_view no_writes = "no-writes";
constexpr std::array<std::string_view, 5> known_flags{no_writes, "allow-oom", "allow-stale", "no-cluster",
                                                      "allow-cross-slot-keys"};

Reply read_flags(std::string_view flags, bool& is_read_only) {
  if (flags.empty()) return Reply::nil();
  while (true) {
    const std::size_t comma = flags.find(',');
    const std::string_view flag = flags.substr(0, comma);
    if (std::find(known_flags.begin(), known_flags.end(), flag) == known_flags.end())
      return error("Unexpected flag in script shebang: " + std::string(flag));
    is_read_only |= flag == no_writes;
    if (comma == std::string_view::npos) return Reply::nil();
    flags.remove_prefix(comma + 1);
  }
}

}  // namespace

Reply read_shebang(std::string_view body, Script& script) {
  constexpr std::string_view option = "flags=";
  if (!body.starts_with(shebang)) return Reply::nil();
  script.has_flags = true;
  const std::size_t end = body.find('\n');
  if (end == std::string_view::npos) return error("Invalid script shebang");
  const std::optional<std::vector<std::string>> words = split_words(body.substr(0, end));
  if (!words || words->empty()) return error("Invalid engine in script shebang");
  if (words->front() != "#!lua") return error("Unexpected engine in script shebang: " + words->front());
  for (std::size_t i = 1; i < words->size(); ++i) {
    const std::string& word = (*words)[i];
    if (!word.starts_with(option)) return error("Unknown lua shebang option: " + word);
    const Reply problem = read_flags(std::string_view(word).substr(option.size()), script.is_read_only);
    if (problem.is_error()) return problem;
  }
  return Reply::nil();
}

std::string_view without_shebang(std::string_view body) {
  return body.starts_with(shebang) ? body.substr(std::min(body.find('\n'), body.size())) : body;
}

}  // namespace holdfast::redis
