// A Redis server as live runs need it: it accepts clients, answers and can be written to.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "sim/live/address.hpp"
#include "sim/live/interpreter.hpp"
#include "sim/live/key_guard.hpp"
#include "sim/live/nginx_process.hpp"
#include "sim/live/redis_process.hpp"
#include "sim/live/store_process.hpp"

namespace holdfast::live {

// No server that can be used. what() is one line for users.
class NoServer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The version of the server, once it has been shown that it can be used: `key_prefix` begins the key that is
// written and deleted. Throws NoServer.
std::string require_usable(const Address& address, const std::string& key_prefix);

// Deletes every key that begins with `prefix`. Returns how many there were; nullopt if the server does not
// answer. REQUIRES: the prefix has no letter with a meaning in globs.
std::optional<std::size_t> delete_keys(const Address& address, const std::string& prefix);

// A text that no other process ever gets.
std::string unique_text();
std::string fresh_key_prefix();

// A server for one run: an existing one, of which only keys under a prefix of its own are touched and deleted
// at the end, or a private one that ends with this object.
class ServerForRun {
 public:
  // `key_prefix` begins every key; no other program uses it. Throws NoServer.
  static ServerForRun existing(const Address& address, std::string key_prefix = fresh_key_prefix());
  static ServerForRun private_one(std::string key_prefix = fresh_key_prefix());
  // An nginx with a shared dictionary.
  static ServerForRun private_dictionary(std::string key_prefix = fresh_key_prefix());
  // A PostgreSQL, an etcd or a ZooKeeper, reached through an interpreter. REQUIRES: as Interpreter.
  static ServerForRun private_store(StoreKind kind, std::string key_prefix = fresh_key_prefix());
  ServerForRun(ServerForRun&&) = default;

  const Address& address() const { return address_; }
  const std::string& version() const { return version_; }
  const std::string& key_prefix() const { return key_prefix_; }
  // nullptr for an existing server, and for what is no Redis.
  RedisProcess* process() const { return process_.get(); }
  // nullptr for all but private_store().
  StoreProcess* store() const { return store_.get(); }
  // Kills the server and starts it anew: of Redis and a dictionary without the data. False: it is not ours.
  bool restart();
  // It still does, or does again within two seconds; what is no Redis, within twenty.
  bool answers() const;
  // Deletes the keys. Empty, or one line for users about what could not be done.
  std::string clean_up();

 private:
  ServerForRun(Address address, std::unique_ptr<RedisProcess> process, std::string key_prefix,
               std::unique_ptr<NginxProcess> nginx = nullptr, std::unique_ptr<StoreProcess> store = nullptr,
               std::unique_ptr<Interpreter> interpreter = nullptr);
  Address address_;
  std::unique_ptr<RedisProcess> process_;
  std::unique_ptr<NginxProcess> nginx_;
  std::unique_ptr<StoreProcess> store_;
  std::unique_ptr<Interpreter> interpreter_;  // of the store
  std::string key_prefix_;
  std::string version_;
  std::unique_ptr<KeyGuard> guard_;  // of an existing server
};

}  // namespace holdfast::live
