#include "sim/cli/confirm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/cli/live_server.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast::cli {
namespace {

// What one tick may take in real time, tried in this order: the next one if a lock cannot be asked for times
// so short (EXPIRE takes whole seconds), or if this machine is too busy for them.
constexpr std::array<Duration, 6> ticks{50ms, 100ms, 250ms, 500ms, 1s, 2s};
// Redis is asked for times to live in milliseconds; shorter ones leave no room for how long things take.
constexpr Duration ttl_least = 50ms;
constexpr Duration margin_least = 10ms;
constexpr Duration length_most = 10min;
// As in sim/world: what every wall clock shows when a run begins.
constexpr WallTime epoch{1'700'000'000s};

// Every time of a scenario, made longer or shorter by one factor.
class Scale {
 public:
  Scale(Duration to, Duration from) : to_(to.count()), from_(from.count()) {}
  Duration operator()(Duration duration) const { return Duration(duration.count() * to_ / from_); }

  Scenario operator()(Scenario scenario, const Card& card, const std::string& key_prefix) const {
    scenario.key = key_prefix + scenario.key;
    for (ClientPlan& plan : scenario.clients) {
      if (!plan.key.empty()) plan.key = key_prefix + plan.key;
      for (Duration* time : {&plan.wall_offset, &plan.start}) *time = (*this)(*time);
      if (!plan.params.empty()) plan.params = scaled(plan.params, card);
      for (ProgramStep& step : plan.program) step.length = (*this)(step.length);
    }
    for (auto& [key, value] : scenario.store) key = key_prefix + key;
    for (FaultRule& rule : scenario.faults) rule.magnitude = (*this)(rule.magnitude);
    Timing& timing = scenario.timing;
    for (Duration* time : {&timing.tick, &timing.delay_min, &timing.delay_max, &timing.timeout, &timing.retry,
                           &timing.retry_late, &timing.restart, &timing.recovery})
      *time = (*this)(*time);
    const Texts given = scenario.params;
    scenario.params = scaled(with_defaults(card), card);
    for (const auto& [name, text] : scaled(given, card)) scenario.params.emplace_back(name, text);
    return scenario;
  }

 private:
  static Texts with_defaults(const Card& card) {
    Texts params;
    for (const Parameter& parameter : card.parameters)
      params.emplace_back(parameter.name, parameter.fallback);
    return params;
  }
  Texts scaled(Texts params, const Card& card) const {
    for (auto& [name, text] : params) {
      Params read(card.parameters);
      read.set(name, text);
      const auto parameter = std::find_if(card.parameters.begin(), card.parameters.end(),
                                          [&](const Parameter& each) { return each.name == name; });
      if (parameter->kind == Parameter::Kind::duration) text = to_text((*this)(read.duration(name)));
    }
    return params;
  }

  Duration::rep to_;
  Duration::rep from_;
};

// The same happens in both, at other times.
bool is_same_run(const std::vector<Event>& one, const std::vector<Event>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](const Event& a, const Event& b) {
    return a.step == b.step && a.actor == b.actor && a.what.index() == b.what.index();
  });
}

std::size_t nodes_in(const std::vector<Event>& events) {
  std::size_t count = 1;
  for (const Event& event : events)
    if (const auto* const sent = std::get_if<Sent>(&event.what))
      count = std::max<std::size_t>(count, sent->node.value + 1);
  return count;
}

// On a connection of its own, for messages or for the answer to a command that has to wait.
bool waits_on_connections(const std::vector<Event>& events) {
  return std::any_of(events.begin(), events.end(), [](const Event& event) {
    const auto* const sent = std::get_if<Sent>(&event.what);
    return sent != nullptr && (sent->argv.front() == "SUBSCRIBE" || sent->argv.front() == "BLPOP");
  });
}

bool restarts_servers(const std::vector<Event>& events) {
  return std::any_of(events.begin(), events.end(),
                     [](const Event& event) { return std::holds_alternative<ServerRestarted>(event.what); });
}

}  // namespace

Confirmer::~Confirmer() {
  for (live::ServerForRun& server : servers_) clean_up(server);
}

// Private servers that nobody has used since they were started.
void Confirmer::prepare_servers(std::size_t count) {
  if (are_used_)
    for (const live::ServerForRun& server : servers_)
      if (server.process() != nullptr) server.process()->restart();
  while (servers_.size() < count) servers_.push_back(server_for(options_));
  are_used_ = true;
}

Confirmation Confirmer::confirm(const Scenario& scenario, const Card& card, const Counterexample& example,
                                const std::function<bool()>& should_stop) {
  Confirmation result{.kind = Confirmation::Kind::impossible};
  const auto impossible = [&](std::string why) {
    result.why = std::move(why);
    return result;
  };
  if (card.store != StoreKind::redis) return impossible("it is no lock on Redis");
  if (has_step(scenario.clients, ProgramStep::Op::acquire_again))
    return impossible("a client acquires again what it holds");
  const Replay original = replay(scenario, card, example.tape, example.steps);
  if (waits_on_connections(original.events)) return impossible("a client waits on a connection of its own");
  const std::size_t nodes = nodes_in(original.events);
  if (!options_.live.redis.empty() && restarts_servers(original.events))
    return impossible("it restarts the server, which needs a private one");
  if (!options_.live.redis.empty() && nodes > 1)
    return impossible(fmt::format("it needs {} servers, which are private ones", nodes));
  result.why = "its times cannot be made real: leases would end too close to what happens";
  for (const Duration tick : ticks) {
    prepare_servers(nodes);
    result.version = servers_.front().version();
    const std::string prefix = fmt::format("{}{}:", servers_.front().key_prefix(), ++performances_);
    const Scenario scaled = Scale(tick, scenario.timing.tick)(scenario, card, prefix);
    const Replay expected = replay(scaled, card, example.tape, example.steps);
    if (expected.divergence || !is_same_run(original.events, expected.events)) continue;
    const live::Pace pace = live::pace_of(expected.events);
    if (pace.margin < margin_least || pace.ttl_min < ttl_least) continue;
    if (pace.real(expected.events.back().at) > length_most) break;
    Params params(card.parameters);
    for (const auto& [name, text] : scaled.params) params.set(name, text);
    std::map<ClientId, std::int32_t> drift_ppm;
    for (std::uint32_t i = 0; i < scaled.clients.size(); ++i)
      drift_ppm[ClientId{i}] = scaled.clients[i].drift_ppm;
    std::map<ClientId, Params> own_params;
    for (std::uint32_t i = 0; i < scaled.clients.size(); ++i) {
      if (scaled.clients[i].params.empty()) continue;
      Params& own = own_params.emplace(ClientId{i}, params).first->second;
      for (const auto& [name, text] : scaled.clients[i].params) own.set(name, text);
    }
    result.performance = live::perform_run({expected.events, example.tape, card, params, epoch,
                                            std::move(drift_ppm), pace, std::move(own_params), scaled.store},
                                           servers_, should_stop);
    result.tick = tick * pace.per_mille / 1000;
    const std::optional<live::Departure>& departure = result.performance.departure;
    result.kind = !departure                                     ? Confirmation::Kind::confirmed
                  : result.performance.was_late || should_stop() ? Confirmation::Kind::unsure
                                                                 : Confirmation::Kind::differs;
    result.why = departure ? fmt::format("step {}: {}", departure->step.value, departure->what) : "";
    if (result.kind != Confirmation::Kind::unsure || should_stop()) break;
  }
  return result;
}

}  // namespace holdfast::cli
