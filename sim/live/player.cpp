#include "sim/live/player.hpp"

#include <algorithm>

#include "sim/core/invariant.hpp"

namespace holdfast::live {
namespace {

constexpr std::int64_t million = 1'000'000;

std::vector<PlayerStore> stores_of(Player& player, const Player::Setting& setting) {
  std::vector<PlayerStore> stores;
  for (std::uint32_t i = 0; i < setting.nodes; ++i)
    stores.emplace_back(player, NodeId{i}, setting.driver_retries);
  return stores;
}

std::vector<Store*> pointers_to(std::vector<PlayerStore>& stores) {
  std::vector<Store*> pointers;
  for (PlayerStore& store : stores) pointers.push_back(&store);
  return pointers;
}

}  // namespace

void PlayerStore::submit(Call& call) {
  OwnConnection* const own = call.connection();
  if (own != nullptr && own->id == 0) own->id = ++player_.lines_;
  player_.submitted_.push_back({node_, own == nullptr ? 0 : own->id, call.take_command(), &call});
}

void PlayerStore::forget(Call& call) noexcept {
  for (Player::Submitted& submitted : player_.submitted_)
    if (submitted.call == &call) submitted.call = nullptr;
  std::erase_if(player_.under_way_, [&](const auto& entry) { return entry.second == &call; });
}

void PlayerStore::close(OwnConnection& connection) noexcept {
  player_.setting_.on_hang_up(player_.id_, connection.id);
}

Player::Player(ClientId id, const Setting& setting)
    : id_(id),
      setting_(setting),
      nodes_(stores_of(*this, setting)),
      stores_(pointers_to(nodes_)),
      env_(id, stores_, *this, *this) {}

void Player::begin(Duration wall_offset) {
  ++lives_;
  wall_offset_ = wall_offset;
  lock_ = setting_.card.make(setting_.params);
}

void Player::crash() {
  acquiring_ = Task<Attempt>();
  releasing_ = Task<Release>();
  lock_.reset();
  submitted_.clear();
}

void Player::begin_acquiring(const std::string& key, Mode mode) {
  INVARIANT(lock_ != nullptr, "only a client that has started acquires");
  acquiring_ = lock_->acquire(env_, key, mode);
  acquiring_.start();
}

void Player::begin_releasing(const std::string& key) {
  INVARIANT(lock_ != nullptr, "only a client that has started releases");
  releasing_ = lock_->release(env_, key, grant_);
  releasing_.start();
}

Attempt Player::take_attempt() {
  Attempt attempt = acquiring_.take();
  if (attempt.is_granted()) grant_ = attempt.grant();
  return attempt;
}

template <class Done>
bool Player::goes_on_until(const Done& is_done) {
  while (!is_done()) {
    const auto next = std::min_element(asleep_.begin(), asleep_.end());
    if (next == asleep_.end() || next->first > setting_.now) return false;
    Sleep& sleep = *next->second;
    asleep_.erase(next);
    run(sleep.wake());
  }
  return true;
}

bool Player::has_sent() {
  return goes_on_until([this] { return !submitted_.empty(); });
}
bool Player::has_acquired() {
  return goes_on_until([this] { return acquiring_.is_done(); });
}
bool Player::has_released() {
  return goes_on_until([this] { return releasing_.is_done(); });
}

Player::Sending Player::next_sent() const {
  const Submitted& next = submitted_.front();
  return {next.node, next.line, next.command.argv()};
}

void Player::send_next(MessageId message) {
  if (Call* const call = submitted_.front().call) under_way_[message.value] = call;
  submitted_.pop_front();
}

bool Player::deliver(MessageId message, Reply reply) {
  const auto found = under_way_.find(message.value);
  if (found == under_way_.end() && (!reply.is_lost() || !has_sent() || next_sent().line == 0)) return false;
  Call* const call = found == under_way_.end() ? submitted_.front().call : found->second;
  if (found == under_way_.end()) submitted_.pop_front();
  else under_way_.erase(found);
  if (call != nullptr) run(call->complete(std::move(reply)));
  return true;
}

// --- clocks and chance: as sim/world gives them ---

WallTime Player::wall() {
  const Duration since = setting_.now.time_since_epoch();
  return setting_.epoch + since + since * setting_.drift_ppm / million + wall_offset_;
}

SteadyTime Player::steady() {
  const Duration since = setting_.now.time_since_epoch();
  return SteadyTime(since + since * setting_.drift_ppm / million);
}

void Player::arm(Sleep& sleep) {
  const std::int64_t rate = million + setting_.drift_ppm;
  const Duration length((sleep.duration().count() * million + rate - 1) / rate);
  asleep_.emplace_back(setting_.now + std::max(Duration::zero(), length), &sleep);
}

void Player::disarm(Sleep& sleep) noexcept {
  std::erase_if(asleep_, [&](const auto& entry) { return entry.second == &sleep; });
}

std::string Player::token() {
  constexpr std::uint32_t letters = 26;
  return name_of(id_) + (id_.value < letters ? "" : ".") + std::to_string(++tokens_);
}

std::string Player::identity() {
  constexpr std::uint32_t letters = 26;
  return name_of(id_) + (id_.value < letters ? "." : "..") + std::to_string(lives_);
}

Duration Player::jitter(Duration most) {
  if (jitters_.empty()) return Duration::zero();
  const Choice choice = jitters_.front();
  jitters_.pop_front();
  return most * choice.picked / (choice.options - 1);
}

}  // namespace holdfast::live
