#include "sim/stores/zookeeper/tree.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace holdfast::zookeeper {
namespace {

using Kind = Request::Kind;
using How = Change::Kind;
using On = Watch::On;

// ZooKeeper, KeeperException.Code.
Reply no_node() { return Reply::error("NoNode"); }
Reply session_expired() { return Reply::error("SessionExpired"); }

// server/PrepRequestProcessor: "%s%010d".
std::string numbered(const std::string& path, std::int64_t number) {
  constexpr std::size_t digits = 10;
  const std::string text = std::to_string(number);
  return path + std::string(digits - std::min(digits, text.size()), '0') + text;
}

}  // namespace

std::string item_of_session(std::string_view id) { return "session:" + std::string(id); }

std::string_view parent_of(std::string_view path) {
  const std::size_t end = path.rfind('/');
  return end == path.npos ? std::string_view() : path.substr(0, end);
}

std::string queue_of(std::string_view path) {
  const std::string_view parent = parent_of(path);
  return parent.empty() ? std::string() : "queue:" + std::string(parent) + "/";
}

void Tree::put(const std::string& path, const std::string& data) {
  std::int64_t ever = 0;
  const auto [end, error] = std::from_chars(data.data(), data.data() + data.size(), ever);
  const bool is_number = error == std::errc() && end == data.data() + data.size();
  nodes_[path] = {is_number ? std::string() : data, {}, ++zxid_, is_number ? ever : 0};
}

Reply Tree::execute(ConnectionId connection, const Command& words, WallTime now, Changes& changes,
                    Pushes& pushes) {
  Turn turn{now, changes, pushes};
  return run(connection, parse(words), turn);
}

Reply Tree::run(ConnectionId connection, const Request& request, Turn& turn) {
  if (request.kind == Kind::unknown) {
    not_simulated_ = "requests beyond those of sim/stores/zookeeper";
    return Reply::error("Unimplemented");
  }
  if (request.kind == Kind::connect) return connect(request, turn);
  const auto found = sessions_.find(request.session);
  if (found == sessions_.end())
    return request.kind == Kind::reconnect ? Reply::integer(0) : session_expired();
  if (request.kind != Kind::close) touch(request.session, turn);
  switch (request.kind) {
    case Kind::reconnect:
      return Reply::integer(std::chrono::floor<std::chrono::milliseconds>(found->second.timeout).count());
    case Kind::close: close(request.session, How::removed, turn); return Reply::ok();
    case Kind::create: return create(request, turn);
    case Kind::remove: return remove(request.path, turn);
    case Kind::exists: return exists(connection, request);
    case Kind::get: {
      const auto node = nodes_.find(request.path);
      if (node == nodes_.end()) return no_node();
      if (!leave(connection, request, On::node)) return Reply::error("Unimplemented");
      return Reply::bulk(node->second.data);
    }
    case Kind::children: return children(connection, request);
    default: return Reply::ok();
  }
}

// --- sessions ---

void Tree::begin(Session& session, WallTime now) {
  session.due = now + session.timeout;
  session.late = {};
  session.number = begun_++;
}

// One that the client has named before goes on: it has asked twice.
Reply Tree::connect(const Request& request, Turn& turn) {
  if (sessions_.contains(request.session)) {
    touch(request.session, turn);
  } else {
    ++zxid_;
    Session session{.timeout = std::clamp(Duration(std::chrono::milliseconds(request.milliseconds)),
                                          ticks_min * tick_, ticks_max * tick_)};
    begin(session, turn.now);
    sessions_[request.session] = session;
    turn.changes.push_back({item_of_session(request.session), How::created});
  }
  const Duration timeout = sessions_.find(request.session)->second.timeout;
  return Reply::integer(std::chrono::floor<std::chrono::milliseconds>(timeout).count());
}

void Tree::touch(const std::string& id, Turn& turn) {
  begin(sessions_.find(id)->second, turn.now);
  turn.changes.push_back({item_of_session(id), How::ttl_changed});
  for (const auto& [path, node] : nodes_)
    if (node.owner == id) note(path, How::ttl_changed, turn);
}

