#include "sim/live/workload.hpp"

#include <algorithm>
#include <exception>
#include <vector>

namespace holdfast::live {

bool Site::begin_round() {
  if (is_stopping || is_done()) return false;
  ++begun;
  return true;
}

LiveClient::LiveClient(Site& site, ClientId id, Connection& connection, std::unique_ptr<Lock> lock)
    : site_(site),
      id_(id),
      key_(site.workload.key_prefix + "lock:" + std::to_string(site.workload.lock_of(id))),
      clock_(site.loop),
      random_(site.workload.unique + name_of(id) + "-", site.workload.seed + id.value),
      store_(connection, *this),
      env_(id, stores_, clock_, random_),
      lock_(std::move(lock)),
      acquisition_{id, 0},
      program_(run_program()) {}

Task<> LiveClient::run_program() {
  emit(Started{id_, Duration::zero()});
  while (site_.begin_round()) {
    bool holds = false;
    while (!holds) {
      begin_acquiring();
      const Attempt outcome = co_await lock_->acquire(env_, key_, Mode::exclusive);
      holds = end_acquiring(outcome);
      if (holds) break;
      if (site_.is_stopping) co_return;
      co_await clock_.sleep(site_.workload.retry);
    }
    emit(Working{acquisition_, site_.workload.work});
    if (site_.workload.work > Duration::zero()) co_await clock_.sleep(site_.workload.work);
    emit(Wrote{acquisition_, true});
    emit(Releasing{acquisition_});
    const Release result = co_await lock_->release(env_, key_, grant_);
    emit(Released{acquisition_, result});
  }
}

std::string LiveClient::error() {
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
  emit(Granted{acquisition_, Mode::exclusive, never, grant_.fence, std::string()});
  return true;
}

void LiveClient::on_sent(const Call&) {
  ++site_.commands;
  // Requests that leave together come back together.
  if (std::exchange(last_turn_, site_.loop.turns()) != site_.loop.turns()) ++site_.round_trips;
}

namespace {

constexpr Duration look_around = 20ms;  // how often `should_stop` is asked
// How long clients may take to finish what they began, beyond what their calls and their work take.
constexpr Duration patience = 3s;

bool all_finished(const std::vector<std::unique_ptr<LiveClient>>& clients) {
  return std::all_of(clients.begin(), clients.end(),
                     [](const auto& client) { return client->is_finished(); });
}

// Requests whose callers are gone may still be on their way; nobody may be surprised by them later.
void drain(Loop& loop, const std::vector<std::unique_ptr<Connection>>& connections, Duration longest) {
  const SteadyTime end = steady_now() + longest;
  const auto is_idle = [](const auto& connection) { return connection->is_idle(); };
  while (steady_now() < end && !std::all_of(connections.begin(), connections.end(), is_idle)) loop.turn(end);
}

}  // namespace

RunFacts perform(const Address& address, const Workload& workload,
                 const std::function<std::unique_ptr<Lock>()>& make, Trace& trace,
                 const std::function<bool()>& should_stop) {
  Loop loop;
  std::vector<std::unique_ptr<Connection>> connections;
  for (std::uint32_t i = 0; i < workload.connections; ++i)
    connections.push_back(std::make_unique<Connection>(loop, address, workload.timeout));
  Site site{.loop = loop, .trace = trace, .workload = workload, .begin = steady_now()};
  std::vector<std::unique_ptr<LiveClient>> clients;
  for (std::uint32_t i = 0; i < workload.clients; ++i)
    clients.push_back(
        std::make_unique<LiveClient>(site, ClientId{i}, *connections[i % connections.size()], make()));
  for (const auto& client : clients) client->start();
  const SteadyTime stop = workload.length ? site.begin + *workload.length : SteadyTime::max();
  SteadyTime next_look = site.begin;
  // Looking whether all have finished takes time, too; so it is done seldom.
  while (!site.is_stopping) {
    loop.turn(std::min(stop, next_look));
    const SteadyTime now = steady_now();
    if (now < std::min(next_look, stop) && !site.is_done()) continue;
    next_look = now + look_around;
    site.is_stopping = now >= stop || should_stop() || (site.is_done() && all_finished(clients));
  }
  RunFacts facts{.length = steady_now() - site.begin};
  const SteadyTime end = steady_now() + patience + workload.work + 2 * workload.timeout;
  while (!all_finished(clients) && steady_now() < end) loop.turn(end);
  for (const auto& client : clients) {
    if (!client->is_finished()) ++facts.cut_off;
    else if (facts.error.empty()) facts.error = client->error();
  }
  clients.clear();
  drain(loop, connections, workload.timeout);
  facts.commands = site.commands;
  facts.round_trips = site.round_trips;
  for (const auto& connection : connections) {
    facts.breaks += connection->breaks();
    if (!connection->trouble().empty()) facts.trouble = connection->trouble();
  }
  return facts;
}

}  // namespace holdfast::live
