#include "sim/explore/coverage.hpp"

#include <utility>

namespace holdfast {

void Coverage::begin() {
  clients_.clear();
  key_ = 0;
  changed_ = false;
}

void Coverage::on(const Event& event) {
  const std::uint64_t kind = event.what.index() + 1;
  if (const auto* changed = std::get_if<KeyChanged>(&event.what)) {
    const auto who = [](const Acquisition& acquisition) -> std::uint64_t {
      return acquisition.is_nobody() ? 0 : acquisition.client.value + 1;
    };
    key_ = static_cast<std::uint64_t>(changed->kind) | who(changed->by) << 8 | who(changed->before) << 20 |
           who(changed->after) << 32;
    changed_ = true;
  } else if (const auto* executed = std::get_if<Executed>(&event.what)) {
    note(executed->acquisition.client.value, kind);
  } else if (event.actor.kind == Actor::Kind::client) {
    note(event.actor.index, kind);
  }
}

void Coverage::note(std::size_t client, std::uint64_t what) {
  if (client >= clients_.size()) clients_.resize(client + 1);
  clients_[client] = (clients_[client] << 8 | what) & 0xffff;
  changed_ = true;
}

bool Coverage::is_new() {
  if (!std::exchange(changed_, false)) return false;
  digester_.clear();
  digester_.add(key_);
  for (const std::uint64_t client : clients_) digester_.add(client);
  return seen_.insert(digester_.finish());
}

}  // namespace holdfast
