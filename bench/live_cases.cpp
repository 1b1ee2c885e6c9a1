#include "bench/live_cases.hpp"

#include <chrono>

#include "sim/live/workload.hpp"

namespace holdfast::bench {
namespace {

using Kind = LiveCase::Kind;

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

live::Workload workload_of(const LiveCase& of, const std::string& key_prefix, std::uint64_t count) {
  live::Workload workload;
  workload.clients = of.kind == Kind::uncontended ? 1 : of.kind == Kind::contended ? contenders : live_depth;
  workload.locks = of.kind == Kind::shared ? live_depth : 1;
  workload.work = Duration::zero();
  workload.retry = Duration::zero();
  workload.timeout = 10s;
  workload.key_prefix = key_prefix;
  workload.unique = key_prefix + "token-";
  workload.length = std::nullopt;
  workload.pairs = count;
  return workload;
}

live::RunFacts perform(const LiveCase& of, std::vector<live::Node> nodes, const live::Workload& workload,
                       Trace& trace) {
  const Params params(of.card->parameters);
  nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(servers_of(of)), nodes.end());
  return live::perform(nodes, workload, [&] { return of.card->make(params); }, trace, [] { return false; });
}

}  // namespace

std::vector<LiveCase> live_cases() {
  std::vector<LiveCase> cases{{"raw/set/blocking", Kind::blocking},
                              {"raw/set/round-trip", Kind::round_trip},
                              {"raw/set/pipelined-64", Kind::pipelined}};
  for (const Card& card : algorithms::all()) {
    if (card.store != StoreKind::redis) continue;
    const std::string id(card.id);
    cases.push_back({id + "/uncontended", Kind::uncontended, &card});
    cases.push_back({id + "/contended-8", Kind::contended, &card});
    cases.push_back({id + "/pipelined-64", Kind::shared, &card});
  }
  return cases;
}

std::size_t servers_of(const LiveCase& live_case) {
  if (!live_case.is_lock() || !live_case.card->needs_several_servers()) return 1;
  return static_cast<std::size_t>(Params(live_case.card->parameters).count("nodes"));
}

LiveMeasurement execute(const LiveCase& live_case, const std::vector<live::Node>& nodes,
                        const std::string& key_prefix, std::uint64_t count) {
  if (!live_case.is_lock()) return execute_plain(live_case, live::plain_set(), nodes.front().address, count);
  Trace trace(false);
  const live::RunFacts facts = perform(live_case, nodes, workload_of(live_case, key_prefix, count), trace);
  return {count, facts.commands, seconds(facts.length)};
}

live::Commands commands_of(const Card& card, const std::vector<live::Node>& nodes,
                           const std::string& key_prefix) {
  const LiveCase once{"", Kind::uncontended, &card};
  Trace trace(true);
  perform(once, nodes, workload_of(once, key_prefix, 1), trace);
  live::Commands commands;
  for (const Event& event : trace.events())
    if (const auto* const sent = std::get_if<Sent>(&event.what)) commands.push_back(sent->argv);
  return commands;
}

LiveMeasurement execute_plain(const LiveCase& live_case, const live::Commands& commands,
                              const live::Address& address, std::uint64_t count) {
  const bool many = live_case.kind == Kind::pipelined || live_case.kind == Kind::shared;
  const Duration time = live_case.kind == Kind::blocking
                            ? live::time_of_blocking(commands, address, count)
                            : live::time_of(commands, address, count, many ? live_depth : 1);
  return {count, count * commands.size(), seconds(time)};
}

}  // namespace holdfast::bench
