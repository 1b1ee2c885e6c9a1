// live: the same locks against a real Redis, measured.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/terminal.hpp"
#include "sim/check/checker.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/confirm.hpp"
#include "sim/cli/live_server.hpp"
#include "sim/cli/session.hpp"
#include "sim/cli/told.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/rehearsal.hpp"
#include "sim/live/processes.hpp"
#include "sim/live/proxy.hpp"
#include "sim/live/tally.hpp"
#include "sim/live/workload.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

// What can be judged by beliefs, for the contents of a real server are not seen; and which client removed
// another's lock, if the log proves it.
constexpr PropertySet by_beliefs = {Property::mutual_exclusion, Property::no_stale_write,
                                    Property::owner_only_release};

// One judge for each lock: locks of different names have nothing to do with each other.
class Judges final : public Observer {
 public:
  explicit Judges(const live::Workload& workload) : workload_(workload) {
    for (std::uint32_t i = 0; i < workload.locks; ++i) judges_.push_back(std::make_unique<Judge>(by_beliefs));
  }
  void on(const Event& event) override {
    if (event.actor.kind == Actor::Kind::client)
      judges_[workload_.lock_of(ClientId{event.actor.index})]->on(event);
  }
  // The first of each property.
  std::vector<Finding> findings() const {
    std::vector<Finding> first;
    for (const std::unique_ptr<Judge>& judge : judges_)
      for (const Finding& finding : judge->findings())
        if (std::none_of(first.begin(), first.end(),
                         [&](const Finding& other) { return other.property == finding.property; }))
          first.push_back(finding);
    return first;
  }

 private:
  const live::Workload& workload_;
  std::vector<std::unique_ptr<Judge>> judges_;
};

struct LockRow {
  std::string algorithm;
  std::size_t servers = 1;
  live::Tally tally;
  live::RunFacts facts;
  std::optional<Duration> lease;  // of a grant; empty: it has no end
  std::vector<Finding> findings;
  std::string lost_server = {};  // what is to be said when it no longer answers

  double pairs_per_second() const {
    return static_cast<double>(tally.pairs()) / std::chrono::duration<double>(facts.length).count();
  }
  double per_pair(std::uint64_t count) const {
    return static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(tally.pairs(), 1));
  }
};

// Without its words about the store, which was not observed: they follow a semicolon.
std::string as_believed(const Finding& finding) {
  const std::string said = finding.because.substr(0, finding.because.find("; "));
  return said.ends_with('.') ? said : said + ".";
}

