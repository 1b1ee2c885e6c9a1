// A driver of ZooKeeper: sessions that outlive connections, and what their watches are told.
#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "sim/live/jute.hpp"
#include "sim/live/loopback.hpp"
#include "sim/live/store_driver.hpp"

namespace holdfast::live {
namespace {

using zookeeper::Request;
using Kind = zookeeper::Request::Kind;

// A session over all connections of its client, one after the other. Its user holds its mutex.
struct KnownSession {
  std::mutex mutex;
  jute::Session session;
  std::unique_ptr<jute::Connection> connection;
  std::vector<jute::Watch> watches;
  std::vector<Reply> events;

  bool is_open() const { return connection && connection->is_open() && session.timeout != 0; }
  void open(std::uint16_t port) {
    if (connection) collect();
    connection = std::make_unique<jute::Connection>(port, session);
    if (is_open()) connection->set_watches(watches);
  }
  // A watch is told of one event.
  void collect() {
    for (Reply& event : std::exchange(connection->events, {})) {
      const std::string& path = event.elements()[1].text();
      std::erase_if(watches, [&](const jute::Watch& each) { return each.path == path; });
      events.push_back(std::move(event));
    }
  }
};

class ZooKeeperClient final : public StoreClient {
 public:
  explicit ZooKeeperClient(std::uint16_t port) : port_(port) {}

  std::unique_ptr<StoreDriver> connect() override;
  std::string version() override {
    // "Zookeeper version: 3.8.0-${mvngit.commit.id}, built on …"
    constexpr std::string_view field = "version: ";
    const std::string told = first_answer(port_, "srvr", field);
    const std::string said = told.substr(std::min(told.find(field) + field.size(), told.size()));
    return "ZooKeeper " + said.substr(0, said.find_first_of("-, \n"));
  }
  // By a connection that takes it over, and closes it.
  bool end_session(std::uint64_t which) override {
    std::vector<std::shared_ptr<KnownSession>> all;
    {
      const std::lock_guard alone(mutex_);
      for (const auto& [name, each] : sessions_) all.push_back(each);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      KnownSession& known = *all[(which + i) % all.size()];
      const std::lock_guard alone(known.mutex);
      if (known.session.timeout == 0) continue;
      jute::Session taken = known.session;
      jute::Connection connection(port_, taken);
      Request close;
      close.kind = Kind::close;
      if (taken.timeout != 0 && connection.ask(close)) return true;
    }
    return false;
  }

  std::uint16_t port() const { return port_; }
  // A new one takes the place of what had its name.
  std::shared_ptr<KnownSession> session(const std::string& name, bool is_new) {
    const std::lock_guard alone(mutex_);
    std::shared_ptr<KnownSession>& found = sessions_[name];
    if (!found || is_new) found = std::make_shared<KnownSession>();
    return found;
  }

 private:
  const std::uint16_t port_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<KnownSession>> sessions_;
};

class ZooKeeperDriver final : public StoreDriver {
 public:
  explicit ZooKeeperDriver(ZooKeeperClient& client) : client_(client) {}

  Reply ask(const std::vector<std::string>& words, const IsWanted&) override {
    const Request request = zookeeper::parse(Command(words));
    if (request.kind == Kind::unknown) return Reply::error("Unimplemented");
    const std::shared_ptr<KnownSession> known =
        client_.session(request.session, request.kind == Kind::connect);
    const std::lock_guard alone(known->mutex);
    if (request.kind == Kind::connect) known->session.asked = static_cast<std::int32_t>(request.milliseconds);
    const bool only_opens = request.kind == Kind::connect || request.kind == Kind::reconnect;
    if (only_opens || !known->is_open()) known->open(client_.port());
    if (!known->connection->is_answered()) return Reply::lost();
    if (only_opens) return Reply::integer(known->session.timeout);
    if (known->session.timeout == 0) return Reply::error("SessionExpired");
    const std::optional<Reply> reply = known->connection->ask(request);
    if (!reply) return Reply::lost();
    // A watch of what is not there is left by EXISTS alone (Programmer's Guide: ZooKeeper Watches).
    if (request.watches && !reply->is_error()) {
      // Of what is there, EXISTS leaves the same as GET.
      const bool is_there = request.kind == Kind::exists && !reply->is(0);
      known->watches.push_back({is_there ? Kind::get : request.kind, request.path});
      watched_ = known;
      paths_.push_back(request.path);
    }
    known->collect();
    if (request.kind == Kind::close) known->session.timeout = 0;
    return *reply;
  }

  Reply next(const IsWanted& is_wanted) override {
    constexpr std::chrono::milliseconds look_interval(2);
    while (is_wanted()) {
      if (watched_) {
        const std::lock_guard alone(watched_->mutex);
        if (!watched_->is_open()) return Reply::lost();
        watched_->connection->listen(std::chrono::milliseconds(0));
        watched_->collect();
        if (std::optional<Reply> event = take_event()) return *std::move(event);
      }
      std::this_thread::sleep_for(look_interval);
    }
    return Reply::nil();
  }

 private:
  std::optional<Reply> take_event() {
    for (auto event = watched_->events.begin(); event != watched_->events.end(); ++event) {
      const auto path = std::find(paths_.begin(), paths_.end(), event->elements()[1].text());
      if (path == paths_.end()) continue;
      paths_.erase(path);
      Reply told = std::move(*event);
      watched_->events.erase(event);
      return told;
    }
    return std::nullopt;
  }

  ZooKeeperClient& client_;
  std::shared_ptr<KnownSession> watched_;  // nullptr: it watches nothing
  std::vector<std::string> paths_;
};

std::unique_ptr<StoreDriver> ZooKeeperClient::connect() { return std::make_unique<ZooKeeperDriver>(*this); }

}  // namespace

std::unique_ptr<StoreClient> client_of_zookeeper(const std::string& address) {
  return std::make_unique<ZooKeeperClient>(static_cast<std::uint16_t>(std::stoi(address)));
}

}  // namespace holdfast::live
