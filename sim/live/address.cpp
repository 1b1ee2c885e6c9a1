#include "sim/live/address.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <stdexcept>
#include <utility>

namespace holdfast::live {
namespace {

[[noreturn]] void complain(std::string_view url, std::string_view why) {
  throw std::invalid_argument(fmt::format(
      "\"{}\" {}; expected unix:/path/to/redis.sock or redis://[user:password@]host:port/database",
      url.substr(0, 200), why));
}

std::optional<std::uint32_t> number(std::string_view text, std::uint32_t most) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > most) return std::nullopt;
  return value;
}

// %XX means the byte XX (RFC 3986, section 2.1).
std::string decoded(std::string_view url, std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    unsigned value = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2)
      complain(url, "has a % that is not followed by two hexadecimal digits");
    plain += static_cast<char>(value);
    i += 2;
  }
  return plain;
}

std::uint32_t database(std::string_view url, std::string_view text) {
  constexpr std::uint32_t most = 1'000'000;
  const std::optional<std::uint32_t> value = number(text, most);
  if (!value) complain(url, "names a database that is not a number");
  return *value;
}

Address parse_unix(std::string_view url, std::string_view rest) {
  Address address;
  if (rest.starts_with("//")) rest.remove_prefix(2);
  if (const std::size_t question = rest.find('?'); question != rest.npos) {
    const std::string_view query = rest.substr(question + 1);
    if (!query.starts_with("db=")) complain(url, "may end with ?db=N only");
    address.database = database(url, query.substr(3));
    rest = rest.substr(0, question);
  }
  if (!rest.starts_with('/')) complain(url, "needs an absolute path");
  address.socket_path = rest;
  return address;
}

Address parse_tcp(std::string_view url, std::string_view rest, std::uint32_t least_port) {
  Address address;
  if (const std::size_t at = rest.rfind('@'); at != rest.npos) {
    const std::string_view who = rest.substr(0, at);
    const std::size_t colon = who.find(':');
    if (colon == who.npos) complain(url, "names a user without a password");
    address.user = decoded(url, who.substr(0, colon));
    address.password = decoded(url, who.substr(colon + 1));
    rest.remove_prefix(at + 1);
  }
  if (const std::size_t slash = rest.find('/'); slash != rest.npos) {
    if (slash + 1 < rest.size()) address.database = database(url, rest.substr(slash + 1));
    rest = rest.substr(0, slash);
  }
  const bool is_bracketed = rest.starts_with('[');  // an IPv6 address
  const std::size_t host_end = is_bracketed ? rest.find(']') : rest.find(':');
  if (is_bracketed && host_end == rest.npos) complain(url, "has a [ without a ]");
  const std::size_t colon = rest.find(':', is_bracketed ? host_end : 0);
  if (colon != rest.npos) {
    const std::optional<std::uint32_t> port = number(rest.substr(colon + 1), 65535);
    if (!port || *port < least_port)
      complain(url, fmt::format("has a port that is not a number from {} to 65535", least_port));
    address.port = static_cast<int>(*port);
  }
  address.host = is_bracketed ? rest.substr(1, host_end - 1) : rest.substr(0, colon);
  if (address.host.empty()) complain(url, "names no host");
  return address;
}

}  // namespace

std::vector<std::vector<std::string>> Address::greetings() const {
  std::vector<std::vector<std::string>> commands;
  if (!password.empty() || !user.empty()) {
    commands.push_back({"AUTH"});
    if (!user.empty()) commands.back().push_back(user);
    commands.back().push_back(password);
  }
  if (database != 0) commands.push_back({"SELECT", std::to_string(database)});
  return commands;
}

Address at_socket(std::string path) {
  Address address;
  address.socket_path = std::move(path);
  return address;
}

Address parse_address(std::string_view url, std::uint32_t least_port) {
  constexpr std::string_view unix_scheme = "unix:";
  constexpr std::string_view tcp_scheme = "redis://";
  if (url.starts_with(unix_scheme)) return parse_unix(url, url.substr(unix_scheme.size()));
  if (url.starts_with(tcp_scheme)) return parse_tcp(url, url.substr(tcp_scheme.size()), least_port);
  complain(url, "is no address of a Redis server");
}

std::string to_text(const Address& address) {
  if (!address.socket_path.empty()) return "unix:" + address.socket_path;
  const bool is_v6 = address.host.find(':') != std::string::npos;
  return fmt::format("redis://{}{}{}:{}", is_v6 ? "[" : "", address.host, is_v6 ? "]" : "", address.port);
}

}  // namespace holdfast::live
