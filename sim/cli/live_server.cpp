#include "sim/cli/live_server.hpp"
#include "sim/cli/told.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

namespace holdfast::cli {

std::size_t servers_of(const Card& card, const Params& params) {
  return card.needs_several_servers() ? static_cast<std::size_t>(params.count("nodes")) : 1;
}

void require_descriptors(std::size_t count) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count) return;
  if (limit.rlim_max < count)
    throw UserError(exit_usage, fmt::format("these connections take {} open files, and this process may have "
                                            "{} (ulimit -n): fewer --connections",
                                            count, limit.rlim_max));
  limit.rlim_cur = count;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::string missing_for(StoreKind kind) {
  if (kind == StoreKind::redis) return std::string();
  return kind == StoreKind::shared_dict ? live::NginxProcess::missing() : live::StoreProcess::missing(kind);
}

std::string lacks_server(const Card& card, const Servers& redis, bool in_processes) {
  if (card.store == StoreKind::redis) return std::string();
  if (!redis.are_private()) return "it runs only on a private server";
  if (card.store == StoreKind::shared_dict && in_processes) return "it runs only with clients of one process";
  return missing_for(card.store);
}

void require_able_faults(FaultSet faults, const Card& card) {
  FaultSet impossible = faults;
  if (card.store != StoreKind::shared_dict) impossible = faults & live::server_faults;
  impossible.erase(live::server_faults_on(card.store));
  for (std::size_t i = 0; i < fault_count; ++i)
    if (impossible.contains(static_cast<Fault>(i)))
      throw UserError(exit_usage, fmt::format("--faults: {} is not done to the {} of {}", fault_ids[i],
                                              id_of(card.store), card.id));
}

Servers::Servers(const std::vector<std::string>& urls, StoreKind kind)
    : urls_(urls), kind_(kind), key_prefix_(live::fresh_key_prefix()) {}

Servers::~Servers() {
  for (live::ServerForRun& server : servers_) {
    const std::string complaint = server.clean_up();
    if (!complaint.empty()) tell("holdfast: {}\n", complaint);
  }
}

std::span<live::ServerForRun> Servers::first(std::size_t count) {
  while (servers_.size() < count) {
    try {
      if (kind_ == StoreKind::shared_dict)
        servers_.push_back(live::ServerForRun::private_dictionary(key_prefix_));
      else if (kind_ != StoreKind::redis)
        servers_.push_back(live::ServerForRun::private_store(kind_, key_prefix_));
      else
        servers_.push_back(are_private() ? live::ServerForRun::private_one(key_prefix_)
                                         : live::ServerForRun::existing(
                                               live::parse_address(urls_.at(servers_.size())), key_prefix_));
    } catch (const live::NoServer& error) {
      throw UserError(exit_no_redis, error.what());
    }
  }
  return std::span(servers_).first(count);
}

std::vector<live::Node> Servers::first_nodes(std::size_t count) {
  std::vector<live::Node> nodes;
  for (const live::ServerForRun& server : first(count))
    nodes.emplace_back(server.address(), server.process(), server.store());
  return nodes;
}

}  // namespace holdfast::cli
