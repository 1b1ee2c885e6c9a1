// A Redis as a server of the world.
#include <bit>
#include <charconv>
#include <chrono>

#include "sim/stores/kinds.hpp"
#include "sim/stores/redis/redis.hpp"
#include "sim/stores/redis/scripts.hpp"
#include "sim/stores/redis/values.hpp"

namespace holdfast::stores {
namespace {

constexpr Traits traits_of_redis{.is_remote = true,
                                 .persists = true,
                                 .is_durable = false,
                                 .replicates = true,
                                 .elects = false,
                                 .has_sessions = true,
                                 .repeats_requests = true,
                                 .reads_change_it = false,
                                 .is_steady = false,
                                 .only_orders = false};

std::int64_t number_of(std::string_view word) {
  std::int64_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

struct Elements {
  Server::Lister& lister;
  void operator()(const std::string& text) { lister.text(text); }
  void operator()(const redis::List& list) {
    for (const std::string& each : list.elements) lister.element(each);
  }
  void operator()(const redis::Set& set) {
    for (const std::string& each : set.members()) lister.element(each);
  }
  void operator()(const redis::SortedSet& set) {
    for (const auto& [score, name] : set.members()) lister.ranked(name, std::bit_cast<std::uint64_t>(score));
  }
  void operator()(const redis::Hash& hash) {
    for (const auto& [name, text] : hash.fields()) lister.field(name, text);
  }
};

class RedisServer final : public Server {
 public:
  explicit RedisServer(redis::Scripts& scripts) : redis_(scripts) { redis_.set_replicas(1); }

  const Traits& traits() const override { return traits_of_redis; }
  std::unique_ptr<Server> clone() const override { return std::make_unique<RedisServer>(*this); }
  std::optional<Reply> execute(ConnectionId session, const Command& request, WallTime now,
                               Effects& effects) override {
    if (session.value != 0) return redis_.execute(session, request, now, effects.changes, effects.pushes);
    return redis_.execute(request, now, effects.changes, effects.pushes);
  }
  void configure(const std::string& name, const std::string& value) override {
    redis_.configure(name, value);
  }
  void pass(WallTime now, Effects& effects) override {
    redis_.expire_due(now, effects.changes, effects.pushes);
    redis_.end_waits_due(now, effects.pushes);
  }
  Ends next() const override { return {redis_.next_expiry(), redis_.next_wait_end()}; }
  void visit(const Visitor& visitor) const override {
    using End = std::optional<MilliTicks>;
    std::string scratch;
    redis_.keys().visit([&](const std::string& key, const redis::Entry& entry) {
      visitor(key, redis::canonical_text(entry.value, scratch),
              entry.expires_ms == redis::no_expiry ? End() : End(entry.expires_ms), false);
    });
  }

  // The cache of scripts is in no file (Redis documentation, EVALSHA).
  void restart(bool keeps_data, WallTime now) override {
    if (!keeps_data) return redis_.restart();
    Changes unheard;
    redis_.disconnect_all();
    redis_.execute({"SCRIPT", "FLUSH"}, now, unheard);
    redis_.forget_settings();
  }
  // It samples: it may be any.
  std::uint32_t ways_to_evict() const override { return static_cast<std::uint32_t>(living_keys().size()); }
  std::string evict(std::uint32_t way, WallTime now, Effects& effects) override {
    std::string key = living_keys()[way];
    redis_.evict(key, now, effects.changes, effects.pushes);
    return key;
  }

  bool end(ConnectionId session, WallTime, Effects&) override {
    redis_.disconnect(session);
    return true;
  }
  // CONFIG SET is not replicated.
  void take_over(WallTime) override {
    redis_.disconnect_all();
    redis_.forget_settings();
  }
  void end_all_sessions() override { redis_.disconnect_all(); }
  void visit_sessions(const SessionVisitor& visitor) const override {
    redis_.visit_connections(
        [&](ConnectionId session, std::string_view state, std::optional<WallTime> until) {
          visitor(session, state, std::nullopt, until, redis_.is_waiting(session));
        });
  }
  // Redis takes the name in any case; locks write it so.
  std::optional<Acknowledgement> asks_replicas(const Command& request) const override {
    const WordsView words = request.argv();
    if (words.empty() || words.front() != "WAIT") return std::nullopt;
    if (words.size() < 3) return Acknowledgement{};
    return Acknowledgement{number_of(words[1]), std::chrono::milliseconds(number_of(words[2]))};
  }
  Told told() const override {
    return {.the_time = redis_.has_told_time(),
            .texts_apart = redis_.has_told_apart(),
            .texts_in_parts = redis_.has_told_in_parts(),
            .not_simulated = redis_.not_simulated()};
  }
  std::string looked() const override {
    if (redis_.looked().empty()) return redis_.scripts().looked();
    return std::string(redis_.looked()) + " looks into texts, and the program makes some by chance";
  }
  std::uint64_t digest_of_rest() const override {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // so that it is none of the sums of scripts
    return redis_.loaded_scripts_digest() + redis_.notices_changed() * odd;
  }

  std::optional<std::string> value_of(std::string_view key) const override { return redis_.value_of(key); }
  bool has(std::string_view key) const override { return redis_.keys().has(key); }
  std::optional<WallTime> expiry_of(std::string_view key) const override { return redis_.expiry_of(key); }
  void list(std::string_view key, Lister& lister) const override {
    if (const redis::Entry* const entry = redis_.keys().find(key)) std::visit(Elements{lister}, entry->value);
  }
  bool is_empty() const override { return redis_.is_empty(); }

 private:
  std::vector<std::string> living_keys() const {
    std::vector<std::string> keys;
    redis_.keys().visit([&](const std::string& key, const redis::Entry&) {
      if (redis_.value_of(key)) keys.push_back(key);
    });
    return keys;
  }
  redis::Redis redis_;
};

}  // namespace

std::unique_ptr<Server> Kinds::make_redis() { return std::make_unique<RedisServer>(*scripts_); }

}  // namespace holdfast::stores
