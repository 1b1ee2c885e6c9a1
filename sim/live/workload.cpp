#include "sim/live/workload.hpp"

#include <algorithm>
#include <exception>
#include <vector>

#include "sim/core/invariant.hpp"
#include "sim/live/proxy.hpp"
#include "sim/live/pulse.hpp"
#include "sim/trace/source_line.hpp"

namespace holdfast::live {

bool Site::begin_round() {
  if (is_stopping || is_done()) return false;
  const std::uint64_t before = begun.fetch_add(1, std::memory_order_relaxed);
  return !workload.pairs || before < *workload.pairs;
}

namespace {

// Of all clients, only the first has a wrong clock.
Duration wall_offset(const Workload& workload, ClientId id) {
  const bool is_wrong = workload.faults.contains(Fault::clock_skew) && id.value == 0;
  return is_wrong ? workload.fault_length : Duration::zero();
}

std::deque<LiveStore> stores_of(const std::vector<Connection*>& connections, Dispatch& dispatch,
                                std::uint32_t driver_retries) {
  std::deque<LiveStore> stores;
  for (std::uint32_t i = 0; i < connections.size(); ++i)
    stores.emplace_back(NodeId{i}, *connections[i], dispatch, driver_retries);
  return stores;
}

std::vector<Store*> pointers_to(std::deque<LiveStore>& stores) {
  std::vector<Store*> pointers;
  for (LiveStore& store : stores) pointers.push_back(&store);
  return pointers;
}

}  // namespace

LiveClient::LiveClient(Site& site, ClientId id, const std::vector<Connection*>& connections)
    : site_(site),
      id_(id),
      key_(site.workload.key_prefix + "lock:" + std::to_string(site.workload.lock_of(id))),
      clock_(site.loop, site.workload.wall_shift + wall_offset(site.workload, id)),
      random_(site.workload.unique + name_of(id) + "-", site.workload.seed + id.value),
      nodes_(stores_of(connections, *this, site.workload.driver_retries)),
      stores_(pointers_to(nodes_)),
      env_(id, stores_, clock_, random_),
      acquisition_{id, site.acquisitions_before} {}

void LiveClient::start() {
  lock_ = site_.make();
  program_ = run_program();
  program_.start();
}

void LiveClient::crash() {
  program_ = Task<>();
  lock_.reset();
  emit(Crashed{id_});
}

Task<> LiveClient::run_program() {
  emit(Started{id_, wall_offset(site_.workload, id_)});
  while (site_.begin_round()) {
    bool holds = false;
    for (std::uint32_t attempt = 1; !holds; ++attempt) {
      begin_acquiring();
      const Attempt outcome = co_await lock_->acquire(env_, key_, Mode::exclusive);
      holds = end_acquiring(outcome);
      if (holds || attempt == site_.workload.attempts) break;
      if (site_.is_stopping) co_return;
      const Duration wait = wait_before_next();
      co_await clock_.sleep(wait);
    }
    if (!holds) continue;
    const Duration work = begin_work();
    if (work > Duration::zero()) co_await clock_.sleep(work);
    emit(Wrote{acquisition_, true});
    emit(Releasing{acquisition_});
    const Release result = co_await lock_->release(env_, key_, grant_);
    emit(Released{acquisition_, result});
  }
}

Duration LiveClient::wait_before_next() {
  const Workload& workload = site_.workload;
  const bool is_late = workload.retry_late && random_.jitter(Duration(1)) != Duration::zero();
  return is_late ? *workload.retry_late : workload.retry;
}

Duration LiveClient::begin_work() {
  Duration length = site_.workload.work;
  if (site_.chance.strikes(Fault::slow_section)) {
    emit(SlowSection{acquisition_});
    length += site_.workload.fault_length;
  }
  emit(Working{acquisition_, length});
  return length;
}

std::string LiveClient::error() {
  if (is_down()) return std::string();
  try {
    program_.take();
  } catch (const std::exception& thrown) {
    return thrown.what();
  }
  return std::string();
}

void LiveClient::begin_acquiring() {
  ++acquisition_.number;
  emit(Acquiring{acquisition_, std::string(), Mode::exclusive});
}

bool LiveClient::end_acquiring(const Attempt& attempt) {
  if (!attempt.is_granted()) {
    emit(Refused{acquisition_, attempt.kind(), attempt.why()});
    return false;
  }
  grant_ = attempt.grant();
  // By its own clock, which shows true time but for an offset.
  Instant lease_until = never;
  if (grant_.lease_until) lease_until = site_.now() + (*grant_.lease_until - clock_.wall());
  emit(Granted{acquisition_, Mode::exclusive, lease_until, grant_.fence, std::string()});
  return true;
}

void LiveClient::on_sent(NodeId node, const Call& call) {
  if (site_.before_send) site_.before_send();
  ++site_.counters.commands;
  if (site_.trace.wants<Sent>())
    emit(Sent{MessageId{static_cast<std::uint32_t>(site_.counters.commands)}, node, acquisition_,
              call.command().argv(), source_line(call.where())});
  // Requests that leave together come back together.
  if (std::exchange(last_turn_, site_.loop.turns()) != site_.loop.turns()) ++site_.counters.round_trips;
}

namespace {

constexpr Duration look_around = 20ms;  // how often `should_stop` is asked
// How long clients may take to finish what they began, beyond what their calls and their work take.
constexpr Duration time_to_finish = 3s;

bool all_finished(const std::vector<std::unique_ptr<LiveClient>>& clients) {
  return std::all_of(clients.begin(), clients.end(),
                     [](const auto& client) { return client->is_finished(); });
}

// All connections of a run, and what stands between them and the servers.
class Network {
 public:
  Network(Loop& loop, const std::vector<Node>& nodes, const Workload& workload) : loop_(loop) {
    const bool needs_proxy = workload.faults.contains_any(proxy_faults);
    std::uint64_t seed = workload.seed;
    for (const Node& node : nodes) {
      std::vector<std::unique_ptr<Connection>>& connections = connections_.emplace_back();
      for (std::uint32_t i = 0; i < workload.connections; ++i) {
        if (needs_proxy)
          proxies_.push_back(std::make_unique<Proxy>(
              loop, node.address,
              ProxyFaults{workload.faults, workload.one_in, workload.fault_length, seed++}));
        Address address = needs_proxy ? proxies_.back()->address() : node.address;
        address.is_interpreted = node.address.is_interpreted;
        connections.push_back(std::make_unique<Connection>(loop, address, workload.timeout));
      }
    }
  }

