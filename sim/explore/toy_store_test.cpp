// The seam of stores: a register with leases that no other file knows, and a lock on it, explored.
#include <gtest/gtest.h>

#include <charconv>
#include <map>

#include "sim/explore/planted_test.hpp"
#include "sim/stores/kinds.hpp"

namespace holdfast {
namespace {

constexpr stores::Traits traits_of_registers{.is_remote = true,
                                             .persists = false,
                                             .is_durable = false,
                                             .replicates = false,
                                             .elects = false,
                                             .has_sessions = false,
                                             .repeats_requests = true,
                                             .reads_change_it = false,
                                             .is_steady = false,
                                             .only_orders = false};

// TAKE name owner milliseconds: OK, or nil while another has it. DROP name owner: 1, or 0 if another has it.
class Registers final : public stores::Server {
  struct Register {
    std::string owner;
    std::int64_t end_ms;  // the last millisecond of its lease
  };

 public:
  const stores::Traits& traits() const override { return traits_of_registers; }
  std::unique_ptr<Server> clone() const override { return std::make_unique<Registers>(*this); }
  std::optional<Reply> execute(ConnectionId, const Command& request, WallTime now,
                               stores::Effects& effects) override {
    pass(now, effects);
    const WordsView words = request.argv();
    const std::string name(words[1]);
    const auto found = all_.find(name);
    const bool is_own = found != all_.end() && found->second.owner == words[2];
    if (words[0] == "DROP") {
      if (is_own) effects.changes.push_back({name, Change::Kind::removed});
      if (is_own) all_.erase(found);
      return Reply::integer(is_own ? 1 : 0);
    }
    if (found != all_.end()) return Reply();
    std::int64_t lease = 0;
    std::from_chars(words[3].data(), words[3].data() + words[3].size(), lease);
    all_[name] = {std::string(words[2]), to_milliseconds(now.time_since_epoch()) + lease};
    effects.changes.push_back({name, Change::Kind::created});
    return Reply::ok();
  }
  void pass(WallTime now, stores::Effects& effects) override {
    std::erase_if(all_, [&](const auto& each) {
      const bool is_over = each.second.end_ms < to_milliseconds(now.time_since_epoch());
      if (is_over) effects.changes.push_back({each.first, Change::Kind::expired});
      return is_over;
    });
  }
  Ends next() const override {
    Ends ends;
    for (const auto& [name, it] : all_) {
      const WallTime end(std::chrono::milliseconds(it.end_ms) + 999us);
      if (!ends.key || end < *ends.key) ends.key = end;
    }
    return ends;
  }
  void visit(const Visitor& visitor) const override {
    for (const auto& [name, it] : all_) visitor(name, it.owner, it.end_ms, false);
  }
  void restart(bool, WallTime) override { all_.clear(); }
  std::uint32_t ways_to_evict() const override { return 0; }
  std::string evict(std::uint32_t, WallTime, stores::Effects&) override { return {}; }

 private:
  std::map<std::string, Register> all_;
};

constexpr StoreKind registers{store_kind_ids.size()};

class RegisterLock final : public Lock {
 public:
  explicit RegisterLock(bool compares) : compares_(compares) {}
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string owner = compares_ ? env.random.token() : "anybody";
    const Reply reply = co_await env.store().send(Command("TAKE", key, owner, "4000"));
    if (reply.is_lost()) co_return Attempt::failed("no answer");
    if (reply.is_nil()) co_return Attempt::refused("taken");
    Grant grant(owner);
    grant.lease = 4s;
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply reply = co_await env.store().send(Command("DROP", key, grant.token));
    co_return reply.is(1) ? Release::released : reply.is(0) ? Release::not_held : Release::unknown;
  }

 private:
  bool compares_;
};

template <bool compares>
Card card() {
  Card card{.id = "register", .summary = "", .source = "", .lesson = "", .claims = {}, .parameters = {}};
  card.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<RegisterLock>(compares); };
  card.is_stateless = true;
  card.store = registers;
  return card;
}

Verdict verdict(const Card& card, Fault fault, Property property) {
  const Exploration found = explore(scenario_of(Comparison(), card, fault), card, Budget());
  EXPECT_TRUE(found.complete) << id_of(fault);
  return planted::result_of(found, property).verdict;
}

TEST(ToyStore, IsExploredAsAnyOther) {
  const Card owned = card<true>();
  const Card anybodys = card<false>();
  EXPECT_EQ(verdict(owned, Fault::none, Property::mutual_exclusion), Verdict::holds);
  EXPECT_EQ(verdict(owned, Fault::pause, Property::mutual_exclusion), Verdict::violated);
  EXPECT_EQ(verdict(owned, Fault::pause, Property::owner_only_release), Verdict::holds);
  EXPECT_EQ(verdict(anybodys, Fault::pause, Property::owner_only_release), Verdict::violated);
  EXPECT_EQ(verdict(owned, Fault::restart, Property::mutual_exclusion), Verdict::violated);
  EXPECT_EQ(verdict(owned, Fault::eviction, Property::mutual_exclusion), Verdict::not_applicable);
}

}  // namespace

std::unique_ptr<stores::Server> stores::make_own(StoreKind) { return std::make_unique<Registers>(); }

}  // namespace holdfast
