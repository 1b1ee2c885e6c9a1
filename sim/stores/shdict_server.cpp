// A shared dictionary as a server of the world.
#include "sim/stores/kinds.hpp"
#include "sim/stores/shdict/dict.hpp"

namespace holdfast::stores {
namespace {

// It has no network, no file and no replica.
constexpr Traits traits_of_dict{.is_remote = false,
                                .persists = false,
                                .is_durable = false,
                                .replicates = false,
                                .elects = false,
                                .has_sessions = false,
                                .repeats_requests = false,
                                .reads_change_it = true,
                                .is_steady = false,
                                .only_orders = false};

class DictServer final : public Server {
 public:
  const Traits& traits() const override { return traits_of_dict; }
  std::unique_ptr<Server> clone() const override { return std::make_unique<DictServer>(*this); }
  std::optional<Reply> execute(ConnectionId, const Command& request, WallTime now,
                               Effects& effects) override {
    return dict_.execute(request, now, effects.changes);
  }
  void pass(WallTime now, Effects& effects) override { dict_.expire_due(now, effects.changes); }
  Ends next() const override { return {dict_.next_expiry(), std::nullopt}; }
  void visit(const Visitor& visitor) const override {
    using End = std::optional<MilliTicks>;
    for (const auto& [key, entry] : dict_.entries()) {
      const bool is_mortal = !entry.is_stale && entry.expires_ms != shdict::no_expiry;
      visitor(key, entry.value, is_mortal ? End(entry.expires_ms) : End(), entry.is_stale);
    }
  }
  void restart(bool, WallTime) override { dict_.restart(); }
  // What was not used for longest goes, and is listed last.
  std::uint32_t ways_to_evict() const override { return dict_.is_empty() ? 0 : 1; }
  std::string evict(std::uint32_t, WallTime now, Effects& effects) override {
    std::string key;
    for (const auto& [each, entry] : dict_.entries())
      if (dict_.value_of(each)) key = each;
    dict_.execute({"DELETE", key}, now, effects.changes);
    return key;
  }
  std::optional<std::string> value_of(std::string_view key) const override { return dict_.value_of(key); }
  std::optional<WallTime> expiry_of(std::string_view key) const override { return dict_.expiry_of(key); }

 private:
  shdict::Dict dict_;
};

}  // namespace

std::unique_ptr<Server> Kinds::make_shared_dict() { return std::make_unique<DictServer>(); }

}  // namespace holdfast::stores