  // One to each server.
  std::vector<Connection*> connections_of(ClientId client) const {
    std::vector<Connection*> its;
    for (const auto& connections : connections_)
      its.push_back(connections[client.value % connections.size()].get());
    return its;
  }
  // Requests whose callers are gone may still be on their way; they must not surprise a later run.
  void drain(Duration longest) {
    const SteadyTime end = steady_now() + longest;
    const auto is_idle = [](const auto& connection) { return connection->is_idle(); };
    const auto all_idle = [&](const auto& connections) {
      return std::all_of(connections.begin(), connections.end(), is_idle);
    };
    while (steady_now() < end && !std::all_of(connections_.begin(), connections_.end(), all_idle))
      loop_.turn(end);
  }
  void tell(RunFacts& facts) const {
    for (const std::unique_ptr<Proxy>& proxy : proxies_)
      for (const auto& [fault, count] : proxy->struck()) facts.struck[fault] += count;
    for (const auto& connections : connections_)
      for (const auto& connection : connections) {
        facts.breaks += connection->breaks();
        if (!connection->trouble().empty()) facts.trouble = connection->trouble();
      }
  }

 private:
  Loop& loop_;
  std::vector<std::unique_ptr<Proxy>> proxies_;                        // of each connection, or none
  std::vector<std::vector<std::unique_ptr<Connection>>> connections_;  // of each server
};

// Faults that strike clients and servers from outside, in turns.
class Disturber {
 public:
  Disturber(Site& site, std::vector<std::unique_ptr<LiveClient>>& clients, const std::vector<Node>& nodes)
      : site_(site), clients_(clients), servers_(nodes, site.workload.key_prefix, site.chance) {
    if (site.workload.faults.contains_any(faults_from_outside)) schedule();
  }
  ~Disturber() {
    if (timer_) site_.loop.cancel(*timer_);
  }

