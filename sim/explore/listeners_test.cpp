// Who listens without a timeout, on a connection that breaks: it is told, or it keeps its place for ever.
#include <gtest/gtest.h>

#include "sim/core/etcd.hpp"
#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

struct Nothing {
  bool is_there = false;
};

// A queue of keys with leases. Each client but the first waits until the key before its own is gone.
class Listening final : public LockThatKeeps<Nothing> {
 public:
  explicit Listening(bool is_told) : is_told_(is_told) {}
  Task<Attempt> acquire(Env& env, std::string key, Mode) const override {
    const std::string lease = env.random.token();
    const std::string own = key + "/" + lease;
    const Reply granted = co_await Etcd(env.store()).grant(lease, 6s);
    const Background alive(env, *this, &Listening::renew, lease);
    const EtcdTxn enter = EtcdTxn().then().put(own, "", lease).get(EtcdGet(own).tell("create"));
    const Reply entered = co_await Etcd(env.store()).transact(enter);
    if (granted.is_lost() || entered.is_lost()) co_return Attempt::failed("no answer");
    const std::int64_t created = number_in(entered.elements()[2]);
    for (;;) {
      const EtcdTxn look =
          EtcdTxn().then().get(EtcdGet(key + "/").prefix().last().below(created).tell("key")).revision();
      EtcdWatch watch(env.store());
      const Reply looked = co_await watch.look(look);
      if (looked.is_lost()) continue;
      const std::string before = text_in(looked.elements()[1]);
      if (before.empty()) break;
      if (is_told_) co_await watch.deletes_of(before, looked.elements()[2].number() + 1);
      else co_await watch.send(Command("WATCH", before, "FROM", looked.elements()[2].number() + 1, "NOPUT"));
      co_await watch.next();
    }
    Grant grant(lease);
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string, Grant grant) const override {
    const Reply ended = co_await Etcd(env.store()).revoke(grant.token);
    co_return ended.is_lost() ? Release::unknown : Release::released;
  }

 private:
  Task<> renew(Env& env, std::string lease) const {
    for (;;) {
      env.loop_head();
      co_await env.clock.sleep(2s);
      co_await Etcd(env.store()).keep_alive(lease);
    }
  }
  bool is_told_;
};

Verdict recovery_of(bool is_told, Fault fault) {
  Card card;
  card.id = "listening";
  card.make = [=](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Listening>(is_told); };
  card.store = StoreKind::etcd;
  card.keys = {"queue:NAME/"};
  using Op = ProgramStep::Op;
  Scenario scenario;
  scenario.algorithm = card.id;
  const ProgramStep acquire{.op = Op::acquire};
  const ProgramStep work{.op = Op::work, .length = 2s};
  const ProgramStep release{.op = Op::release};
  scenario.clients = {{.id = "A", .program = {acquire, work, release}},
                      {.id = "B", .start = 1s, .program = {acquire, release}}};
  scenario.faults = {{.kind = fault, .magnitude = 4s}};
  scenario.timing.delay_max = 0s;
  scenario.check = {Property::recovery};
  const Exploration found = explore(scenario, card, Budget());
  EXPECT_TRUE(found.complete);
  return found.properties.at(0).verdict;
}

// A lost message breaks the connection, as in TCP, and who watches there asks anew.
TEST(Listeners, AreToldThatTheirConnectionBroke) {
  for (const Fault fault : {Fault::none, Fault::lost_reply, Fault::partition})
    EXPECT_EQ(recovery_of(true, fault), Verdict::holds) << id_of(fault);
}

// It waits for ever for what has happened, and its renewals keep a new client waiting behind it.
TEST(Listeners, ThatAreNotToldKeepTheirPlaceForEver) {
  EXPECT_EQ(recovery_of(false, Fault::none), Verdict::holds);
  for (const Fault fault : {Fault::lost_reply, Fault::partition})
    EXPECT_EQ(recovery_of(false, fault), Verdict::violated) << id_of(fault);
}

}  // namespace
}  // namespace holdfast
