#include "sim/live/jute.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "sim/live/loopback.hpp"

namespace holdfast::live::jute {
namespace {

constexpr std::chrono::seconds patience(10);
// zookeeper-server, ZooDefs.OpCode, and the numbers of messages that are no answers to requests.
constexpr std::int32_t close_session = -11;
constexpr std::int32_t remove = 2, exists = 3, get = 4, children = 8, ping = 11, create2 = 15;
constexpr std::int32_t set_watches_type = 101;
constexpr std::int32_t xid_of_events = -1, xid_of_ping = -2, xid_of_set_watches = -8;
constexpr std::int32_t no_node = -101;  // Code

std::string name_of_error(std::int32_t code) {
  static const std::map<std::int32_t, std::string> names{{no_node, "NoNode"},
                                                         {-108, "NoChildrenForEphemerals"},
                                                         {-110, "NodeExists"},
                                                         {-111, "NotEmpty"},
                                                         {-112, "SessionExpired"}};
  const auto found = names.find(code);
  return found == names.end() ? std::to_string(code) : found->second;
}

// Watcher.Event.EventType
std::string name_of_event(std::int32_t type) {
  static const std::map<std::int32_t, std::string> names{
      {1, "NodeCreated"}, {2, "NodeDeleted"}, {4, "NodeChildrenChanged"}};
  const auto found = names.find(type);
  return found == names.end() ? std::to_string(type) : found->second;
}

std::vector<Reply> names_in(In& answer) {
  std::vector<Reply> names;
  for (std::int32_t count = answer.number(); count > 0; --count) names.push_back(Reply::bulk(answer.text()));
  return names;
}

}  // namespace

std::string In::text() {
  const auto size = static_cast<std::size_t>(std::max(number(), 0));
  at_ += size;
  return bytes_.substr(at_ - size, size);
}

std::uint64_t In::take(int count) {
  std::uint64_t value = 0;
  while (count-- > 0) value = value << 8 | static_cast<std::uint8_t>(bytes_.at(at_++));
  return value;
}

// ConnectRequest and ConnectResponse.
Connection::Connection(std::uint16_t port, Session& session)
    : session_(session), socket_(connected_to(port)), is_open_(socket_ >= 0) {
  session_.timeout = 0;
  if (!is_open_) return;
  Out hello;
  hello.number(0).wide(session_.zxid).number(session_.asked).wide(session_.id).text(session_.password);
  send(hello.flag(false));
  std::optional<In> told = next(patience);
  if (!told) return;
  is_answered_ = true;
  told->number();
  session_.timeout = told->number();
  const std::int64_t given = told->wide();
  if (session_.timeout == 0) return;
  session_.id = given;
  session_.password = told->text();
}

Connection::~Connection() {
  if (socket_ >= 0) ::close(socket_);
}

void Connection::send(const Out& message) {
  const std::string framed = message.framed();
  if (::send(socket_, framed.data(), framed.size(), MSG_NOSIGNAL) < 0) is_open_ = false;
}

// An answer, or what a watch tells, is a frame. Nothing: none comes for so long, or it is closed.
std::optional<In> Connection::next(std::chrono::milliseconds at_most) {
  const auto end = std::chrono::steady_clock::now() + at_most;
  for (;;) {
    if (bytes_.size() >= 4) {
      const auto size = static_cast<std::size_t>(In(bytes_).number());
      if (bytes_.size() >= 4 + size) {
        In frame(bytes_.substr(4, size));
        bytes_.erase(0, 4 + size);
        return frame;
      }
    }
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (!is_open_ || left.count() < 0) return std::nullopt;
    pollfd ready{socket_, POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
    char buffer[4096];
    const ssize_t count = ::read(socket_, buffer, sizeof buffer);
    is_open_ = count > 0;
    if (is_open_) bytes_.append(buffer, static_cast<std::size_t>(count));
  }
}

std::optional<In> Connection::call(const Out& message) {
  send(message);
  while (std::optional<In> told = next(patience))
    if (!note_event(*told)) return told;
  return std::nullopt;
}

std::optional<Reply> Connection::ask(const zookeeper::Request& request) {
  const std::optional<In> answer = call(message_of(request));
  if (!answer) return std::nullopt;
  return reply_to(request, *answer);
}

// ClientCnxn.SendThread.primeConnection()
void Connection::set_watches(const std::vector<Watch>& watches) {
  using Kind = zookeeper::Request::Kind;
  const auto paths_of = [&](Kind kind) {
    std::vector<std::string> paths;
    for (const Watch& each : watches)
      if (each.kind == kind) paths.push_back("/" + each.path);
    return paths;
  };
  if (watches.empty() || !is_open_) return;
  Out message;
  message.number(xid_of_set_watches).number(set_watches_type).wide(session_.zxid);
  call(message.texts(paths_of(Kind::get)).texts(paths_of(Kind::exists)).texts(paths_of(Kind::children)));
}

void Connection::listen(std::chrono::milliseconds at_most) {
  while (std::optional<In> message = next(at_most)) note_event(*message);
}

bool Connection::note_event(In message) {
  if (message.number() != xid_of_events) return false;
  message.wide();
  message.number();
  const std::string event = name_of_event(message.number());
  message.number();
  events.push_back(Reply::array({Reply::status(event), Reply::bulk(message.text().substr(1))}));
  return true;
}

Out Connection::header(std::int32_t type) {
  return Out().number(type == ping ? xid_of_ping : ++xid_).number(type);
}

Out Connection::message_of(const zookeeper::Request& it) {
  using Kind = zookeeper::Request::Kind;
  const std::string path = "/" + it.path;
  switch (it.kind) {
    case Kind::close: return header(close_session);
    case Kind::create: {
      constexpr std::int32_t all_rights = 31;
      const std::int32_t flags = (it.is_ephemeral ? 1 : 0) + (it.is_sequential ? 2 : 0);
      Out message = header(create2).text(path).text(it.data);
      return message.number(1).number(all_rights).text("world").text("anyone").number(flags);
    }
    case Kind::remove: return header(remove).text(path).number(-1);
    case Kind::exists: return header(exists).text(path).flag(it.watches);
    case Kind::get: return header(get).text(path).flag(it.watches);
    case Kind::children: return header(children).text(path).flag(it.watches);
    default: return header(ping);
  }
}

Reply Connection::reply_to(const zookeeper::Request& request, In answer) {
  using Kind = zookeeper::Request::Kind;
  answer.number();
  session_.zxid = std::max(session_.zxid, answer.wide());
  const std::int32_t error = answer.number();
  if (request.kind == Kind::exists && error == no_node) return Reply::integer(0);
  if (error != 0) return Reply::error(name_of_error(error));
  switch (request.kind) {
    case Kind::exists: {
      const std::int64_t czxid = answer.wide();
      return Reply::integer(request.tells_czxid ? czxid : 1);
    }
    case Kind::get: return Reply::bulk(answer.text());
    case Kind::create: {
      const std::string path = answer.text().substr(1);
      return Reply::array({Reply::bulk(path), Reply::integer(answer.wide())});
    }
    case Kind::children: return Reply::array(names_in(answer));
    default: return Reply::ok();
  }
}

void Connection::remove_all() { remove_all(""); }

void Connection::remove_all(const std::string& parent) {
  std::optional<In> told = call(header(children).text(parent.empty() ? "/" : parent).flag(false));
  if (!told) return;
  told->number();
  told->wide();
  if (told->number() != 0) return;
  for (const Reply& name : names_in(*told)) {
    const std::string path = parent + "/" + name.text();
    if (path == "/zookeeper") continue;
    remove_all(path);
    call(header(remove).text(path).number(-1));
  }
}

}  // namespace holdfast::live::jute
