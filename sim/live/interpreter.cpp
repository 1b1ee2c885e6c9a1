#include "sim/live/interpreter.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "sim/live/store_driver.hpp"
#include "sim/live/stream.hpp"

namespace holdfast::live {
namespace {

// --- Redis' protocol (Redis documentation, "Redis serialization protocol specification") ---

std::string written(const Reply& reply) {
  const auto line = [](char sign, const std::string& text) { return sign + text + "\r\n"; };
  switch (reply.kind()) {
    case Reply::Kind::status: return line('+', reply.text());
    case Reply::Kind::error: return line('-', reply.text().substr(0, reply.text().find('\n')));
    case Reply::Kind::integer: return line(':', std::to_string(reply.number()));
    case Reply::Kind::bulk: return line('$', std::to_string(reply.text().size())) + reply.text() + "\r\n";
    case Reply::Kind::array: break;
    default: return "$-1\r\n";
  }
  std::string all = line('*', std::to_string(reply.elements().size()));
  for (const Reply& each : reply.elements()) all += written(each);
  return all;
}

// REQUIRES: one whole message, an array of texts.
std::vector<std::string> words_of(const std::string& message) {
  std::size_t at = 0;
  const auto line = [&] {
    const std::size_t end = message.find("\r\n", at);
    std::string text = message.substr(at, end - at);
    at = end + 2;
    return text;
  };
  std::vector<std::string> words;
  for (std::size_t count = std::stoul(line().substr(1)); count > 0; --count) {
    const std::size_t size = std::stoul(line().substr(1));
    words.push_back(message.substr(at, size));
    at += size + 2;
  }
  return words;
}

// --- connections ---

class Conversation;

// All that clients are connected with.
class Office {
 public:
  explicit Office(std::unique_ptr<StoreClient> client) : client_(std::move(client)) {}

  StoreClient& client() { return *client_; }
  std::uint64_t enter(Conversation& conversation);
  void leave(std::uint64_t id);
  bool does_wait(std::uint64_t id);

 private:
  const std::unique_ptr<StoreClient> client_;
  std::mutex mutex_;
  std::uint64_t entered_ = 0;
  std::map<std::uint64_t, Conversation*> all_;
};

// With one client, until either end is gone.
class Conversation {
 public:
  Conversation(Office& office, int socket) : office_(office), socket_(socket), id_(office.enter(*this)) {}
  ~Conversation() {
    office_.leave(id_);
    ::close(socket_);
  }
  Conversation(const Conversation&) = delete;

  void go_on() {
    while (std::optional<std::string> message = next_message()) {
      const Reply reply = answer(words_of(*message));
      if (reply.is_lost()) return;
      const std::string bytes = written(reply);
      if (::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) return;
    }
  }
  bool does_wait() { return is_asking_ && driver_->waits(); }

 private:
  Reply answer(const std::vector<std::string>& words) {
    const std::string& first = words.front();
    if (first == "LINE") return Reply::ok();
    if (first == "PING") return Reply::status("PONG");
    if (first == "CLIENT" && words.size() > 3) {
      const bool waits = office_.does_wait(std::stoull(words[3]));
      return Reply::bulk("id=" + words[3] + (waits ? " flags=b" : " flags=N") + "\n");
    }
    if (first == "CLIENT") return Reply::integer(static_cast<std::int64_t>(id_));
    try {
      if (first == "INFO") return Reply::bulk("redis_version:" + office_.client().version() + "\r\n");
      if (first == "END-SESSION")
        return Reply::integer(office_.client().end_session(std::stoull(words.at(1))) ? 1 : 0);
      if (!driver_) driver_ = office_.client().connect();
      // What waits for an event must not keep others waiting.
      if (first == "NEXT") return driver_->next([this] { return !has_more(); });
      is_asking_ = true;
      Reply reply = driver_->ask(words, [this] { return !is_gone(); });
      is_asking_ = false;
      return reply;
    } catch (const std::exception&) {  // there is no server
      return Reply::lost();
    }
  }

  std::optional<std::string> next_message() {
    for (;;) {
      if (std::optional<std::string> message = take_message(bytes_)) return message;
      if (!read(true)) return std::nullopt;
    }
  }
  // False: the client is gone.
  bool read(bool waits) {
    char buffer[4096];
    const ssize_t count = ::recv(socket_, buffer, sizeof buffer, waits ? 0 : MSG_DONTWAIT);
    if (count > 0) bytes_.append(buffer, static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
  }
  bool is_gone() { return !read(false); }
  bool has_more() { return is_gone() || !bytes_.empty(); }

  Office& office_;
  const int socket_;
  const std::uint64_t id_;
  std::unique_ptr<StoreDriver> driver_;
  std::atomic<bool> is_asking_ = false;
  std::string bytes_;
};

std::uint64_t Office::enter(Conversation& conversation) {
  const std::lock_guard alone(mutex_);
  all_[++entered_] = &conversation;
  return entered_;
}
void Office::leave(std::uint64_t id) {
  const std::lock_guard alone(mutex_);
  all_.erase(id);
}
bool Office::does_wait(std::uint64_t id) {
  const std::lock_guard alone(mutex_);
  const auto found = all_.find(id);
  return found != all_.end() && found->second->does_wait();
}

[[noreturn]] void serve(int listener, StoreKind kind, const std::string& server) {
  Office office(client_of(kind, server));
  for (;;) {
    pollfd ready{listener, POLLIN, 0};
    ::poll(&ready, 1, -1);
    const int socket = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) continue;
    std::thread([&office, socket] { Conversation(office, socket).go_on(); }).detach();
  }
}

}  // namespace

Interpreter::Interpreter(StoreKind kind, const std::string& server) {
  const int listener = listen_at(address().socket_path);
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
  if (process_ > 0) {
    ::close(listener);
    return;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // libpq tells standard error what a server says while it stops.
  const int nowhere = ::open("/dev/null", O_WRONLY);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  // Its parent ends it.
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) ::signal(signal, SIG_IGN);
  if (::getppid() != parent) ::_exit(1);
  try {
    serve(listener, kind, server);
  } catch (...) {
  }
  ::_exit(1);  // what else this process has belongs to its parent
}

Interpreter::~Interpreter() {
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

Address Interpreter::address() const {
  Address address = at_socket(directory_.path() + "/store.sock");
  address.is_interpreted = true;
  return address;
}

}  // namespace holdfast::live
