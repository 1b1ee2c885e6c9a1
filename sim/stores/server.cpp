#include "sim/stores/server.hpp"

#include "sim/core/invariant.hpp"

namespace holdfast::stores {

void Server::put(const std::string& key, const std::string& value, WallTime now) {
  Effects unheard;
  const std::optional<Reply> kept = execute({}, {"SET", key, value}, now, unheard);
  INVARIANT(kept && !kept->is_error(), "a server takes any text");
}

std::optional<std::string> Server::value_of(std::string_view key) const {
  std::optional<std::string> found;
  visit([&](std::string_view each, std::string_view value, auto, bool has_ended) {
    if (each == key && !has_ended) found = value;
  });
  return found;
}

std::optional<WallTime> Server::expiry_of(std::string_view key) const {
  std::optional<WallTime> found;
  visit([&](std::string_view each, std::string_view, std::optional<MilliTicks> end_ms, bool has_ended) {
    if (each == key && end_ms && !has_ended) found = last_instant_of(*end_ms);
  });
  return found;
}

void Server::list(std::string_view key, Lister& lister) const {
  if (const std::optional<std::string> value = value_of(key)) lister.text(*value);
}

bool Server::is_empty() const {
  bool is_any = false;
  visit([&](std::string_view, std::string_view, auto, bool has_ended) { is_any |= !has_ended; });
  return !is_any;
}

}  // namespace holdfast::stores
