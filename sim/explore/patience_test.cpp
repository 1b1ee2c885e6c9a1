// A client without timeouts: it learns that no answer comes when none can come any more.
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include "sim/explore/planted_test.hpp"

namespace holdfast {
namespace {

// Takes the lock again at once where it does not know what became of its request.
class Patient final : public Lock {
 public:
  explicit Patient(bool is_patient) : is_patient_(is_patient) {}
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    Call call = Redis(env.store()).set(key, token, SetOptions().px(4s).nx());
    if (is_patient_) call.patiently();
    const Reply reply = co_await call;
    if (reply.is_lost()) co_return Attempt::failed("no answer");
    if (reply.is_nil()) co_return Attempt::refused("held");
    Grant grant(token);
    grant.lease = 4s;
    co_return Attempt(grant);
  }
  Task<Release> release(Env& env, std::string key, Grant grant) override {
    Call call = Redis(env.store()).eval(compare_and_delete, Keys(key), Args(grant.token));
    if (is_patient_) call.patiently();
    const Reply reply = co_await call;
    if (reply.is_lost()) co_return Release::unknown;
    co_return reply.is(1) ? Release::released : Release::not_held;
  }

 private:
  static constexpr std::string_view compare_and_delete =
      "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
  bool is_patient_;
};

Card waiting_card(bool is_patient) {
  Card card;
  card.id = is_patient ? "patient" : "impatient";
  card.make = [=](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Patient>(is_patient); };
  card.is_stateless = true;
  return card;
}

struct Result {
  Exploration found;
  Verdict of(Property property) const {
    for (const PropertyResult& each : found.properties)
      if (each.property == property) return each.verdict;
    return Verdict::unknown;
  }
};

Result explored(bool is_patient, Fault fault, Engine engine) {
  const Card card = waiting_card(is_patient);
  return {explore(scenario_of(planted::coarse(), card, fault), card, Budget(), engine)};
}

TEST(Patience, MeansTheSameToBothEngines) {
  for (const Fault fault : {Fault::none, Fault::crash, Fault::pause, Fault::late_request, Fault::late_reply,
                            Fault::lost_request, Fault::lost_reply, Fault::duplicate, Fault::restart}) {
    const Result copied = explored(true, fault, Engine::snapshots);
    const Result replayed = explored(true, fault, Engine::replay);
    EXPECT_EQ(copied.found.states, replayed.found.states) << id_of(fault);
    for (const PropertyResult& each : copied.found.properties)
      EXPECT_EQ(each.verdict, replayed.of(each.property)) << id_of(fault) << " " << id_of(each.property);
  }
}

// With a timeout a client gives up, and its late grant keeps the others out for a lease. Without one it gets
// the grant in the end, when its lease is over.
TEST(Patience, TakesAGrantHoweverLateItComes) {
  EXPECT_EQ(explored(false, Fault::late_reply, Engine::snapshots).of(Property::mutual_exclusion),
            Verdict::holds);
  EXPECT_EQ(explored(true, Fault::late_reply, Engine::snapshots).of(Property::mutual_exclusion),
            Verdict::violated);
}

// Where an answer is lost none can come any more: the client goes on, so progress is not lost by it.
TEST(Patience, EndsWhereNoAnswerCanCome) {
  const Result lossy = explored(true, Fault::lost_reply, Engine::snapshots);
  EXPECT_EQ(lossy.of(Property::progress), Verdict::holds);
  EXPECT_EQ(lossy.of(Property::mutual_exclusion), Verdict::holds);
}

}  // namespace
}  // namespace holdfast