// All that is its own goes in one write.
void Tree::close(const std::string& id, Change::Kind how, Turn& turn) {
  ++zxid_;
  sessions_.erase(sessions_.find(id));
  turn.changes.push_back({item_of_session(id), how});
  std::vector<std::string> own;
  for (const auto& [path, node] : nodes_)
    if (node.owner == id) own.push_back(path);
  std::vector<Watch> of_it;
  for (const Watch& each : watches_)
    if (each.session == id) of_it.push_back(each);
  std::erase_if(watches_, [&](const Watch& each) { return each.session == id; });
  for (const std::string& path : own) take_away(path, how, turn);
  if (how != How::expired) return;
  for (const Watch& each : of_it)
    turn.pushes.push_back({each.connection, Reply::array({Reply::status("SessionExpired")})});
}

void Tree::end_session(const std::string& id, Changes& changes, Pushes& pushes) {
  Turn turn{{}, changes, pushes};
  close(id, How::expired, turn);
}

// In an order that neither names nor anything before their last beginning decides.
std::vector<std::string> Tree::in_order() const {
  std::map<std::pair<WallTime, std::int64_t>, std::string> all;
  for (const auto& [id, session] : sessions_) all[{session.ends(), session.number}] = id;
  std::vector<std::string> order;
  for (const auto& [when, id] : all) order.push_back(id);
  return order;
}

bool Tree::may_end_together(const Session& one, const Session& other) const {
  return one.ends() <= other.due + tick_ && other.ends() <= one.due + tick_;
}

std::uint32_t Tree::ways_to_pass(WallTime now) const {
  std::uint32_t ways = 1;
  for (const auto& [id, session] : sessions_) ways <<= session.ends() <= now && session.late < tick_ ? 1 : 0;
  return ways;
}

void Tree::pass(WallTime now, std::uint32_t late, Changes& changes, Pushes& pushes) {
  for (const std::string& id : in_order()) {
    Session& session = sessions_.find(id)->second;
    if (session.ends() > now) break;
    const bool may_be_later = session.late < tick_;
    if (may_be_later && std::exchange(late, late >> 1) % 2 == 1) {
      session.late += tick_ / 2;
      changes.push_back({item_of_session(id), How::ttl_changed});
    }
    if (session.ends() > now) continue;
    Turn turn{now, changes, pushes};
    close(id, How::expired, turn);
  }
}

std::optional<WallTime> Tree::next_end() const {
  std::optional<WallTime> next;
  for (const auto& [id, session] : sessions_)
    if (!next || session.ends() - 1us < *next) next = session.ends() - 1us;
  return next;
}

std::optional<WallTime> Tree::next_told_end() const {
  std::optional<WallTime> next;
  for (const Watch& each : watches_)
    for (const auto& [path, node] : nodes_) {
      const auto owner = sessions_.find(node.owner);
      const std::string_view watched = each.on == Watch::On::node ? path : parent_of(path);
      const bool is_told = each.path == watched;
      if (owner == sessions_.end() || !is_told) continue;
      if (!next || owner->second.ends() - 1us < *next) next = owner->second.ends() - 1us;
    }
  return next;
}

void Tree::begin_sessions_anew(WallTime now) {
  for (const std::string& id : in_order()) begin(sessions_.find(id)->second, now);
}

// --- nodes ---

bool Tree::has_children(std::string_view path) const {
  return std::any_of(nodes_.begin(), nodes_.end(),
                     [&](const auto& each) { return !path.empty() && parent_of(each.first) == path; });
}

Reply Tree::create(const Request& request, Turn& turn) {
  ++zxid_;  // also if it fails
  const std::string parent(parent_of(request.path));
  const auto found = nodes_.find(parent);
  if (!parent.empty() && found == nodes_.end()) return no_node();
  if (request.is_sequential && parent.empty()) {
    not_simulated_ = "a sequential node in the root";
    return Reply::error("Unimplemented");
  }
  if (!parent.empty() && !found->second.owner.empty()) return Reply::error("NoChildrenForEphemerals");
  const std::string path = request.is_sequential ? numbered(request.path, found->second.ever) : request.path;
  if (nodes_.contains(path)) return Reply::error("NodeExists");
  if (!parent.empty()) ++found->second.ever;
  nodes_[path] = {request.data, request.is_ephemeral ? request.session : std::string(), zxid_, 0};
  note(path, How::created, turn);
  fire("NodeCreated", path, false, turn.pushes);
  fire("NodeChildrenChanged", parent, true, turn.pushes);
  has_told_counts_ = true;
  return Reply::array({Reply::bulk(path), Reply::integer(zxid_)});
}

