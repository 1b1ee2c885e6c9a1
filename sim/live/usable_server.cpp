#include "sim/live/usable_server.hpp"

#include <fmt/format.h>

#include <chrono>
#include <random>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "sim/live/blocking_client.hpp"
#include "sim/live/loop.hpp"

namespace holdfast::live {
namespace {

// Redis answers these when it cannot be written to (redis.conf: replica-read-only, maxmemory,
// min-replicas-to-write, stop-writes-on-bgsave-error).
std::string meaning_of(const std::string& error) {
  const auto says = [&](std::string_view code) { return error.starts_with(code); };
  if (says("READONLY")) return "is a read-only replica";
  if (says("OOM")) return "has no memory left";
  if (says("NOAUTH")) return "wants a password: redis://user:password@host:port";
  if (says("WRONGPASS")) return "refuses this password";
  if (says("NOPERM")) return "does not permit what is needed";
  if (says("LOADING")) return "is still loading its data";
  if (says("MASTERDOWN")) return "has lost its master";
  return "refuses";
}

std::string version_in(std::string_view info) {
  constexpr std::string_view field = "redis_version:";
  const std::size_t at = info.find(field);
  if (at == info.npos) return "of unknown version";
  const std::string_view rest = info.substr(at + field.size());
  return std::string(rest.substr(0, rest.find_first_of("\r\n")));
}

}  // namespace

std::string require_usable(const Address& address, const std::string& key_prefix) {
  const auto ask = [&](BlockingClient& client, const std::vector<std::string>& argv) {
    const Reply reply = client.send(argv);
    if (reply.is_lost())
      throw NoServer(fmt::format("no Redis server at {}: {}", to_text(address), client.trouble()));
    if (reply.is_error())
      throw NoServer(fmt::format("the Redis server at {} {} ({})", to_text(address), meaning_of(reply.text()),
                                 reply.text()));
    return reply;
  };
  try {
    BlockingClient client(address);
    if (ask(client, {"PING"}) != Reply::status("PONG"))
      throw NoServer(fmt::format("what listens at {} is no Redis server", to_text(address)));
    const std::string probe = key_prefix + "probe";
    ask(client, {"SET", probe, "1", "PX", "10000"});
    ask(client, {"DEL", probe});
    return version_in(ask(client, {"INFO", "server"}).text());
  } catch (const NoServer&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw NoServer(error.what());
  }
}

std::optional<std::size_t> delete_keys(const Address& address, const std::string& prefix) {
  // A server that was just killed may come back.
  constexpr int attempts = 20;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    try {
      BlockingClient client(address);
      std::size_t deleted = 0;
      std::string cursor = "0";
      do {
        const Reply page = client.send({"SCAN", cursor, "MATCH", "*" + prefix + "*", "COUNT", "1000"});
        if (page.elements().size() != 2) throw std::runtime_error("no answer");
        cursor = page.elements()[0].text();
        std::vector<std::string> command{"DEL"};
        for (const Reply& key : page.elements()[1].elements()) command.push_back(key.text());
        if (command.size() == 1) continue;
        const Reply gone = client.send(command);
        if (gone.is_lost() || gone.is_error()) throw std::runtime_error("no answer");
        deleted += static_cast<std::size_t>(gone.number());
      } while (cursor != "0");
      return deleted;
    } catch (const std::runtime_error&) {
      continue;
    }
  }
  return std::nullopt;
}

std::string unique_text() {
  std::random_device device;
  const std::uint64_t high = device();
  const std::uint64_t low = device();
  return fmt::format("{:016x}", high << 32 ^ low);
}

std::string fresh_key_prefix() { return "holdfast:" + unique_text() + ":"; }

ServerForRun::ServerForRun(Address address, std::unique_ptr<RedisProcess> process, std::string key_prefix,
                           std::unique_ptr<NginxProcess> nginx, std::unique_ptr<StoreProcess> store,
                           std::unique_ptr<Interpreter> interpreter)
    : address_(std::move(address)),
      process_(std::move(process)),
      nginx_(std::move(nginx)),
      store_(std::move(store)),
      interpreter_(std::move(interpreter)),
      key_prefix_(std::move(key_prefix)),
      version_(nginx_   ? nginx_->version()
               : store_ ? version_in(BlockingClient(address_).send({"INFO"}).text())
                        : require_usable(address_, key_prefix_)) {}

ServerForRun ServerForRun::existing(const Address& address, std::string key_prefix) {
  ServerForRun server(address, nullptr, std::move(key_prefix));
  server.guard_ = std::make_unique<KeyGuard>(server.address_, server.key_prefix_);
  return server;
}

ServerForRun ServerForRun::private_one(std::string key_prefix) {
  std::unique_ptr<RedisProcess> process;
  try {
    process = RedisProcess::start();
  } catch (const std::runtime_error& error) {
    throw NoServer(error.what());
  }
  if (!process)
    throw NoServer(
        "no redis-server on this machine: install redis-tools (or redis-server), or name one with "
        "--redis");
  Address address = at_socket(process->socket_path());
  return ServerForRun(std::move(address), std::move(process), std::move(key_prefix));
}

ServerForRun ServerForRun::private_dictionary(std::string key_prefix) {
  if (const std::string missing = NginxProcess::missing(); !missing.empty()) throw NoServer(missing);
  try {
    std::unique_ptr<NginxProcess> nginx = NginxProcess::start();
    Address address = nginx->address();
    return ServerForRun(std::move(address), nullptr, std::move(key_prefix), std::move(nginx));
  } catch (const std::runtime_error& error) {
    throw NoServer(error.what());
  }
}

ServerForRun ServerForRun::private_store(StoreKind kind, std::string key_prefix) {
  if (const std::string missing = StoreProcess::missing(kind); !missing.empty()) throw NoServer(missing);
  try {
    std::unique_ptr<StoreProcess> store = StoreProcess::start(kind);
    auto interpreter = std::make_unique<Interpreter>(kind, store->address());
    Address address = interpreter->address();
    return ServerForRun(std::move(address), nullptr, std::move(key_prefix), nullptr, std::move(store),
                        std::move(interpreter));
  } catch (const std::runtime_error& error) {
    throw NoServer(error.what());
  }
}

bool ServerForRun::restart() {
  if (process_) process_->restart();
  if (nginx_) nginx_->restart();
  if (store_) store_->restart();
  return process_ || nginx_ || store_;
}

bool ServerForRun::answers() const {
  if (nginx_) return true;
  // What is no Redis takes longer to begin.
  const int attempts_most = store_ ? 200 : 20;
  for (int attempt = 0; attempt < attempts_most; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    try {
      BlockingClient client(address_);
      // An interpreter answers of its own whether it lives, and asks the store for its version.
      if (!client.send({store_ ? "INFO" : "PING"}).is_lost()) return true;
    } catch (const std::runtime_error&) {
      continue;
    }
  }
  return false;
}

std::string ServerForRun::clean_up() {
  if (process_ || nginx_ || store_ || delete_keys(address_, key_prefix_)) return std::string();
  return fmt::format("the server at {} does not answer: keys that begin with {} may be left there",
                     to_text(address_), key_prefix_);
}

}  // namespace holdfast::live
