// A ZooKeeper as a server of the world. Its items are nodes; "queue:PARENT/", which every node in there is an
// element of; and sessions, by "session:ID".
#include <algorithm>
#include <chrono>

#include "sim/core/counts.hpp"
#include "sim/stores/kinds.hpp"
#include "sim/stores/zookeeper/tree.hpp"

namespace holdfast::stores {
namespace {

// What was answered is on the disks of a majority. Its clients send nothing again by themselves.
constexpr Traits traits_of_zookeeper{.is_remote = true,
                                     .persists = true,
                                     .is_durable = true,
                                     .replicates = false,
                                     .elects = true,
                                     .has_sessions = true,
                                     .repeats_requests = false,
                                     .reads_change_it = false,
                                     .is_steady = true,
                                     .only_orders = true};

class ZooKeeperServer final : public Server {
  using End = std::optional<MilliTicks>;
  using Node = std::pair<const std::string, zookeeper::Node>;

 public:
  const Traits& traits() const override { return traits_of_zookeeper; }
  std::unique_ptr<Server> clone() const override { return std::make_unique<ZooKeeperServer>(*this); }
  std::optional<Reply> execute(ConnectionId connection, const Command& request, WallTime now,
                               Effects& effects) override {
    return tree_.execute(connection, request, in_milliseconds(now), effects.changes, effects.pushes);
  }
  void put(const std::string& path, const std::string& value, WallTime) override {
    // Far above all sequences, which are counts, too, so that neither is ever taken for the other.
    constexpr std::int64_t above = counts_max / 2;
    if (path == counter_of_zookeeper) tree_.begin_at(std::stoll(value) + above);
    else tree_.put(path, value);
  }
  void pass(WallTime now, Effects& effects) override {
    tree_.pass(in_milliseconds(now), effects.way, effects.changes, effects.pushes);
  }
  std::uint32_t ways_to_pass(WallTime now) const override { return tree_.ways_to_pass(in_milliseconds(now)); }
  Ends next() const override { return {tree_.next_end(), tree_.next_told_end()}; }

  // Which of two nodes is the older decides, and not by how much.
  void visit(const Visitor& visitor) const override {
    for (const auto& [path, node] : tree_.nodes()) {
      const std::string ever = node.ever == 0 ? "" : " ever " + std::to_string(node.ever);
      visitor(path, node.data + ' ' + node.owner + rank(node.created) + ever, End(), false);
    }
    for (const auto& [id, session] : tree_.sessions()) {
      // Of several that end at once, the one that began first does so first; the end of each may come later.
      const auto is_before = [&](const auto& each) {
        return each.second.number < session.number && tree_.may_end_together(each.second, session);
      };
      const auto older = std::count_if(tree_.sessions().begin(), tree_.sessions().end(), is_before);
      visitor(
          zookeeper::item_of_session(id),
          milliseconds(session.timeout) + ' ' + std::to_string(older) + " late " + milliseconds(session.late),
          last_before(session.ends()), false);
    }
    if (counts()) visitor("zxid", std::to_string(tree_.zxid()), End(), false);
  }
  std::uint64_t digest_of_counts() const override {
    if (counts()) return 0;
    std::vector<std::int64_t> all;
    for (const auto& [path, node] : tree_.nodes()) all.push_back(node.created);
    std::sort(all.begin(), all.end());
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    std::uint64_t digest = static_cast<std::uint64_t>(tree_.zxid());
    for (const std::int64_t each : all)
      digest = (digest ^ digest >> 29) * odd + static_cast<std::uint64_t>(each);
    return digest;
  }

  void list(std::string_view key, Lister& lister) const override {
    for (const auto& [path, node] : tree_.nodes()) {
      if (path == key && !node.data.empty()) lister.text(node.data);
      // An ephemeral one by its session, which has one in a queue: names of two sessions may be alike.
      const std::string& name = node.owner.empty() ? path : node.owner;
      if (zookeeper::queue_of(path) == key) lister.element(name);
    }
  }
  bool has(std::string_view key) const override { return first_of(key) != nullptr; }
  // Of a queue, the first in it.
  std::optional<std::string> value_of(std::string_view key) const override {
    const Node* const first = first_of(key);
    if (first == nullptr) return std::nullopt;
    return first->first == key ? first->second.data : first->first;
  }
  // The first instant at which its session may be gone.
  std::optional<WallTime> expiry_of(std::string_view key) const override {
    const Node* const first = first_of(key);
    if (first == nullptr) return std::nullopt;
    const auto session = tree_.sessions().find(first->second.owner);
    return session == tree_.sessions().end() ? std::nullopt : std::optional(session->second.due);
  }
  bool is_empty() const override { return tree_.nodes().empty() && tree_.sessions().empty(); }

  void restart(bool, WallTime now) override { take_over(now); }
  void take_over(WallTime now) override {
    tree_.end_all_connections();
    tree_.begin_sessions_anew(in_milliseconds(now));
  }
  std::uint32_t ways_to_evict() const override { return 0; }
  std::string evict(std::uint32_t, WallTime, Effects&) override { return {}; }

  bool end(ConnectionId connection, WallTime, Effects&) override {
    tree_.end(connection);
    return true;
  }
  void end_all_sessions() override { tree_.end_all_connections(); }
  std::vector<Session> endable() const override {
    std::vector<Session> all;
    for (const auto& [id, session] : tree_.sessions()) all.push_back({{}, id});
    return all;
  }
  void end_session(const Session& session, WallTime, Effects& effects) override {
    tree_.end_session(session.name, effects.changes, effects.pushes);
  }
  void visit_sessions(const SessionVisitor& visitor) const override {
    for (const zookeeper::Watch& each : tree_.watches()) {
      const bool is_of_children = each.on == zookeeper::Watch::On::children;
      visitor(each.connection, (is_of_children ? "children " : "node ") + each.path + ' ' + each.session,
              std::nullopt, std::nullopt, false);
    }
  }
  Told told() const override {
    return {.not_simulated = {tree_.not_simulated()}, .counts = tree_.has_told_counts() && !counts()};
  }

 private:
  // Zxids and sequences are counts, of which states say how far they are apart.
  bool counts() const { return is_count(static_cast<std::uint64_t>(tree_.zxid())); }
  static WallTime in_milliseconds(WallTime now) {
    return WallTime(whole_milliseconds(now.time_since_epoch()));
  }
  static std::string milliseconds(Duration time) {
    return std::to_string(std::chrono::floor<std::chrono::milliseconds>(time).count());
  }
  std::string rank(std::int64_t created) const {
    if (counts()) return ' ' + std::to_string(created);
    const auto is_older = [&](const Node& each) { return each.second.created < created; };
    return ' ' + std::to_string(std::count_if(tree_.nodes().begin(), tree_.nodes().end(), is_older));
  }
  const Node* first_of(std::string_view item) const {
    const Node* first = nullptr;
    for (const Node& each : tree_.nodes()) {
      if (each.first == item && !each.second.data.empty()) return &each;
      if (zookeeper::queue_of(each.first) != item) continue;
      if (first == nullptr || each.second.created < first->second.created) first = &each;
    }
    return first;
  }
  zookeeper::Tree tree_;
};

}  // namespace

std::unique_ptr<Server> Kinds::make_zookeeper() { return std::make_unique<ZooKeeperServer>(); }

}  // namespace holdfast::stores