Reply Tree::remove(const std::string& path, Turn& turn) {
  ++zxid_;  // also if it fails
  if (!nodes_.contains(path)) return no_node();
  if (has_children(path)) return Reply::error("NotEmpty");
  take_away(path, How::removed, turn);
  return Reply::ok();
}

void Tree::take_away(const std::string& path, Change::Kind how, Turn& turn) {
  nodes_.erase(nodes_.find(path));
  note(path, how, turn);
  // server/DataTree: who watches both a node and its children is told once.
  const std::vector<Watch> of_node = watching(On::node, path);
  std::erase_if(watches_, [&](const Watch& each) {
    const auto is_of_same = [&](const Watch& other) { return other.connection == each.connection; };
    return each.on == On::children && each.path == path &&
           std::any_of(of_node.begin(), of_node.end(), is_of_same);
  });
  fire("NodeDeleted", path, false, turn.pushes);
  fire("NodeDeleted", path, true, turn.pushes);
  fire("NodeChildrenChanged", std::string(parent_of(path)), true, turn.pushes);
}

Reply Tree::exists(ConnectionId connection, const Request& request) {
  if (!leave(connection, request, On::node)) return Reply::error("Unimplemented");
  const auto node = nodes_.find(request.path);
  if (node == nodes_.end()) return Reply::integer(0);
  has_told_counts_ |= request.tells_czxid;
  return Reply::integer(request.tells_czxid ? node->second.created : 1);
}

Reply Tree::children(ConnectionId connection, const Request& request) {
  if (!nodes_.contains(request.path)) return no_node();
  if (!leave(connection, request, On::children)) return Reply::error("Unimplemented");
  return children_of(request.path);
}

Reply Tree::children_of(const std::string& path) {
  std::vector<std::pair<std::int64_t, std::string_view>> found;
  for (const auto& [each, node] : nodes_)
    if (parent_of(each) == path) found.emplace_back(node.created, each);
  std::sort(found.begin(), found.end());
  std::vector<Reply> names;
  for (const auto& [created, each] : found)
    names.push_back(Reply::bulk(std::string(each.substr(path.size() + 1))));
  has_told_counts_ |= !names.empty();
  return Reply::array(std::move(names));
}

// A member of a queue that comes, goes or stays longer leaves the others as they are.
void Tree::note(const std::string& path, Change::Kind how, Turn& turn) {
  turn.changes.push_back({path, how});
  const std::string queue = queue_of(path);
  if (queue.empty()) return;
  const auto is_member = [&](const auto& each) { return queue_of(each.first) == queue; };
  const auto members = std::count_if(nodes_.begin(), nodes_.end(), is_member);
  if (how == How::created && members > 1) how = How::overwritten;
  if (how == How::ttl_changed) how = How::overwritten;
  if (how == How::removed && members > 0) how = How::overwritten;
  const bool is_inside = how == How::overwritten || (how == How::expired && members > 0);
  turn.changes.push_back({queue, how, is_inside ? Change::Way::in_place : Change::Way::replaced});
}

// --- watches ---

// False: nothing can come back on this connection.
bool Tree::leave(ConnectionId connection, const Request& request, Watch::On on) {
  if (!request.watches) return true;
  if (connection.value == 0) {
    not_simulated_ = "a watch on a connection that all requests share";
    return false;
  }
  const Watch watch{connection, request.session, on, request.path};
  if (std::find(watches_.begin(), watches_.end(), watch) == watches_.end()) watches_.push_back(watch);
  return true;
}

std::vector<Watch> Tree::watching(Watch::On on, std::string_view path) const {
  std::vector<Watch> found;
  for (const Watch& each : watches_)
    if (each.on == on && each.path == path) found.push_back(each);
  return found;
}

void Tree::fire(std::string_view event, const std::string& path, bool is_of_children, Pushes& pushes) {
  const On on = is_of_children ? On::children : On::node;
  for (const Watch& each : watching(on, path))
    pushes.push_back(
        {each.connection, Reply::array({Reply::status(std::string(event)), Reply::bulk(each.path)})});
  std::erase_if(watches_, [&](const Watch& each) { return each.on == on && each.path == path; });
}

void Tree::end(ConnectionId connection) {
  std::erase_if(watches_, [&](const Watch& each) { return each.connection == connection; });
}

}  // namespace holdfast::zookeeper
