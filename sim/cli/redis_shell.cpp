#include "sim/cli/redis_shell.hpp"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"
#include "sim/stores/redis/words.hpp"

namespace holdfast::cli {
namespace {

using Argv = std::vector<std::string>;

// 2024-01-01 00:00:00 UTC: when the clock begins.
constexpr WallTime first_instant(std::chrono::seconds(1'704'067'200));

constexpr const char* help_text =
    "The commands of the simulated Redis, and\n"
    "  ADVANCE 100ms    moves its clock; units are us, ms, s, m\n"
    "  3 INCR key       carries out a command three times\n"
    "  ON 2 BLPOP key 0 carries out a command on another connection\n"
    "  QUIT             ends the shell\n";

bool is_word(const std::string& word, const char* wanted) { return ::strcasecmp(word.c_str(), wanted) == 0; }

// Without a line end. An error ends its own line.
std::string raw(const Reply& reply) {
  switch (reply.kind()) {
    case Reply::Kind::integer: return std::to_string(reply.number());
    case Reply::Kind::error: return reply.text() + "\n";
    case Reply::Kind::array: break;
    default: return reply.text();
  }
  std::string shown;
  for (const Reply& element : reply.elements())
    shown += (&element == reply.elements().data() ? "" : "\n") + raw(element);
  return shown;
}

// With a line end. `indent` stands before every line but the first.
std::string formatted(const Reply& reply, const std::string& indent) {
  switch (reply.kind()) {
    case Reply::Kind::nil: return "(nil)\n";
    case Reply::Kind::status: return reply.text() + "\n";
    case Reply::Kind::integer: return "(integer) " + std::to_string(reply.number()) + "\n";
    case Reply::Kind::bulk: return redis::in_quotes(reply.text()) + "\n";
    case Reply::Kind::error: return "(error) " + reply.text() + "\n";
    case Reply::Kind::lost:
    case Reply::Kind::array: break;
  }
  if (reply.elements().empty()) return "(empty array)\n";
  const std::size_t width = std::to_string(reply.elements().size()).size();
  std::string shown;
  std::size_t number = 0;
  for (const Reply& element : reply.elements()) {
    const std::string label = std::to_string(++number);
    if (number > 1) shown += indent;
    shown.append(width - label.size(), ' ').append(label).append(") ");
    shown += formatted(element, indent + std::string(width + 2, ' '));
  }
  return shown;
}

class Shell {
 public:
  Shell(std::ostream& out, bool interactive) : out_(out), interactive_(interactive), redis_(scripts_) {}

  // False when the line ends the shell.
  bool take(const std::string& line) {
    std::optional<Argv> argv = redis::split_words(line);
    if (!argv) {
      out_ << "Invalid argument(s)\n";
      return true;
    }
    if (argv->empty()) return true;
    if (is_word(argv->front(), "quit") || is_word(argv->front(), "exit")) return false;
    const std::optional<long> times = take_repeat(*argv);
    if (!times) out_ << "Invalid redis-cli repeat command option value.\n";
    for (long i = 0; times && i < *times && out_; ++i) run(*argv);
    return true;
  }
  void prompt() {
    if (interactive_) out_ << "redis> " << std::flush;
  }

 private:
  // "3 INCR a": takes the number off. nullopt when it is not a possible one.
  static std::optional<long> take_repeat(Argv& argv) {
    char* end = nullptr;
    errno = 0;
    const long times = std::strtol(argv[0].c_str(), &end, 10);
    if (argv.size() == 1 || *end != '\0') return 1;
    if (errno != 0 || times <= 0) return std::nullopt;
    argv.erase(argv.begin());
    return times;
  }

  void run(const Argv& argv) {
    if (is_word(argv[0], "help") || argv[0] == "?") {
      out_ << help_text;
      return;
    }
    if (is_word(argv[0], "advance")) print(advance(argv));
    else if (is_word(argv[0], "on")) run_elsewhere(argv);
    else run_here(argv);
    print_pushes();
  }

  // As in redis-cli, nothing else happens until the answer is there. The clock goes on meanwhile.
  void run_here(const Argv& argv) {
    const WallTime began = now_;
    std::optional<Reply> reply = execute(here, argv);
    while (!reply) {
      const std::optional<WallTime> end = redis_.next_wait_end();
      if (!end || *end == WallTime::max()) {
        redis_.disconnect(here);
        print(Reply::error("ERR this would wait for ever; use ON to act on another connection meanwhile"));
        return;
      }
      now_ = *end + 1us;
      redis_.end_waits_due(now_, pushes_);
      const auto answer = std::find_if(pushes_.begin(), pushes_.end(),
                                       [](const Push& push) { return push.connection == here; });
      if (answer == pushes_.end()) continue;
      reply = std::move(answer->message);
      pushes_.erase(answer);
    }
    print(*reply);
    if (interactive_ && now_ - began >= 500ms)
      out_ << fmt::format("({:.2f}s)\n", std::chrono::duration<double>(now_ - began).count());
  }

  void run_elsewhere(const Argv& argv) {
    std::uint32_t number = 0;
    const char* end = argv.size() < 3 ? nullptr : argv[1].data() + argv[1].size();
    if (end == nullptr || std::from_chars(argv[1].data(), end, number).ptr != end || number == 0) {
      print(Reply::error("ERR ON takes the number of a connection and a command, such as ON 2 GET key"));
      return;
    }
    const ConnectionId connection{number};
    if (redis_.is_waiting(connection)) {
      print(Reply::error("ERR connection " + argv[1] + " waits for an answer"));
      return;
    }
    const std::optional<Reply> reply = execute(connection, Argv(argv.begin() + 2, argv.end()));
    print(reply ? *reply : Reply::status("(waiting)"));
  }

  // What the same connection gets beside the answer comes first.
  std::optional<Reply> execute(ConnectionId connection, const Argv& argv) {
    changes_.clear();
    std::optional<Reply> reply = redis_.execute(connection, argv, now_, changes_, pushes_);
    for (const Push& push : pushes_)
      if (push.connection == connection) print(push.message);
    std::erase_if(pushes_, [&](const Push& push) { return push.connection == connection; });
    return reply;
  }

  void print(const Reply& reply) {
    out_ << (interactive_ ? formatted(reply, std::string()) : raw(reply) + "\n");
  }

  void print_pushes() {
    for (const Push& push : std::exchange(pushes_, {})) {
      if (push.connection != here) out_ << "connection " << push.connection.value << " receives\n";
      print(push.message);
    }
  }

  Reply advance(const Argv& argv) {
    const std::optional<Duration> duration = argv.size() == 2 ? parse_duration(argv[1]) : std::nullopt;
    if (!duration) return Reply::error("ERR ADVANCE takes one duration, such as 250us, 100ms, 1.5s or 2m");
    if (WallTime::max() - now_ < *duration) return Reply::error("ERR the clock does not go that far");
    now_ += *duration;
    redis_.end_waits_due(now_, pushes_);
    return Reply::ok();
  }

  static constexpr ConnectionId here{0};

  std::ostream& out_;
  const bool interactive_;
  redis::Scripts scripts_;
  redis::Redis redis_;
  redis::Changes changes_;
  Pushes pushes_;
  WallTime now_ = first_instant;
};

}  // namespace

int redis_shell(std::istream& in, std::ostream& out, bool interactive) {
  Shell shell(out, interactive);
  shell.prompt();
  for (std::string line; out && std::getline(in, line);) {
    if (!shell.take(line)) break;
    out.flush();
    shell.prompt();
  }
  return 0;
}

}  // namespace holdfast::cli
