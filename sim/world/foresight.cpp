// Worlds of very many clients do not fit into the memory near to the processor, and each event is about
// another client. What comes next is known: what it will need is fetched while the events before it happen,
// in three stages, because one thing says where the next one is. Nothing here changes anything.
#include "sim/core/fetch.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

void Client::fetch_own() const {
  const char* const seldom = reinterpret_cast<const char*>(&grant_);
  fetch(this, static_cast<std::size_t>(seldom - reinterpret_cast<const char*>(this)));
}

void Client::fetch_key() const { fetch(&key_, sizeof key_ + sizeof locked_place_); }

void Client::fetch_frames() const {
  // Of a frame of a lock's coroutine, mostly.
  constexpr std::size_t frame_bytes = 448;
  fetch(program_.frame(), 192);
  fetch(acquiring_.frame(), frame_bytes);
  fetch(lock_.get(), 1);
}

void World::look_ahead() {
  using Kind = Pending::Kind;
  const auto third = [this](const Due& due) {
    const Client& mover = client_of(due.client);
    if (due.kind == Kind::reply) fetch(messages_[due.slot].call, sizeof(Call));
    if (due.kind != Kind::request) return mover.fetch_frames();
    const Shelf& shelf = servers_[messages_[due.slot].node.value].shelf;
    fetch(&shelf.locked[mover.locked_place()], sizeof(LockedKey));
    shelf.data.fetch(mover.key());
  };
  const auto second = [this](const Due& due) {
    const Client& mover = client_of(due.client);
    if (due.kind != Kind::request) return mover.fetch_own();
    mover.fetch_key();
    messages_[due.slot].command.fetch();
  };
  const auto first = [this](const Due& due) {
    fetch(&clients_[due.client.value], 1);
    if (due.kind == Kind::start || due.kind == Kind::wake) return;
    fetch(&messages_[due.slot], sizeof(Message));
    timeouts_.fetch(due.slot);
  };
  foresight_->go_on(*later_, now_, first, second, third);
}

}  // namespace holdfast