// Milliseconds in 8 columns.
std::string in_table(Duration duration) {
  const double value = std::chrono::duration<double, std::milli>(duration).count();
  return fmt::format("{:>8.{}f}", value, value < 100 ? 3 : value < 10'000 ? 1 : 0);
}

// How often for each pair, in so many columns: a lock on 32 servers sends hundreds.
std::string in_table(double count, int columns) {
  return fmt::format("{:>{}.{}f}", count, columns, count < 100 ? 2 : count < 1000 ? 1 : 0);
}

double milliseconds(Duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

FaultSet faults_of(const LiveOptions& options) {
  FaultSet able = live::proxy_faults | fault_table.by(Enactor::live);
  if (!options.in_processes) able.erase(Fault::pause);
  const auto& asked = options.faults;
  if (!options.in_processes && std::find(asked.begin(), asked.end(), "pause") != asked.end())
    throw UserError(exit_usage, "--faults: only processes are paused; add --processes");
  std::vector<std::string_view> ids;
  for (const std::string_view id : fault_ids)
    if (able.contains(*from_id<Fault>(fault_ids, id))) ids.push_back(id);
  FaultSet faults;
  if (options.faults.empty() || options.faults == std::vector<std::string>{"none"}) return faults;
  for (const std::string_view id : matching("--faults", options.faults, {}, ids))
    faults.insert(*from_id<Fault>(fault_ids, id));
  return faults;
}

live::Workload workload_of(const LiveOptions& options, std::span<const live::ServerForRun> servers) {
  constexpr std::uint32_t processes_max = 1000;
  if (options.in_processes && options.clients > processes_max)
    throw UserError(exit_usage, fmt::format("--processes: at most {} clients", processes_max));
  if (options.locks > options.clients)
    throw UserError(exit_usage,
                    fmt::format("--locks: {} clients use at most as many locks", options.clients));
  live::Workload workload;
  workload.clients = options.clients;
  workload.locks = options.locks;
  workload.work = options.work;
  workload.retry = options.retry;
  workload.timeout = options.timeout;
  workload.key_prefix = servers.front().key_prefix();
  workload.unique = live::unique_text() + "-";
  workload.length = options.pairs
                        ? std::nullopt
                        : std::optional<Duration>(std::chrono::seconds(options.seconds.value_or(5)));
  workload.pairs = options.pairs;
  workload.faults = faults_of(options);
  workload.one_in = options.one_in;
  const bool needs_proxy = workload.faults.contains_any(live::proxy_faults);
  // A late message on a shared connection is late for all.
  workload.connections =
      std::min(options.connections.value_or(needs_proxy ? options.clients : 1), options.clients);
  for (const live::ServerForRun& server : servers) {
    if (needs_proxy && server.address().socket_path.empty())
      throw UserError(exit_usage,
                      "--faults: the proxy serves a server on a unix socket of this machine only");
    const bool is_private = server.process() != nullptr || server.store() != nullptr;
    if (workload.faults.contains_any(live::server_faults) && !is_private)
      throw UserError(
          exit_usage,
          "--faults: restart, failover and eviction strike private servers only, not one given by "
          "--redis");
  }
  return workload;
}

Params params_of(const LiveOptions& options, const Card& card) {
  Params params(card.parameters);
  for (const auto& [name, value] : options.params) params.set(name, value);
  return params;
}

// Locks that are no locks on Redis need private servers.
std::vector<const Card*> cards_of(const LiveOptions& options, const Servers& servers) {
  std::vector<const Card*> cards = chosen_cards({.only = options.names}, "LOCK");
  std::string without_server;
  std::erase_if(cards, [&](const Card* card) {
    const std::string why = lacks_server(*card, servers, options.in_processes);
    if (!why.empty())
      without_server += fmt::format("{}{}: {}", without_server.empty() ? "" : "; ", card->id, why);
    return !why.empty();
  });
  if (cards.empty()) throw UserError(exit_no_redis, without_server);
  if (!without_server.empty()) tell("holdfast: left out: {}\n", without_server);
  std::string left_out;
  std::erase_if(cards, [&](const Card* card) {
    // Throws BadParameter before anything begins.
    const std::size_t count = servers_of(*card, params_of(options, *card));
    if (servers.are_enough_for(count)) return false;
    left_out += fmt::format("{}{} takes {} servers", left_out.empty() ? "" : ", ", card->id, count);
    return true;
  });
  if (cards.empty()) throw UserError(exit_usage, "--redis: name it once for each server: " + left_out);
  if (!left_out.empty()) tell("holdfast: left out, as --redis names fewer: {}\n", left_out);
  return cards;
}

// Before servers are started: they inherit the limit. A proxy has two connections for each of a client.
void require_room_for_connections(const LiveOptions& options, const std::vector<const Card*>& cards) {
  if (options.in_processes) return;
  const bool has_proxy = faults_of(options).contains_any(live::proxy_faults);
  const std::uint32_t usual = has_proxy ? options.clients : 1;
  std::size_t servers = 1;
  for (const Card* card : cards) servers = std::max(servers, servers_of(*card, params_of(options, *card)));
  constexpr std::size_t others = 64;
  const std::size_t connections = std::min(options.connections.value_or(usual), options.clients);
  require_descriptors(others + connections * servers * (has_proxy ? 3 : 1));
}

// How long a grant lasts.
std::optional<Duration> seen_lease(const Card& card, const Params& params) {
  Scenario alone;
  alone.clients = {default_clients().front()};
  for (const Parameter& each : card.parameters) alone.params.emplace_back(each.name, params.text(each.name));
  return lease_in(alone, card);
}

LockRow measure(const LiveOptions& options, const Card& card, Servers& servers, Session& session) {
  require_able_faults(faults_of(options), card);
  const Params params = params_of(options, card);
  const std::size_t count = servers_of(card, params);
  live::Workload workload = workload_of(options, servers.first(count));
  workload.key_prefix += std::string(card.id) + ":";
  workload.driver_retries = card.driver_retries;
  const std::optional<Duration> lease = seen_lease(card, params);
  if (lease) workload.fault_length = 2 * *lease;
  // A plain DEL proves something only if keys end in time, and there is one.
  if (lease && !card.renews && count == 1) workload.lease = *lease;
  LockRow row{std::string(card.id), count, live::Tally(workload), {}, lease, {}};
  Judges judges(workload);
  Trace trace(false);
  trace.subscribe(row.tally);
  trace.subscribe(judges);
  const std::vector<live::Node> nodes = servers.first_nodes(count);
  const auto make = [&] { return card.make(params); };
  const auto should_stop = [budget = session.budget()] { return budget.is_exhausted(); };
  if (options.in_processes) row.facts = live::perform_in_processes(nodes, workload, make, trace, should_stop);
  else row.facts = live::perform(nodes, workload, make, trace, should_stop);
  row.findings = judges.findings();
  for (live::ServerForRun& server : servers.first(count))
    if (row.lost_server.empty() && !server.answers())
      row.lost_server = fmt::format("the server at {} ended during the run of {}: its figures are worthless",
                                    to_text(server.address()), card.id);
  return row;
}

Json json_of(const LockRow& row) {
  Json json{{"algorithm", row.algorithm},
            {"servers", row.servers},
            {"lease_ms", row.lease ? Json(milliseconds(*row.lease)) : Json()},
            {"pairs", row.tally.pairs()},
            {"seconds", std::chrono::duration<double>(row.facts.length).count()},
            {"pairs_per_second", row.pairs_per_second()},
            {"acquire_ms", Json::object()},
            {"commands_per_pair", row.per_pair(row.facts.commands)},
            {"round_trips_per_pair", row.per_pair(row.facts.round_trips)},
            {"refusals", row.tally.refusals()},
            {"failures", row.tally.failures()},
            {"bypass_max", row.tally.bypass_max()},
            {"jain_fairness", row.tally.jain_index()},
            {"overlaps", row.tally.overlaps()},
            {"connection_breaks", row.facts.breaks},
            {"cut_off", row.facts.cut_off},
            {"struck", Json::object()},
            {"violations", Json::array()}};
  for (const auto& [fault, count] : row.facts.struck) json["struck"][std::string(id_of(fault))] = count;
  json["acquire_ms"] = {{"p50", milliseconds(row.tally.wait(500))},
                        {"p99", milliseconds(row.tally.wait(990))},
                        {"p999", milliseconds(row.tally.wait(999))},
                        {"max", milliseconds(row.tally.wait(1000))}};
  if (!row.lost_server.empty()) json["lost_server"] = row.lost_server;
  for (const Finding& finding : row.findings)
    json["violations"].push_back({{"property", id_of(finding.property)}, {"because", as_believed(finding)}});
  return json;
}

void print_json(const LiveOptions& options, std::span<const live::ServerForRun> servers,
                const std::vector<LockRow>& rows) {
  const live::Workload workload = workload_of(options, servers);
  Json json{{"schema", "holdfast/live/1"},
            {"version", version},
            {"redis", servers.front().version()},
            {"clients", options.clients},
            {"locks", options.locks},
            {"processes", options.in_processes},
            {"connections", workload.connections},
            {"work_ms", milliseconds(options.work)},
            {"retry_ms", milliseconds(options.retry)},
            {"timeout_ms", milliseconds(options.timeout)},
            {"results", Json::array()}};
  for (const LockRow& row : rows) json["results"].push_back(json_of(row));
  fmt::print("{}\n", json.dump(1));
}

void print_head(const LiveOptions& options, std::span<const live::ServerForRun> servers) {
  const live::ServerForRun& server = servers.front();
  const live::Workload workload = workload_of(options, servers);
  const reports::Terminal terminal = terminal_of(options);
  reports::Page page(std::cout, terminal);
  page.paragraph(
      "", fmt::format("{} of {} {}, {} at {}; work {}, retry after {}",
                      reports::counted(options.clients, "client"), reports::counted(options.locks, "lock"),
                      options.in_processes ? "in processes of their own"
                                           : "on " + reports::counted(workload.connections, "connection"),
                      server_named(server.version()), to_text(server.address()), to_text(options.work),
                      to_text(options.retry)));
  page.line();
  page.line(fmt::format("{:<29}{:^32}{:>15}", "", "acquire ms", "per pair"));
  page.line(fmt::format("{:<20}{:>9}{:>8}{:>8}{:>8}{:>8}{:>9}{:>7}{:>7}{:>5}{:>11}", "", "pairs/s", "p50",
                        "p99", "p99.9", "max", "commands", "trips", "bypass", "Jain", "violations"));
  std::cout.flush();
}

// As soon as it was measured.
void print_row(const LockRow& row, const reports::Terminal& terminal) {
  reports::Page page(std::cout, terminal);
  const live::Tally& tally = row.tally;
  const std::string overlaps = fmt::format("{:>11}", tally.overlaps());
  page.line(fmt::format("{:<20}{:>9}{}{}{}{}{}{}{:>7}{:>5.2f}{}", row.algorithm,
                        reports::grouped(static_cast<std::uint64_t>(row.pairs_per_second())),
                        in_table(tally.wait(500)), in_table(tally.wait(990)), in_table(tally.wait(999)),
                        in_table(tally.wait(1000)), in_table(row.per_pair(row.facts.commands), 9),
                        in_table(row.per_pair(row.facts.round_trips), 7), tally.bypass_max(),
                        tally.jain_index(),
                        row.findings.empty() ? overlaps : painted(terminal, reports::Style::bad, overlaps)));
  std::cout.flush();
}

// How long grants last: what pauses and slow work are to be compared with.
void print_leases(const std::vector<LockRow>& rows, reports::Page& page) {
  std::string text;
  for (const LockRow& row : rows)
    text += fmt::format("{}{} {}", text.empty() ? "" : " · ", row.algorithm,
                        row.lease ? to_text(*row.lease) : "without end");
  page.line();
  page.paragraph("leases: ", reports::printable(page.terminal(), text));
}

void print_notes(const std::vector<LockRow>& rows, const reports::Terminal& terminal) {
  reports::Page page(std::cout, terminal);
  print_leases(rows, page);
  for (const LockRow& row : rows) {
    const auto tell = [&](const std::string& text) {
      page.line();
      page.paragraph(row.algorithm + ": ", reports::printable(terminal, text));
    };
    if (row.servers > 1) tell(fmt::format("on {}", reports::counted(row.servers, "server")));
    std::vector<std::string> struck;
    for (const auto& [fault, count] : row.facts.struck)
      struck.push_back(fmt::format("{} {}", id_of(fault), reports::counted(count, "time")));
    if (!struck.empty()) tell(fmt::format("struck: {}", fmt::join(struck, ", ")));
    for (const Finding& finding : row.findings)
      tell(fmt::format("{}: {}", id_of(finding.property), as_believed(finding)));
    if (row.tally.failures() != 0)
      tell(fmt::format("{} of acquire() failed, the last one: {}",
                       reports::counted(row.tally.failures(), "call"), row.tally.last_failure()));
    if (row.facts.breaks != 0)
      tell(fmt::format("{} of the connection, the last one: {}", reports::counted(row.facts.breaks, "break"),
                       row.facts.trouble));
    if (row.facts.cut_off != 0)
      tell(fmt::format("when the run ended, {} still waited", reports::counted(row.facts.cut_off, "client")));
    if (!row.facts.error.empty()) tell("a client ended with an exception: " + row.facts.error);
  }
}

}  // namespace

int live(const LiveOptions& options) {
  Session session;  // first: a signal must not keep servers and keys from being cleaned up
  Servers redis(options.redis);
  std::map<StoreKind, Servers> others;
  const std::vector<const Card*> cards = cards_of(options, redis);
  const auto servers_for = [&](const Card* card) -> Servers& {
    if (card->store == StoreKind::redis) return redis;
    return others.try_emplace(card->store, std::vector<std::string>(), card->store).first->second;
  };
  Servers& servers = servers_for(cards.front());
  require_room_for_connections(options, cards);
  workload_of(options, servers.first(1));
  const bool is_text = options.format != "json";
  if (is_text) print_head(options, servers.first(1));
  session.expect_jobs(cards.size(), "locks");
  std::vector<LockRow> rows;
  for (const Card* card : cards) {
    if (session.is_interrupted() || (!rows.empty() && !rows.back().lost_server.empty())) break;
    rows.push_back(measure(options, *card, servers_for(card), session));
    session.end_bar();
    if (is_text) print_row(rows.back(), terminal_of(options));
    session.note_done({});
  }
  session.end_progress();
  if (is_text) print_notes(rows, terminal_of(options));
  else print_json(options, servers.first(1), rows);
  if (session.is_interrupted()) return exit_interrupted;
  if (!rows.back().lost_server.empty()) throw UserError(exit_no_redis, rows.back().lost_server);
  const bool is_violated =
      std::any_of(rows.begin(), rows.end(), [](const LockRow& row) { return !row.findings.empty(); });
  return is_violated ? exit_violated : exit_as_expected;
}

}  // namespace holdfast::cli
