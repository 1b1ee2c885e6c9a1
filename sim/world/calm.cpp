// The end of a run: its clients come to rest, then the probe tries the lock, and perhaps one of them comes
// back.
#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

// Nothing is left to happen: the clients are done. First the calm phase, then the end.
void World::come_to_rest() {
  INVARIANT(std::none_of(network_.messages().begin(), network_.messages().end(),
                         [](const Message& each) { return each.id != MessageId{} && each.call == nullptr; }),
            "a run rests only when every message has landed");
  if (do_all_wait_in_vain())
    for (const auto& each : clients_)
      if (each->is_in_acquire()) each->give_up_waiting();
  INVARIANT(clients_.unfinished() <= stuck(), "a client waits only for what will happen, or for ever");
  if (!course_.calm) return begin_calm();
  if (let_somebody_come_back()) return;
  for (const auto& each : clients_)
    if (clients_.is_unfinished(*each) && each->plan().role == Role::user)
      emit(actor_of(each->id()), Stuck{each->acquisition()});
  end();
}

// No claim, no lease, and no key that a command of a client wrote to take it.
bool World::is_lock_free() const {
  return clients_.holders() == 0 && !servers_.is_any_owned() && !servers_.is_any_mortal();
}

bool World::do_all_wait_in_vain() {
  // A call that is going to be given up is no wait in vain, however soon the lock is owed.
  const Timing& timing = scenario_.timing;
  const Duration bound = std::max({bound_of_calm(), timing.recovery, timing.timeout});
  if (!asks_for_progress_ || is_timed() || course_.calm) return false;
  if (!dense_ && (outlook_.next == never || outlook_.next - now_ <= bound)) return false;
  const auto is_wait = [&](const Scheduled& each) {
    return each.resumes_client() && clients_.at(each.client).is_in_acquire();
  };
  const std::span<const Scheduled> pending = network_.pending();
  if (pending.empty() || !std::all_of(pending.begin(), pending.end(), is_wait)) return false;
  if (dense_)
    return is_lock_free() && std::none_of(pending.begin(), pending.end(), [&](const Scheduled& each) {
             return each.earliest - now_ <= bound;
           });
  if (is_lock_free()) return true;
  for (const Server& each : servers_.all())
    outlook_.next = std::min(outlook_.next, servers_.next_death(each));
  return false;
}

// First the probe gives back, then one of the others comes back: which, is a choice, so that clients which do
// the same may change places. False: no client comes back any more.
bool World::let_somebody_come_back() {
  if (!do_clients_come_back() || course_.calm_until != never || clients_.unfinished() > 0) return false;
  if (course_.turn == Turn::return_of_a_client) return false;
  Client& probe = clients_.at(ClientId{static_cast<std::uint32_t>(clients_.size()) - 1});
  if (course_.turn == Turn::probe && !probe.was_granted()) return false;
  // Whose turn it is says whether clients that have finished may come back.
  touched_.note_all();
  if (course_.turn == Turn::probe) {
    course_.turn = Turn::giving_back;
    probe.give_back();
    return true;
  }
  std::vector<Client*> others;
  for (const auto& each : clients_)
    if (each.get() != &probe && each->has_lock() && each->plan().role == Role::user)
      others.push_back(each.get());
  if (others.empty()) return false;
  course_.turn = Turn::return_of_a_client;
  const auto count = static_cast<std::uint32_t>(others.size());
  Client& back = *others[count > 1 ? choices_.pick(Site::variant, Actor{}, count) : 0];
  emit(actor_of(back.id()), CameBack{back.id(), bound_of_calm()});
  back.come_back(returns_[static_cast<std::size_t>(back.mode())]);
  return true;
}

void World::begin_calm() {
  // Who waits in vain may keep what the new client waits for alive, for ever.
  const std::span<const Scheduled> pending = network_.pending();
  const bool is_kept_alive = std::any_of(pending.begin(), pending.end(), [&](const Scheduled& each) {
    return clients_.at(each.client).is_in_acquire();
  });
  course_.calm = true;
  faults_.stop();
  network_.heal_all();
  end_lines_of_the_gone();
  const Timing& timing = scenario_.timing;
  const ClientId probe{static_cast<std::uint32_t>(clients_.size())};
  probe_plan_.program.push_back({.op = ProgramStep::Op::acquire, .attempts = timing.recovery_rounds});
  for (const Mode mode : {Mode::exclusive, Mode::shared})
    returns_[static_cast<std::size_t>(mode)] = {
        {.op = ProgramStep::Op::acquire, .attempts = timing.recovery_rounds, .mode = mode},
        {.op = ProgramStep::Op::release}};
  add_client(probe_plan_);
  schedule({.kind = Scheduled::Kind::start, .client = probe, .earliest = now_, .latest = now_});
  if (clients_.do_any_go_on() || is_kept_alive) course_.calm_until = now_ + bound_of_calm();
  emit(Actor{}, Calm{probe, bound_of_calm()});
}

void World::end() {
  course_.over = true;
  emit(Actor{}, Ended{});
}

}  // namespace holdfast