 private:
  void schedule() {
    timer_ = site_.loop.at(site_.loop.now() + turn, [this] { disturb(); });
  }
  void disturb() {
    timer_.reset();
    if (site_.is_stopping) return;
    for (const auto& client : clients_)
      if (client->is_down()) client->start();
    if (site_.chance.strikes(Fault::crash)) {
      LiveClient& victim = *clients_[site_.chance.any_of(clients_.size())];
      if (!victim.is_finished()) victim.crash();
    }
    servers_.disturb();
    schedule();
  }

  static constexpr Duration turn = 10ms;
  Site& site_;
  std::vector<std::unique_ptr<LiveClient>>& clients_;
  ServerFaults servers_;
  std::optional<Loop::Timer> timer_;
};

// Until the time is over or as many rounds have begun, and ended, as should.
void let_run(Site& site, const std::vector<std::unique_ptr<LiveClient>>& clients,
             const std::function<bool()>& should_stop) {
  const Workload& workload = site.workload;
  const SteadyTime stop = workload.length ? site.begin + *workload.length : SteadyTime::max();
  SteadyTime next_look = site.begin;
  // Looking whether all have finished takes time, too; so it is done seldom.
  while (!site.is_stopping) {
    site.loop.turn(std::min(stop, next_look));
    const SteadyTime now = site.loop.now();
    if (now < std::min(next_look, stop) && !site.is_done()) continue;
    next_look = now + look_around;
    site.is_stopping = now >= stop || should_stop() || (site.is_done() && all_finished(clients));
  }
}

}  // namespace

RunFacts perform(const std::vector<Node>& nodes, const Workload& workload,
                 const std::function<std::unique_ptr<Lock>()>& make, Trace& trace,
                 const std::function<bool()>& should_stop, const Part& part) {
  Loop loop;
  Network network(loop, nodes, workload);
  std::atomic<std::uint64_t> begun = 0;
  Counters counters;
  Site site{.loop = loop,
            .trace = trace,
            .workload = workload,
            .make = make,
            .begin = steady_now(),
            .begun = part.begun != nullptr ? *part.begun : begun,
            .counters = part.counters != nullptr ? *part.counters : counters,
            .before_send = part.before_send,
            .acquisitions_before = part.acquisitions_before,
            .chance = FaultChance(workload.faults, workload.one_in, workload.seed)};
  std::vector<std::unique_ptr<LiveClient>> clients;
  for (std::uint32_t i = part.first; i < part.first + workload.clients; ++i)
    clients.push_back(std::make_unique<LiveClient>(site, ClientId{i}, network.connections_of(ClientId{i})));
  const Disturber disturber(site, clients, nodes);
  std::optional<Pulse> pulse;
  if (part.beat) pulse.emplace(loop, *part.beat, part.on_stall);
  for (const auto& client : clients) client->start();
  let_run(site, clients, should_stop);
  RunFacts facts{.length = steady_now() - site.begin};
  const SteadyTime end =
      steady_now() + time_to_finish + workload.work + workload.fault_length + 2 * workload.timeout;
  while (!all_finished(clients) && steady_now() < end) loop.turn(end);
  for (const auto& client : clients) {
    if (!client->is_finished()) ++facts.cut_off;
    else if (facts.error.empty()) facts.error = client->error();
  }
  clients.clear();
  loop.turn(steady_now());  // connections of their own end here
  network.drain(workload.timeout);
  facts.commands = site.counters.commands;
  facts.round_trips = site.counters.round_trips;
  facts.struck = site.chance.struck();
  network.tell(facts);
  return facts;
}

}  // namespace holdfast::live
