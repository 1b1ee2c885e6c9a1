#include "sim/live/played_servers.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <thread>

#include "sim/core/invariant.hpp"

namespace holdfast::live {
namespace {

// How long the server may take to do what it does at once.
constexpr int looks_most = 1000;
constexpr std::chrono::milliseconds between_looks(1);

}  // namespace

std::string shown(const Reply& reply) {
  switch (reply.kind()) {
    case Reply::Kind::nil: return "(nil)";
    case Reply::Kind::status: return reply.text();
    case Reply::Kind::integer: return fmt::format("(integer) {}", reply.number());
    case Reply::Kind::bulk: return fmt::format("\"{}\"", reply.text());
    case Reply::Kind::error: return fmt::format("(error) {}", reply.text());
    case Reply::Kind::lost: return "(nothing)";
    case Reply::Kind::array: break;
  }
  std::string list;
  for (const Reply& element : reply.elements()) list += (list.empty() ? "" : ", ") + shown(element);
  return "[" + list + "]";
}

std::string shown(const std::vector<std::string>& argv) { return fmt::format("{}", fmt::join(argv, " ")); }

PlayedServers::PlayedServers(std::span<ServerForRun> servers, const std::vector<NodeId>& followed)
    : servers_(servers) {
  for (const NodeId node : followed) {
    RedisProcess* const process = servers_[node.value].process();
    INVARIANT(process != nullptr, "only private servers are followed");
    replicas_[node] = std::make_unique<Replica>(*process);
  }
}

void PlayedServers::fill(const std::string& key, const std::string& value) {
  for (std::uint32_t node = 0; node < count(); ++node) control(NodeId{node}).send({"SET", key, value});
}

// --- connections ---

BlockingClient& PlayedServers::shared(ClientId client, NodeId node) {
  std::unique_ptr<BlockingClient>& found = shared_[{client, node}];
  if (!found) found = std::make_unique<BlockingClient>(servers_[node.value].address());
  return *found;
}

BlockingClient& PlayedServers::own(ClientId client, NodeId node, Line line) {
  OwnLine& found = own_[{client, line}];
  found.node = node;
  if (!found.client) found.client = std::make_unique<BlockingClient>(servers_[node.value].address());
  return *found.client;
}

void PlayedServers::expect(ClientId client, Line line) {
  if (line != 0) ++own_[{client, line}].coming;
}

void PlayedServers::note_arrival(ClientId client, Line line) {
  OwnLine& found = own_.at({client, line});
  if (--found.coming == 0 && found.is_hung_up) own_.erase({client, line});
}

void PlayedServers::hang_up(ClientId client, Line line) {
  const auto found = own_.find({client, line});
  if (found == own_.end()) return;
  found->second.is_hung_up = true;
  if (found->second.coming == 0) own_.erase(found);
}

Reply PlayedServers::execute(ClientId client, NodeId node, Line line, const std::vector<std::string>& argv) {
  if (line == 0) return shared(client, node).send(argv);
  Reply reply = own(client, node, line).send(argv);
  note_arrival(client, line);
  return reply;
}

void PlayedServers::begin_wait(ClientId client, NodeId node, Line line,
                               const std::vector<std::string>& argv) {
  BlockingClient& connection = own(client, node, line);
  const std::string id = std::to_string(connection.send({"CLIENT", "ID"}).number());
  connection.post(argv);
  // The server has it when it calls the connection blocked (CLIENT LIST, flag b).
  for (int look = 0;
       control(node).send({"CLIENT", "LIST", "ID", id}).text().find(" flags=b") == std::string::npos;
       ++look) {
    if (const std::optional<Reply> reply = connection.poll())
      throw Departed{fmt::format("{} is answered with {}, and does not wait", shown(argv), shown(*reply))};
    if (look == looks_most) throw Departed{fmt::format("{} does not wait", shown(argv))};
    std::this_thread::sleep_for(between_looks);
  }
  note_arrival(client, line);
}

Reply PlayedServers::end_wait(ClientId client, Line line) {
  const auto found = own_.find({client, line});
  for (int look = 0; found != own_.end() && look < looks_most; ++look) {
    if (std::optional<Reply> reply = found->second.client->poll()) return *std::move(reply);
    std::this_thread::sleep_for(between_looks);
  }
  return Reply::lost();
}

void PlayedServers::forget_connections(NodeId node) {
  std::erase_if(shared_, [&](const auto& entry) { return entry.first.second == node; });
  for (auto& [id, line] : own_)
    if (line.node == node) line.client.reset();
}

// --- what is done to servers ---

void PlayedServers::restart(NodeId node) {
  const bool is_private = servers_[node.value].restart();
  INVARIANT(is_private, "only private servers are restarted");
  forget_connections(node);
}

void PlayedServers::fail_over(NodeId node) {
  replicas_.at(node)->take_over();
  forget_connections(node);
}

// A limit of one byte makes the server drop every key that it may, as soon as the next command comes
// (redis.conf, maxmemory-policy allkeys-random). What is not to be dropped is put back.
void PlayedServers::evict(NodeId node, const std::string& key) {
  BlockingClient& server = control(node);
  std::vector<std::vector<std::string>> commands;
  const Reply keys = server.send({"KEYS", "*"});
  for (const Reply& other : keys.elements()) {
    if (other.text() == key) continue;
    const Reply content = server.send({"DUMP", other.text()});
    const Reply ttl = server.send({"PTTL", other.text()});
    if (content.kind() != Reply::Kind::bulk) continue;
    commands.push_back(
        {"RESTORE", other.text(), std::to_string(std::max<std::int64_t>(ttl.number(), 0)), content.text()});
  }
  commands.insert(commands.begin(), {{"CONFIG", "SET", "maxmemory-policy", "allkeys-random"},
                                     {"CONFIG", "SET", "maxmemory", "1"},
                                     {"PING"},
                                     {"CONFIG", "SET", "maxmemory", "0"}});
  server.send_all(commands);
  if (server.send({"EXISTS", key}) != Reply::integer(0))
    throw Departed{fmt::format("the server does not drop the key {}", key)};
}

// --- what they hold ---

void PlayedServers::require_key(const KeyChanged& what) {
  using Kind = KeyChanged::Kind;
  BlockingClient& server = control(what.node);
  const Reply ttl = server.send({"PTTL", what.key});
  const bool exists = !ttl.is(-2);
  if (what.kind == Kind::removed || what.kind == Kind::lost) {
    if (exists) throw Departed{fmt::format("the server still has the key {}", what.key)};
    return;
  }
  if (!exists) throw Departed{fmt::format("the server has no key {}", what.key)};
  if (what.kind != Kind::restored && ttl.is(-1) != (what.expires_at == never))
    throw Departed{
        fmt::format("the key {} {} on the server", what.key, ttl.is(-1) ? "never expires" : "expires")};
  const Reply value = server.send({"GET", what.key});
  if (value.kind() == Reply::Kind::bulk && value.text() != what.value)
    throw Departed{fmt::format("the key {} is {} on the server, and not {}", what.key, shown(value),
                               shown(Reply::bulk(what.value)))};
}

}  // namespace holdfast::live
