#include "sim/live/proxy.hpp"

#include <unistd.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <utility>

#include "sim/live/stream.hpp"

namespace holdfast::live {
namespace proxied {

// Keeps messages back until their time has come, in their order.
class Queue {
 public:
  Queue(Loop& loop, std::function<void(const std::string&)> pass_on)
      : loop_(loop), pass_on_(std::move(pass_on)) {}
  ~Queue() {
    if (timer_) loop_.cancel(*timer_);
  }
  void add(std::string message, Duration delay) {
    if (messages_.empty() && delay == Duration::zero()) return pass_on_(message);
    const SteadyTime earliest = loop_.now() + delay;
    messages_.emplace_back(messages_.empty() ? earliest : std::max(earliest, messages_.back().first),
                           std::move(message));
    watch();
  }

 private:
  void watch() {
    if (timer_ || messages_.empty()) return;
    timer_ = loop_.at(messages_.front().first, [this] {
      timer_.reset();
      while (!messages_.empty() && messages_.front().first <= loop_.now()) {
        const std::string message = std::move(messages_.front().second);
        messages_.pop_front();
        pass_on_(message);
      }
      watch();
    });
  }
  Loop& loop_;
  std::function<void(const std::string&)> pass_on_;
  std::deque<std::pair<SteadyTime, std::string>> messages_;
  std::optional<Loop::Timer> timer_;
};

}  // namespace proxied

// A client's connection and the one to the server that belongs to it.
class Proxy::Link {
 public:
  Link(Proxy& proxy, std::uint64_t number, int client, int server)
      : id(number),
        proxy_(proxy),
        requests_(proxy.loop_, [this](const std::string& message) { server_.send(message); }),
        replies_(proxy.loop_, [this](const std::string& message) { client_.send(message); }),
        client_(
            proxy.loop_, client,
            [this](std::string& bytes) {
              while (auto message = take_message(bytes)) on_request(std::move(*message));
            },
            [this] { proxy_.end(*this); }),
        server_(
            proxy.loop_, server,
            [this](std::string& bytes) {
              while (auto message = take_message(bytes)) on_reply(std::move(*message));
            },
            [this] { proxy_.end(*this); }) {}

  const std::uint64_t id;
  // What arrives from now on is of no interest: the sockets are about to be closed.
  void note_end() { is_over_ = true; }
  // A partition has swallowed a message.
  bool has_lost() const { return has_lost_; }

 private:
  void note_loss() { has_lost_ = true; }
  void on_request(std::string message) {
    if (is_over_) return;
    if (!proxy_.heals_ && proxy_.chance_.strikes(Fault::partition)) proxy_.begin_partition();
    if (proxy_.loses_requests_) return note_loss();
    if (proxy_.chance_.strikes(Fault::lost_request)) return proxy_.end(*this);
    const bool is_late = proxy_.chance_.strikes(Fault::late_request);
    const bool is_doubled = proxy_.chance_.strikes(Fault::duplicate);
    swallowed_.push_back(false);
    if (is_doubled) {
      swallowed_.push_back(true);
      message += message;
    }
    requests_.add(std::move(message), is_late ? proxy_.delay_ : Duration::zero());
  }
  void on_reply(std::string message) {
    if (is_over_ || swallowed_.empty()) return;
    const bool is_swallowed = swallowed_.front();
    swallowed_.pop_front();
    if (is_swallowed) return;
    if (proxy_.loses_replies_) return note_loss();
    if (proxy_.chance_.strikes(Fault::lost_reply)) return proxy_.end(*this);
    const bool is_late = proxy_.chance_.strikes(Fault::late_reply);
    replies_.add(std::move(message), is_late ? proxy_.delay_ : Duration::zero());
  }

  Proxy& proxy_;
  proxied::Queue requests_;
  proxied::Queue replies_;
  Stream client_;
  Stream server_;
  bool is_over_ = false;
  bool has_lost_ = false;
  std::deque<bool> swallowed_;  // for each reply that is to come: the client has it already
};

Proxy::Proxy(Loop& loop, const Address& server, const ProxyFaults& faults)
    : loop_(loop),
      server_(server),
      delay_(faults.delay),
      chance_(faults.kinds, faults.one_in, faults.seed),
      ended_(std::make_shared<std::vector<std::unique_ptr<Link>>>()) {
  address_ = server;
  address_.socket_path = directory_.path() + "/proxy.sock";
  listener_.emplace(loop_, listen_at(address_.socket_path), [this](int client) { connect(client); });
}

Proxy::~Proxy() {
  links_.clear();
  ended_->clear();
  listener_.reset();
  if (heals_) loop_.cancel(*heals_);
}

// In both directions, or in one.
void Proxy::begin_partition() {
  const std::size_t way = chance_.any_of(3);
  loses_requests_ = way != 2;
  loses_replies_ = way != 1;
  heals_ = loop_.at(loop_.now() + delay_, [this] { end_partition(); });
}

// A stream of which a part was lost is of no use any more.
void Proxy::end_partition() {
  heals_.reset();
  loses_requests_ = loses_replies_ = false;
  std::vector<Link*> broken;
  for (const auto& [id, link] : links_)
    if (link->has_lost()) broken.push_back(link.get());
  for (Link* const link : broken) end(*link);
}

// Not at once: its own code is being executed.
void Proxy::end(Link& link) {
  const auto found = links_.find(link.id);
  if (found == links_.end()) return;
  link.note_end();
  ended_->push_back(std::move(found->second));
  links_.erase(found);
  loop_.soon([ended = ended_] { ended->clear(); });
}

void Proxy::connect(int client) {
  const int server = connect_to(server_.socket_path);
  if (server < 0) {
    ::close(client);
    return;
  }
  const std::uint64_t id = ++accepted_;
  links_[id] = std::make_unique<Link>(*this, id, client, server);
}

}  // namespace holdfast::live
