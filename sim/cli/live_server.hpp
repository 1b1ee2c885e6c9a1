// The real servers of a command, as its options ask for them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sim/cli/options.hpp"
#include "sim/core/lock.hpp"
#include "sim/live/usable_server.hpp"
#include "sim/live/workload.hpp"

namespace holdfast::cli {

// On how many servers the lock is taken.
std::size_t servers_of(const Card& card, const Params& params);

class Servers;
// Why a lock is not run, for want of a server that it could run on; empty: there is one.
std::string lacks_server(const Card& card, const Servers& redis, bool in_processes);
// Throws UserError when one of them cannot be done to the servers of this lock.
void require_able_faults(FaultSet faults, const Card& card);

// Why a private server of this kind cannot be started on this machine; empty: it can, or it is a Redis, of
// which that is found when it is first needed.
std::string missing_for(StoreKind kind);

// Raises the limit on open files (ulimit -n) to `count`, so far as this process may. Throws UserError.
void require_descriptors(std::size_t count);

// Private servers, or those of --redis, which lose the keys of this command at its end.
class Servers {
 public:
  // Of this kind. REQUIRES: no urls, if it is not Redis.
  explicit Servers(const std::vector<std::string>& urls, StoreKind kind = StoreKind::redis);
  // Tells on stderr what could not be deleted.
  ~Servers();
  Servers(const Servers&) = delete;

  bool are_private() const { return urls_.empty(); }
  // How many there are, if they are not private; as many as are asked for otherwise.
  bool are_enough_for(std::size_t count) const { return are_private() || count <= urls_.size(); }
  // The first of them, which are started, or asked whether they can be used, when they are first needed.
  // Throws UserError with exit code 69. REQUIRES: are_enough_for(count).
  std::span<live::ServerForRun> first(std::size_t count);
  std::vector<live::Node> first_nodes(std::size_t count);

 private:
  const std::vector<std::string> urls_;
  const StoreKind kind_;
  const std::string key_prefix_;
  std::vector<live::ServerForRun> servers_;
};

}  // namespace holdfast::cli
