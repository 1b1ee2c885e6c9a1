// Reads the names of clients and servers: the opposite of name_of().
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

#include "sim/trace/event.hpp"

namespace holdfast::reports {

template <class Number>
std::optional<Number> number_in(std::string_view digits, int base = 10) {
  Number number{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

inline std::optional<ClientId> client_called(std::string_view name) {
  std::optional<std::uint32_t> index;
  if (name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z') index = name[0] - 'A';
  else if (name.starts_with('C')) index = number_in<std::uint32_t>(name.substr(1));
  if (!index || name_of(ClientId{*index}) != name) return std::nullopt;
  return ClientId{*index};
}
// As any store calls one of its nodes.
inline std::optional<NodeId> node_called(std::string_view name) {
  for (std::size_t kind = 0; kind < node_words.size(); ++kind) {
    const std::string_view word = node_words[kind];
    const std::string_view before = word.substr(0, word.find('#'));
    if (before == name) return NodeId{0};
    if (before.size() == word.size() || !name.starts_with(before)) continue;
    const std::optional<std::uint32_t> number = number_in<std::uint32_t>(name.substr(before.size()));
    if (number && *number > 0 && name_of(NodeId{*number - 1}, static_cast<StoreKind>(kind)) == name)
      return NodeId{*number - 1};
  }
  return std::nullopt;
}
inline std::optional<Actor> actor_called(std::string_view name) {
  if (name == "time") return Actor{};
  if (const std::optional<ClientId> client = client_called(name)) return actor_of(*client);
  if (const std::optional<NodeId> node = node_called(name)) return actor_of(*node);
  return std::nullopt;
}

}  // namespace holdfast::reports
