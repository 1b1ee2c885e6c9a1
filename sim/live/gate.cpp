#include "sim/live/gate.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "sim/core/invariant.hpp"

namespace holdfast::live {
namespace {

// What the client is told of a request that it does not wait for any more: replies come in their order.
constexpr std::string_view too_late = "-LOST no answer in time\r\n";
// How often a server that begins anew is looked for.
constexpr Duration look_again = 3ms;
// Redis counts milliseconds: a key whose time ends within the next one may be gone.
constexpr std::int64_t nearly_ms = 2;
constexpr std::size_t answers = 2;  // about one key

std::string as_words(const std::vector<std::string>& words) {
  std::string message = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words) message += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  return message;
}

std::string question_about(const std::vector<std::string>& keys) {
  std::string question;
  for (const std::string& key : keys) question += as_words({"DUMP", key}) + as_words({"PEXPIRETIME", key});
  return question;
}

bool has_word(std::string_view message, std::string_view word) {
  return message.find("\n" + std::string(word) + "\r") != message.npos;
}
bool waits_at_server(std::string_view message) {
  for (const std::string_view word : {"BLPOP", "BRPOP", "BLMOVE", "SUBSCRIBE"})
    if (has_word(message.substr(0, 24), word)) return true;
  return false;
}
// A request to an interpreter that may take as long as others keep its client waiting.
bool may_wait(std::string_view message) {
  for (const std::string_view word :
       {"NEXT", "pg_advisory_lock", "pg_advisory_xact_lock", "FOR UPDATE", "INSERT", "UPDATE", "DELETE"})
    if (has_word(message, word)) return true;
  return false;
}

std::int64_t wall_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(wall_now().time_since_epoch()).count();
}

}  // namespace

// A connection of a client: its requests in their order, each with the reply that it has so far.
struct Gate::Link {
  struct Slot {
    SteadyTime received;
    std::optional<std::string> reply = std::nullopt;
    SteadyTime latest = SteadyTime::max();  // when the reply must be handed over
  };
  ClientId client;
  std::uint64_t first = 0;  // the number of slots.front()
  std::deque<Slot> slots;
  bool is_over = false;
  std::unique_ptr<Stream> stream;
  // Where each connection is one of its own at the server.
  bool is_own = false;        // its client does not share it, and waits as long as it takes
  std::uint32_t delayed = 0;  // requests on their way to the server
  std::deque<Job> jobs;       // at the server
  std::unique_ptr<Stream> server;
};

Gate::Gate(Loop& loop, GateServer server, GateRules rules, std::function<Acquisition(ClientId)> by,
           std::function<Instant()> now, std::function<void(What)> on_change)
    : loop_(loop),
      server_at_(std::move(server)),
      rules_(std::move(rules)),
      by_(std::move(by)),
      now_(std::move(now)),
      on_change_(std::move(on_change)),
      question_(question_about(rules_.keys)),
      random_(std::string(), rules_.seed),
      ended_(std::make_shared<std::vector<std::unique_ptr<Link>>>()) {
  for (const std::string& key : rules_.keys) keys_.push_back({key, {}, {}});
  for (std::uint32_t i = 0; i < rules_.clients; ++i) {
    const ClientId client{i};
    doors_.emplace_back(loop_, listen_at(address_of(client).socket_path),
                        [this, client](int descriptor) { accept(client, descriptor); });
  }
  if (!keys_.empty()) connect();
}

Gate::~Gate() {
  for (const Loop::Timer& timer : timers_) loop_.cancel(timer);
  links_.clear();
  leaving_.clear();
  ended_->clear();
}

Address Gate::address_of(ClientId client) const {
  Address address = at_socket(directory_.path() + "/" + name_of(client) + ".sock");
  address.is_interpreted = server_at_.address.is_interpreted;
  return address;
}

void Gate::after(Duration wait, std::function<void()> act) {
  const auto timer = std::make_shared<Loop::Timer>();
  *timer = loop_.at(steady_now() + wait, [this, timer, todo = std::move(act)] {
    timers_.erase(*timer);
    todo();
  });
  timers_.insert(*timer);
}

bool Gate::meets(Fault fault, ClientId client, std::uint32_t number) {
  const Blow& blow = rules_.blow;
  const bool does = blow.fault == fault && blow.client == client && blow.message == number;
  has_struck_ |= does;
  return does;
}

bool Gate::is_cut(ClientId client, std::uint32_t way) const {
  return is_partitioned_ && rules_.blow.client == client && (rules_.blow.way == 0 || rules_.blow.way == way);
}

// --- clients ---

void Gate::accept(ClientId client, int descriptor) {
  const std::uint64_t id = ++accepted_;
  auto link = std::make_unique<Link>();
  link->client = client;
  Link* const its = link.get();
  link->stream = std::make_unique<Stream>(
      loop_, descriptor,
      [this, its](std::string& bytes) {
        while (auto message = take_message(bytes)) on_request(*its, *std::move(message));
      },
      [this, id] { end(id); });
  if (keys_.empty()) {
    const int server = connect_to(server_at_.address.socket_path);
    if (server < 0) return;  // it is hung up
    link->server = std::make_unique<Stream>(
        loop_, server,
        [this, its](std::string& bytes) {
          while (auto message = take_message(bytes)) pass_back(*its, *std::move(message));
        },
        [this, id] { end(id); });
  }
  links_[id] = std::move(link);
}

