#include "sim/cli/redis_server.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "sim/cli/session.hpp"
#include "sim/serve/served_redis.hpp"
#include "sim/stores/redis/words.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

// Lines for people, or objects for programs; each is there at once.
void say(const RedisOptions& options, const std::string& text, const Json& object) {
  if (options.format == "json")
    std::cout << object.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
  else std::cout << text << '\n';
  std::cout.flush();
}

// A line. Of long words, such as scripts, it has the beginning.
std::string shown(serve::Words words) {
  constexpr std::size_t most = 60;
  for (std::string& word : words)
    if (word.size() > most) word = word.substr(0, most) + "...";
  return redis::join_words(words);
}

// Of a socket that no process listens at any more.
void remove_abandoned(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_socket(path, error)) return;
  if (!live::does_anybody_listen_at(path)) std::filesystem::remove(path, error);
}

}  // namespace

int serve_redis(const RedisOptions& options) {
  serve::Service service;
  service.address = live::parse_address(options.listen, 0);
  service.does_clock_stand = options.clock == "stands";
  service.seed = options.seed;
  for (const std::string& rule : options.rules) service.rules.push_back(serve::parse_rule(rule));
  const std::string path = service.address.socket_path;
  if (!path.empty()) remove_abandoned(path);
  live::Loop loop;
  const auto on_strike = [&](const serve::Rule& rule, const serve::Words& words) {
    const std::string text = serve::text_of(rule);
    say(options, fmt::format("{} strikes {}", text, shown(words)),
        {{"event", "struck"}, {"rule", text}, {"command", words}});
  };
  const auto server = [&] {
    try {
      return serve::ServedRedis(loop, std::move(service), on_strike);
    } catch (const std::system_error& error) {
      throw UserError(exit_no_redis, fmt::format("--listen {}: {}", options.listen, error.code().message()));
    }
  };
  {
    serve::ServedRedis served = server();
    const Session session;
    const std::string address = live::to_text(served.address());
    say(options, "listening at " + address, {{"event", "listening"}, {"address", address}});
    // A signal may come just before the loop waits.
    constexpr Duration patience = 100ms;
    while (!session.is_interrupted() && std::cout)
      loop.turn(std::min(served.do_what_is_due(), live::steady_now() + patience));
  }
  std::error_code error;
  if (!path.empty()) std::filesystem::remove(path, error);
  return exit_as_expected;
}

}  // namespace holdfast::cli
