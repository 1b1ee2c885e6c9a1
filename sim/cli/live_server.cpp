#include "sim/cli/live_server.hpp"

#include <fmt/format.h>

namespace holdfast::cli {

live::ServerForRun server_for(const Options& options) {
  try {
    return options.live.redis.empty() ? live::ServerForRun::private_one()
                                      : live::ServerForRun::existing(live::parse_address(options.live.redis));
  } catch (const live::NoServer& error) {
    throw UserError(exit_no_redis, error.what());
  }
}

void clean_up(live::ServerForRun& server) {
  const std::string complaint = server.clean_up();
  if (!complaint.empty()) fmt::print(stderr, "holdfast: {}\n", complaint);
}

}  // namespace holdfast::cli
