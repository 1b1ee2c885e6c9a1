#include "sim/stores/redis/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <sstream>

#include "sim/core/invariant.hpp"

namespace holdfast::redis {
namespace {

// As redis.conf has them: proto-max-bulk-len, and what no configuration changes.
constexpr std::size_t word_max = 512U << 20U;
constexpr std::size_t words_max = 1U << 20U;
constexpr std::size_t line_max = 64U << 10U;

// The number after this letter, up to the end of the line; `at` becomes the beginning of the next line.
// Empty: the line is not complete.
std::optional<std::size_t> take_number(std::string_view bytes, char letter, std::size_t most,
                                       std::size_t& at) {
  if (bytes[at] != letter) throw NoCommand();
  const std::size_t end = bytes.find("\r\n", at);
  if (end == bytes.npos && bytes.size() - at > line_max) throw NoCommand();
  if (end == bytes.npos) return std::nullopt;
  std::size_t number = 0;
  const auto [rest, error] = std::from_chars(bytes.data() + at + 1, bytes.data() + end, number);
  if (error != std::errc() || rest != bytes.data() + end || number > most) throw NoCommand();
  at = end + 2;
  return number;
}

constexpr std::string_view ok = "+OK\r\n";

std::string bulk(std::string_view text) { return fmt::format("${}\r\n{}\r\n", text.size(), text); }

std::string answer_to_hello(const std::vector<std::string>& command, int& version) {
  if (command.size() > 1 && command[1] != "2" && command[1] != "3")
    return "-NOPROTO unsupported protocol version\r\n";
  if (command.size() > 1) version = command[1] == "3" ? 3 : 2;
  return fmt::format("{}{}{}{}{}{}:{}\r\n{}:1\r\n{}{}{}{}{}*0\r\n", version == 3 ? "%7\r\n" : "*14\r\n",
                     bulk("server"), bulk("redis"), bulk("version"), bulk("7.0.15"), bulk("proto"), version,
                     bulk("id"), bulk("mode"), bulk("standalone"), bulk("role"), bulk("master"),
                     bulk("modules"));
}

std::optional<std::string> answer_to_client(const std::vector<std::string>& command) {
  const std::string what = command.size() > 1 ? upper(command[1]) : "";
  if (what == "SETNAME" || what == "NO-EVICT") return std::string(ok);
  if (what == "REPLY" && command.size() == 3 && upper(command[2]) == "ON") return std::string(ok);
  // Of Redis 7.2: drivers expect the error of older servers.
  if (what == "SETINFO") return fmt::format("-ERR unknown subcommand '{}'. Try CLIENT HELP.\r\n", command[1]);
  return std::nullopt;
}

// These sections of INFO. Where none is named, that others are missing is not noticed.
constexpr std::string_view information =
    "# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\narch_bits:64\r\n"
    "# Persistence\r\nloading:0\r\n"
    "# Replication\r\nrole:master\r\nconnected_slaves:0\r\n# Cluster\r\ncluster_enabled:0\r\n";

std::optional<std::string> answer_to_info(const std::vector<std::string>& command) {
  static constexpr std::array<std::string_view, 7> sections{
      "SERVER", "PERSISTENCE", "REPLICATION", "CLUSTER", "DEFAULT", "ALL", "EVERYTHING"};
  const bool are_there = std::all_of(command.begin() + 1, command.end(), [](const std::string& each) {
    return std::find(sections.begin(), sections.end(), upper(each)) != sections.end();
  });
  return are_there ? std::optional(bulk(information)) : std::nullopt;
}

}  // namespace

std::string upper(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return word;
}

std::optional<std::vector<std::string>> take_command(std::string_view& bytes) {
  if (bytes.empty()) return std::nullopt;
  std::vector<std::string> words;
  std::size_t at = 0;
  if (bytes[0] != '*') {
    const std::size_t end = bytes.find('\n');
    if (end == bytes.npos && bytes.size() > line_max) throw NoCommand();
    if (end == bytes.npos) return std::nullopt;
    std::istringstream line{std::string(bytes.substr(0, end))};
    for (std::string word; line >> word;) words.push_back(word);
    bytes.remove_prefix(end + 1);
    return words;
  }
  const std::optional<std::size_t> count = take_number(bytes, '*', words_max, at);
  if (!count) return std::nullopt;
  for (std::size_t i = 0; i < *count; ++i) {
    if (at >= bytes.size()) return std::nullopt;
    const std::optional<std::size_t> size = take_number(bytes, '$', word_max, at);
    if (!size || bytes.size() < at + *size + 2) return std::nullopt;
    words.emplace_back(bytes.substr(at, *size));
    at += *size + 2;
  }
  bytes.remove_prefix(at);
  return words;
}

std::string in_protocol(const Reply& reply, int version) {
  switch (reply.kind()) {
    case Reply::Kind::nil: return version == 3 ? "_\r\n" : "$-1\r\n";
    case Reply::Kind::status: return "+" + reply.text() + "\r\n";
    case Reply::Kind::integer: return fmt::format(":{}\r\n", reply.number());
    case Reply::Kind::bulk: return bulk(reply.text());
    case Reply::Kind::error: return "-" + reply.text() + "\r\n";
    case Reply::Kind::array: {
      std::string text = fmt::format("*{}\r\n", reply.elements().size());
      for (const Reply& element : reply.elements()) text += in_protocol(element, version);
      return text;
    }
    case Reply::Kind::lost: break;
  }
  INVARIANT(false, "what is lost is not sent");
  return {};
}

std::optional<std::string> answer_to_greeting(const std::vector<std::string>& command, int& version) {
  if (command.empty()) return std::string();
  const std::string name = upper(command[0]);
  if (name == "HELLO") return answer_to_hello(command, version);
  if (name == "CLIENT") return answer_to_client(command);
  if (name == "SELECT" || name == "AUTH" || name == "READONLY") return std::string(ok);
  // Of drivers that want to know all commands. Who asks for one would do what it does without it.
  if (name == "COMMAND" && (command.size() == 1 || upper(command[1]) == "DOCS")) return "*0\r\n";
  if (name == "INFO") return answer_to_info(command);
  return std::nullopt;
}

}  // namespace holdfast::redis
