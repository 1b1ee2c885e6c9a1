// serve: the pages as a local web application, until it is told to end.
#include <fmt/format.h>

#include <iostream>
#include <stdexcept>

#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/told.hpp"
#include "sim/cli/web_api.hpp"
#include "sim/web/web_server.hpp"

namespace holdfast::cli {
namespace {

web::Listen listen_of(const ServeOptions& options) {
  if (options.listen.empty()) return {"127.0.0.1", options.port};
  try {
    return web::parse_listen(options.listen, ServeOptions().port);
  } catch (const std::invalid_argument& why) {
    throw UserError(exit_usage, fmt::format("--listen: {}", why.what()));
  }
}

}  // namespace

int serve(const ServeOptions& options) {
  const web::Listen at = listen_of(options);
  WebApi api({.threads = threads_of(options),
              .memory = options.memory.value_or(std::uint64_t{2} << 30),
              .longest = options.budget.value_or(10min)},
             language_of(options));
  const auto server = [&] {
    try {
      return std::make_unique<web::WebServer>(
          at, [&api](const web::Request& request) { return api.answer(request); });
    } catch (const web::CannotListen& why) {
      throw UserError(exit_no_redis, fmt::format("{} (another port: --port N, or 0 for any)", why.what()));
    }
  }();
  const Session session;
  std::cout << web::url_of(server->at()) << std::endl;
  if (!web::is_loopback(at))
    tell("holdfast: everybody who reaches {} can use this: explore, play and see what others explore\n",
         at.host);
  server->serve_until([&session] { return session.is_interrupted(); });
  return exit_as_expected;
}

}  // namespace holdfast::cli
