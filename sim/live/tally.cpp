#include "sim/live/tally.hpp"

#include <algorithm>

namespace holdfast::live {

Tally::Tally(const Workload& workload)
    : Observer(events_of<Acquiring, Granted, Refused, Releasing, Released, Crashed>()),
      workload_(workload),
      clients_(workload.clients),
      locks_(workload.locks) {}

void Tally::on(const Event& event) {
  if (const auto* const asking = std::get_if<Acquiring>(&event.what)) {
    PerClient& client = clients_[asking->acquisition.client.value];
    // A further attempt of the same round goes on waiting.
    if (client.is_waiting) return;
    client.is_waiting = true;
    client.since = event.at;
    client.grants_before = locks_[workload_.lock_of(asking->acquisition.client)].grants;
  } else if (const auto* const granted = std::get_if<Granted>(&event.what)) {
    note_granted(granted->acquisition.client, event.at);
  } else if (const auto* const refused = std::get_if<Refused>(&event.what)) {
    ++(refused->kind == Attempt::Kind::failed ? failures_ : refusals_);
    if (refused->kind == Attempt::Kind::failed) last_failure_ = refused->why;
  } else if (const auto* const releasing = std::get_if<Releasing>(&event.what)) {
    end_claim(releasing->acquisition.client);
  } else if (std::holds_alternative<Released>(event.what)) {
    ++pairs_;
  } else if (const auto* const crashed = std::get_if<Crashed>(&event.what)) {
    clients_[crashed->client.value].is_waiting = false;
    end_claim(crashed->client);
  }
}

void Tally::note_granted(ClientId id, Instant at) {
  PerClient& client = clients_[id.value];
  PerLock& lock = locks_[workload_.lock_of(id)];
  bypass_max_ = std::max(bypass_max_, lock.grants - client.grants_before);
  overlaps_ += lock.claiming > 0 ? 1 : 0;
  client.is_waiting = false;
  client.is_claiming = true;
  ++client.grants;
  ++lock.grants;
  ++lock.claiming;
  waits_.push_back(at - client.since);
  is_sorted_ = false;
}

void Tally::end_claim(ClientId id) {
  PerClient& client = clients_[id.value];
  if (!std::exchange(client.is_claiming, false)) return;
  --locks_[workload_.lock_of(id)].claiming;
}

Duration Tally::wait(std::uint32_t per_mille) const {
  if (waits_.empty()) return Duration::zero();
  if (!std::exchange(is_sorted_, true)) std::sort(waits_.begin(), waits_.end());
  const std::size_t rank = (waits_.size() * per_mille + 999) / 1000;
  return waits_[std::max<std::size_t>(rank, 1) - 1];
}

double Tally::jain_index() const {
  double least = 1;
  std::uint64_t all = 0;
  for (std::uint32_t lock = 0; lock < locks_.size(); ++lock) {
    double clients = 0;
    double sum = 0;
    double squares = 0;
    for (std::uint32_t i = lock; i < clients_.size(); i += workload_.locks) {
      const auto grants = static_cast<double>(clients_[i].grants);
      clients += 1;
      sum += grants;
      squares += grants * grants;
    }
    all += locks_[lock].grants;
    if (squares > 0) least = std::min(least, sum * sum / (clients * squares));
  }
  return all == 0 ? 0 : least;
}

}  // namespace holdfast::live
