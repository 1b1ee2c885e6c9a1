#include "sim/live/replica.hpp"

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "sim/live/blocking_client.hpp"

namespace holdfast::live {
namespace {

// The line of INFO replication that begins so; empty if there is none.
std::string line_of(const std::string& info, std::string_view name) {
  const std::size_t at = info.find("\n" + std::string(name) + ":");
  return at == info.npos ? std::string() : info.substr(at + 1, info.find('\r', at) - at - 1);
}

std::string value_of(const std::string& info, std::string_view name) {
  const std::string line = line_of(info, name);
  return line.empty() ? line : line.substr(name.size() + 1);
}

std::int64_t number_of(const std::string& info, std::string_view name) {
  const std::string value = value_of(info, name);
  return value.empty() ? -1 : std::stoll(value);
}

}  // namespace

Replica::Replica(RedisProcess& primary) : primary_(primary), process_(RedisProcess::start()) {
  follow();
  catch_up();
}

void Replica::follow() { require({"REPLICAOF", "127.0.0.1", std::to_string(primary_.open_port())}); }

void Replica::follow_anew() {
  process_->restart();
  follow();
}

// What the primary has written by now, the replica has applied (INFO replication: offsets in the stream).
void Replica::catch_up() {
  BlockingClient primary(primary_.socket_path());
  BlockingClient replica(process_->socket_path());
  const auto ask = [](BlockingClient& server) { return server.send({"INFO", "replication"}).text(); };
  const std::int64_t written = number_of(ask(primary), "master_repl_offset");
  constexpr int looks_most = 5000;
  for (int look = 0; look < looks_most; ++look) {
    const std::string has = ask(replica);
    if (value_of(has, "master_link_status") == "up" && number_of(has, "slave_repl_offset") >= written) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  throw std::runtime_error("a replica does not catch up with its server");
}

// Its data stay: only a primary that answers could replace them, and none listens at port 1.
void Replica::lose_sight() {
  catch_up();
  require({"REPLICAOF", "127.0.0.1", "1"});
}

void Replica::take_over() {
  primary_.end();
  require({"REPLICAOF", "NO", "ONE"});
  process_->take_place_of(primary_);
}

void Replica::require(const std::vector<std::string>& command) {
  const Reply reply = BlockingClient(process_->socket_path()).send(command);
  if (!reply.is_ok()) throw std::runtime_error(command.front() + " is answered with " + reply.text());
}

}  // namespace holdfast::live
