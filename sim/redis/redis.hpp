// A Redis 7.0.15 server as a value: a command and a time go in, a reply comes out. It knows no clients and no
// network.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/reply.hpp"
#include "sim/core/units.hpp"
#include "sim/redis/command.hpp"
#include "sim/redis/keyspace.hpp"

namespace holdfast::redis {

class Scripts;  // scripts.hpp: the Lua engine. Keeps nothing between calls that a script could see.

class Redis {
 public:
  // `scripts` must outlive this; several servers on one thread may share it.
  explicit Redis(Scripts& scripts);

  // Carries out one command at the server's own wall time `now` (never earlier than the last one given,
  // unless the server's clock was set back). Appends what it changed, in order, to `changes`. Keys that are
  // dead at `now` are first removed and reported as expired.
  Reply execute(const std::vector<std::string>& argv, WallTime now, std::vector<Change>& changes);

  // Removes the keys that are dead at `now`: those with expiry < now (Redis keeps a key while now <= set +
  // ttl).
  void expire_due(WallTime now, std::vector<Change>& changes);
  // The last instant at which the key that dies first is alive.
  std::optional<WallTime> next_expiry() const;

  bool is_empty() const;
  // Forgets all data and all cached scripts, as a server without persistence does.
  void restart();

  // For digests and reports. In key order: visit(key, value, last instant alive or nullopt). `value` is a
  // canonical text that is equal exactly for equal values of equal type; for a string it is the string
  // itself.
  using Visitor =
      std::function<void(std::string_view key, std::string_view value, std::optional<WallTime> expires_at)>;
  void visit(const Visitor& visitor) const;
  // nullopt when the key does not exist.
  std::optional<std::string> value_of(std::string_view key) const;
  std::optional<WallTime> expiry_of(std::string_view key) const;
  // What EVALSHA finds: the SHA-1 of each script, sorted. Part of the state of a server, so of its digest
  // too.
  std::vector<std::string> loaded_scripts() const;
  // The same for digests: equal for equal sets, cheap.
  std::uint64_t loaded_scripts_digest() const;
  // TIME, EXPIRETIME or PEXPIRETIME was answered, to a client or to a script: somebody may know the absolute
  // time.
  bool has_told_time() const { return server_.has_told_time; }

 private:
  Server server_;
};

}  // namespace holdfast::redis