// Not at once: its own code is being executed.
void Gate::end(std::uint64_t link) {
  const auto found = links_.find(link);
  if (found == links_.end()) return;
  found->second->is_over = true;
  std::unique_ptr<Link> its = std::move(found->second);
  links_.erase(found);
  if (!keys_.empty() || its->delayed == 0) return close(std::move(its));
  const auto gone = std::make_shared<std::unique_ptr<Stream>>(std::move(its->stream));
  loop_.soon([gone] {});
  leaving_[link] = std::move(its);
}

void Gate::close(std::unique_ptr<Link> link) {
  under_way_ -= static_cast<std::uint32_t>(link->jobs.size());
  ended_->push_back(std::move(link));
  loop_.soon([ended = ended_] { ended->clear(); });
}

void Gate::on_request(Link& link, std::string message) {
  if (link.is_over) return;
  const auto found = std::find_if(links_.begin(), links_.end(),
                                  [&](const auto& entry) { return entry.second.get() == &link; });
  const std::uint64_t id = found->first;
  const ClientId client = link.client;
  if (has_word(message.substr(0, 24), "LINE")) {
    link.is_own = true;
    return link.stream->send("+OK\r\n");
  }
  const std::uint32_t number = ++requests_seen_[client];
  is_waited_at_ |= waits_at_server(message);
  Job job{id, link.first + link.slots.size(), client, by_(client), std::move(message), steady_now()};
  link.slots.push_back({job.received});
  if (!link.is_own) after(rules_.patience, [this, id] { flush(id); });
  if (is_cut(client, 1)) {
    has_struck_ = true;
    return lose(job);
  }
  if (meets(Fault::lost_request, client, number)) return lose(job);
  Duration delay = random_.jitter(rules_.delay_planned);
  if (meets(Fault::late_request, client, number)) {
    delay = rules_.blow.length;
    job.may_be_late = true;
  }
  if (meets(Fault::duplicate, client, number)) {
    Job again = job;
    again.slot.reset();
    ++under_way_;
    ++link.delayed;
    after(random_.jitter(rules_.delay_planned), [this, again] { submit(again); });
  }
  ++under_way_;
  ++link.delayed;
  after(delay, [this, job] { submit(job); });
}

// Who has a connection of its own is told that it is lost.
void Gate::lose(const Job& job) {
  const auto found = links_.find(job.link);
  if (found != links_.end() && found->second->is_own)
    after(rules_.patience, [this, link = job.link] { end(link); });
}

void Gate::send_back(const Job& job, std::string reply) {
  if (!job.slot) return;
  const std::uint32_t number = ++replies_seen_[job.client];
  if (is_cut(job.client, 2)) {
    has_struck_ = true;
    return lose(job);
  }
  if (meets(Fault::lost_reply, job.client, number)) return lose(job);
  const bool is_late = meets(Fault::late_reply, job.client, number);
  const Duration delay = is_late ? rules_.blow.length : random_.jitter(rules_.delay_planned);
  const SteadyTime latest = is_late ? SteadyTime::max() : steady_now() + rules_.delay_most;
  ++under_way_;
  after(delay, [this, job, latest, kept = std::move(reply)] {
    --under_way_;
    hand_over(job, kept, latest);
  });
}

void Gate::hand_over(const Job& job, const std::string& reply, SteadyTime latest) {
  const auto found = links_.find(job.link);
  if (found == links_.end() || *job.slot < found->second->first) return;
  Link::Slot& slot = found->second->slots[*job.slot - found->second->first];
  slot.reply = reply;
  slot.latest = latest;
  flush(job.link);
}

void Gate::flush(std::uint64_t link) {
  const auto found = links_.find(link);
  if (found == links_.end()) return;
  Link& its = *found->second;
  while (!its.slots.empty()) {
    const Link::Slot& slot = its.slots.front();
    if (!slot.reply && (its.is_own || steady_now() < slot.received + rules_.patience)) return;
    was_late_ |= slot.reply && slot.latest < steady_now();
    its.stream->send(slot.reply ? std::string_view(*slot.reply) : too_late);
    its.slots.pop_front();
    ++its.first;
  }
}

// --- the server ---

void Gate::submit(Job job) {
  if (keys_.empty()) return pass_on(job);
  if (server_) write(job);
  jobs_.push_back(std::move(job));
}

// Also of a client that is gone.
void Gate::pass_on(const Job& job) {
  const bool is_leaving = leaving_.contains(job.link);
  const auto found = is_leaving ? leaving_.find(job.link) : links_.find(job.link);
  if (found == (is_leaving ? leaving_ : links_).end()) return void(--under_way_);
  Link& link = *found->second;
  link.server->send(job.message);
  link.jobs.push_back(job);
  if (--link.delayed > 0 || !is_leaving) return;
  std::unique_ptr<Link> its = std::move(found->second);
  leaving_.erase(found);
  close(std::move(its));
}

