// Worlds of very many clients do not fit into the memory near to the processor, and each event is about
// another client. What comes next is known: what it will need is fetched while the events before it happen,
// in three stages, because one thing says where the next one is. Nothing here changes anything.
#include <atomic>

#include "sim/world/world.hpp"

namespace holdfast {
namespace {

// So many stay near anyway.
constexpr std::size_t clients_nearby = 1'000;
// Of a frame of a lock's coroutine, mostly.
constexpr std::size_t frame_bytes = 448;

// Null: nothing is there.
void fetch(const void* begin, std::size_t bytes) {
  constexpr std::size_t line = 64;
  if (begin == nullptr) return;
  const char* const first = static_cast<const char*>(begin);
  for (std::size_t at = 0; at < bytes; at += line) __builtin_prefetch(first + at);
  // Without this g++ 12 takes out loops that only fetch.
  std::atomic_signal_fence(std::memory_order_acq_rel);
}

}  // namespace

void Client::fetch_own() const {
  const char* const seldom = reinterpret_cast<const char*>(&grant_);
  fetch(this, static_cast<std::size_t>(seldom - reinterpret_cast<const char*>(this)));
}

void Client::fetch_frames() const {
  fetch(program_.frame(), 192);
  fetch(acquiring_.frame(), frame_bytes);
  fetch(lock_.get(), 1);
}

void World::look_ahead() const {
  if (clients_.size() <= clients_nearby) return;
  using Kind = Pending::Kind;
  const auto third = [this](const Due& due) {
    const Client& mover = client_of(due.client);
    if (due.kind == Kind::reply) fetch(messages_[due.slot].call, sizeof(Call));
    if (due.kind != Kind::request) return mover.fetch_frames();
    const Shelf& shelf = servers_[messages_[due.slot].node.value].shelf;
    fetch(&shelf.locked[mover.locked_place()], 1);
    shelf.data.look_up(mover.key());
  };
  const auto second = [this](const Due& due) {
    const Client& mover = client_of(due.client);
    if (due.kind != Kind::request) return mover.fetch_own();
    fetch(&mover.key(), 1);
    messages_[due.slot].command.fetch();
  };
  const auto first = [this](const Due& due) {
    fetch(&clients_[due.client.value], 1);
    if (due.kind == Kind::start || due.kind == Kind::wake) return;
    fetch(&messages_[due.slot], sizeof(Message));
    timeouts_.fetch(due.slot);
  };
  later_->visit_next(third, second, first);
}

}  // namespace holdfast