void Gate::pass_back(Link& link, std::string reply) {
  if (link.jobs.empty()) return;
  const Job job = std::move(link.jobs.front());
  link.jobs.pop_front();
  --under_way_;
  const bool is_prompt = !job.may_be_late && !may_wait(job.message);
  was_late_ |= is_prompt && steady_now() - job.received > rules_.delay_most;
  send_back(job, std::move(reply));
}

void Gate::connect() {
  const int descriptor = connect_to(server_at_.address.socket_path);
  if (descriptor < 0) return after(look_again, [this] { connect(); });
  server_ = std::make_unique<Stream>(
      loop_, descriptor,
      [this](std::string& bytes) {
        while (auto message = take_message(bytes)) on_reply(*std::move(message));
      },
      [] {});
  for (const Job& job : jobs_) write(job);
}

void Gate::write(const Job& job) { server_->send(question_ + job.message + question_); }

void Gate::on_reply(std::string message) {
  replies_.push_back(std::move(message));
  if (replies_.size() < 2 * answers * keys_.size() + 1) return;
  INVARIANT(!jobs_.empty(), "the server answers what it was asked");
  const Job job = std::move(jobs_.front());
  jobs_.pop_front();
  --under_way_;
  finish(job, std::exchange(replies_, {}));
}

void Gate::finish(const Job& job, const std::vector<std::string>& replies) {
  const auto standing = [&](std::size_t at) {
    Standing its;
    if (replies[at].starts_with("$-1")) return its;
    its.value = replies[at];
    std::from_chars(replies[at + 1].data() + 1, replies[at + 1].data() + replies[at + 1].size(),
                    its.expires_ms);
    return its;
  };
  const std::size_t own = answers * keys_.size();  // the place of its own reply
  for (std::size_t i = 0; i < keys_.size(); ++i)
    judge(job, keys_[i], standing(i * answers), standing(own + 1 + i * answers));
  was_late_ |= !job.may_be_late && steady_now() - job.received > rules_.delay_most;
  if (!job.is_eviction) send_back(job, replies[own]);
}

// Where a key may have ended by itself before the command of another, it is taken to have: no client is
// blamed.
void Gate::judge(const Job& job, Key& key, const Standing& before, const Standing& now) {
  using Kind = KeyChanged::Kind;
  if (!key.standing.value.empty() && before.value.empty()) change(key, Kind::expired, {}, {});
  // An interpreter knows about when a key may end, and not whether that has been changed.
  if (before == now || (server_at_.address.is_interpreted && before.value == now.value)) return;
  const bool stood = !before.value.empty();
  const bool stands = !now.value.empty();
  const bool may_have_ended = before.expires_ms >= 0 && before.expires_ms <= wall_ms() + nearly_ms;
  if (stood && may_have_ended && job.by != key.owner) {
    change(key, Kind::expired, {}, {});
    if (stands) change(key, Kind::created, job.by, now);
  } else if (job.is_eviction) {
    has_struck_ = true;
    on_change_(Evicted{NodeId{}, key.name});
    change(key, Kind::lost, {}, {});
  } else if (stood && stands) {
    change(key, before.value == now.value ? Kind::ttl_changed : Kind::overwritten, job.by, now);
  } else {
    change(key, stands ? Kind::created : Kind::removed, job.by, now);
  }
}

void Gate::change(Key& key, KeyChanged::Kind kind, Acquisition by, const Standing& now) {
  using Kind = KeyChanged::Kind;
  KeyChanged event;
  event.kind = kind;
  event.by = by;
  event.before = key.owner;
  if (kind != Kind::ttl_changed) key.owner = now.value.empty() ? Acquisition{} : by;
  event.after = key.owner;
  if (now.expires_ms >= 0) event.expires_at = now_() + std::chrono::milliseconds(now.expires_ms - wall_ms());
  key.standing = now;
  on_change_(std::move(event));
}

// --- faults ---

void Gate::strike() {
  if (rules_.blow.fault == Fault::restart) restart();
  if (rules_.blow.fault == Fault::eviction) {
    Job job;
    job.message = as_words({"DEL", rules_.keys.front()});
    job.received = steady_now();
    job.is_eviction = true;
    ++under_way_;
    submit(std::move(job));
  }
  if (rules_.blow.fault != Fault::partition) return;
  is_partitioned_ = true;
  after(rules_.blow.length, [this] { is_partitioned_ = false; });
}

// What the old server has not answered yet the new one is asked again: what that did to the old one is lost.
void Gate::restart() {
  has_struck_ = true;
  server_.reset();
  replies_.clear();
  server_at_.process->end();
  server_at_.spare->take_place_of(*server_at_.process);
  on_change_(ServerRestarted{});
  for (Key& key : keys_)
    if (!key.standing.value.empty()) change(key, KeyChanged::Kind::lost, {}, {});
  connect();
}

}  // namespace holdfast::live
