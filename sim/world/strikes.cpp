// Faults as actions: which may strike in a state, and what they do. scenario/specification.cpp says in
// sentences what is written here.
//
// A fault is enabled whenever its budget allows it and it can make a difference. Two simplifications lose
// nothing. A pause matters only from the moment at which its client would go on, so it begins there; one that
// began earlier would be longer and do the same. A message that is lost, late or sent twice is so from the
// moment at which it leaves, for nobody sees it before it arrives; in timed runs, where hardly anything else
// happens at that very instant, whenever something happens before it has arrived.
#include <algorithm>

#include "sim/core/invariant.hpp"
#include "sim/scenario/sizes.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
namespace {

using Kind = Scheduled::Kind;

static_assert(fault_table.striking({Struck::anything}).empty(), "each row says whom its fault strikes");

}  // namespace

// --- which may strike ---

void World::collect_strikes() {
  const std::span<const FaultRule> rules = faults_.rules();
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    if (rules[i].budget == 0) continue;
    switch (fault_table.of(rules[i].kind).strikes) {
      case Struck::nothing:
      case Struck::anything: break;
      case Struck::client:
        for (const auto& each : clients_)
          if (may_strike(rules[i], *each)) offer(i, *each);
        break;
      case Struck::section: offer_slow_sections(i); break;
      case Struck::request: offer_messages(i, Kind::request); break;
      case Struck::reply: offer_messages(i, Kind::reply); break;
      case Struck::way: offer_cuts(i); break;
      case Struck::server: offer_servers(i); break;
    }
  }
}

bool World::may_strike(const FaultRule& rule, const Client& client) const {
  return (!rule.target || *rule.target == client.id()) &&
         (rule.place == Place::anywhere || rule.place == client.place());
}

// What its code has decided may be undone, or come too late, before a request leaves.
bool World::may_strike_before_sending(ClientId id) const {
  if (course_.calm || !faults_.may(Harm::stops)) return false;
  const Client& sender = clients_.at(id);
  const auto rules = faults_.rules();
  return !sender.is_finished() && std::any_of(rules.begin(), rules.end(), [&](const FaultRule& rule) {
    return rule.budget > 0 && faults_.may(Harm::stops, rule.kind) && may_strike(rule, sender);
  });
}

// It would go on now.
bool World::is_about_to_go_on(ClientId id) const {
  return std::any_of(outlook_.ready.begin(), outlook_.ready.end(), [&](std::uint32_t index) {
    return network_.pending()[index].client == id && network_.pending()[index].resumes_client();
  });
}

bool World::is_about_to_start(ClientId id) const {
  return std::any_of(outlook_.ready.begin(), outlook_.ready.end(), [&](std::uint32_t index) {
    return network_.pending()[index].client == id && network_.pending()[index].kind == Kind::start;
  });
}

void World::offer(std::uint32_t rule, const Client& it) {
  const Fault fault = faults_.rules()[rule].kind;
  const Strike strike{.fault = fault, .rule = rule, .actor = actor_of(it.id())};
  bool is_enabled = false;
  if (fault == Fault::crash) is_enabled = it.has_program();
  if (fault == Fault::pause) is_enabled = !it.is_finished() && is_about_to_go_on(it.id());
  if (fault == Fault::cancel) is_enabled = it.is_in_acquire() && !it.is_paused();
  if (fault == Fault::clock_skew) is_enabled = !it.has_begun() && is_about_to_start(it.id());
  // A clock that is set before it is read is unobservable, but for a deadline that was taken from it.
  if (fault == Fault::clock_jump)
    is_enabled = it.has_wall_deadline() || is_about_to_go_on(it.id()) || is_about_to_start(it.id());
  if (!is_enabled) return;
  strikes_.push_back(strike);
  if (!fault_table.of(fault).sets_clock) return;
  strikes_.push_back(strike);
  strikes_.back().how.which = How::back;
}

void World::offer_slow_sections(std::uint32_t rule) {
  for (const std::uint32_t index : outlook_.ready) {
    const Scheduled& each = network_.pending()[index];
    if (!each.is_work || each.is_struck || each.latest > now_) continue;
    if (!may_strike(faults_.rules()[rule], clients_.at(each.client))) continue;
    strikes_.push_back(
        {.fault = Fault::slow_section, .rule = rule, .actor = actor_of(each.client), .at = index});
  }
}

void World::offer_messages(std::uint32_t rule, Kind kind) {
  if (!servers_.traits().is_remote) return;
  const Fault fault = faults_.rules()[rule].kind;
  const std::uint32_t ways = fault_table.of(fault).ways;
  const bool is_late = fault == Fault::late_request || fault == Fault::late_reply;
  const Duration least = scenario_.timing.delay_max + scenario_.timing.tick;
  if (is_late && least > faults_.rules()[rule].magnitude) return;  // late is later than any other could be
  for (const Message& each : network_.messages()) {
    if (each.id == MessageId{} || !each.has(kind) || each.is_local) continue;
    if ((!is_timed() && !is_now(each.departed, now_)) || network_.travelling(each).is_struck) continue;
    if (!may_strike(faults_.rules()[rule], clients_.at(each.client))) continue;
    // A connection that is lost takes with it what it held; a driver repeats nothing there.
    const bool is_repeated = each.connection.value == 0 && servers_.traits().repeats_requests;
    if (fault == Fault::duplicate && !is_repeated) continue;
    for (std::uint32_t way = 0; way < ways; ++way)
      strikes_.push_back({.fault = fault,
                          .rule = rule,
                          .actor = actor_of(each.client),
                          .how = {each.node, way},
                          .at = network_.slot_of(each)});
  }
}

// A cut matters from the first message that it takes, so it begins there; where a rule names a place, at any
// tick while its client is there.
void World::offer_cuts(std::uint32_t rule) {
  if (!servers_.traits().is_remote) return;
  const auto add = [&](ClientId client, NodeId node, std::uint32_t way) {
    const Strike strike{
        .fault = Fault::partition, .rule = rule, .actor = actor_of(client), .how = {node, way}};
    const auto is_same = [&](const Strike& other) {
      return other.rule == rule && other.actor == strike.actor && other.how == strike.how;
    };
    if (std::none_of(strikes_.begin(), strikes_.end(), is_same)) strikes_.push_back(strike);
  };
  for (const Message& each : network_.messages()) {
    const bool is_on_its_way = each.id != MessageId{} && (each.has(Kind::request) || each.has(Kind::reply));
    if (!is_on_its_way || each.is_local || !may_strike(faults_.rules()[rule], clients_.at(each.client)))
      continue;
    add(each.client, each.node, How::cuts_both);
    add(each.client, each.node, each.has(Kind::request) ? How::cuts_requests : How::cuts_replies);
  }
  if (faults_.rules()[rule].place == Place::anywhere) return;
  for (const auto& client : clients_)
    for (std::uint32_t node = 0; node < servers_.all().size(); ++node)
      for (std::uint32_t way = 0;
           way < fault_table.of(Fault::partition).ways && may_strike(faults_.rules()[rule], *client); ++way)
        add(client->id(), NodeId{node}, way);
}

// Where a rule names a place, a client must be there.
void World::offer_servers(std::uint32_t index) {
  const FaultRule& rule = faults_.rules()[index];
  const bool is_placed =
      rule.place == Place::anywhere || std::any_of(clients_.begin(), clients_.end(),
                                                   [&](const auto& each) { return may_strike(rule, *each); });
  if (!is_placed) return;
  for (std::uint32_t i = 0; i < servers_.all().size(); ++i) {
    const std::uint32_t ways = ways_of(rule, servers_.all()[i]);
    for (std::uint32_t way = 0; way < ways; ++way)
      strikes_.push_back({.fault = rule.kind, .rule = index, .actor = actor_of(NodeId{i}), .how = {{}, way}});
  }
}

// In how many ways the fault can strike this server, and make a difference.
std::uint32_t World::ways_of(const FaultRule& rule, const Server& host) const {
  switch (rule.kind) {
    case Fault::restart: {
      const bool is_idle = host.shelf.data->is_empty() && host.shelf.data->digest_of_rest() == 0 &&
                           servers_.reachable_past(host) == 0 && !network_.has_lines();
      if (is_idle) return 0;
      const stores::Traits& traits = servers_.traits();
      const bool loses_some = traits.persists && !traits.is_durable && rule.loses == DataLoss::latest;
      return loses_some ? servers_.writes_since(host, rule.magnitude) + 1 : 1;
    }
    case Fault::failover:
      if (servers_.traits().elects) return host.shelf.data->is_empty() && !network_.has_lines() ? 0 : 1;
      return static_cast<std::uint32_t>(servers_.lag(host));
    case Fault::eviction: return host.shelf.data->ways_to_evict();
    case Fault::session_lost: return static_cast<std::uint32_t>(endable_at(host).size());
    default:
      if (servers_.traits().is_steady) return 0;
      return clients_.unfinished() > 0 || !host.shelf.data->is_empty() ? 2 : 0;
  }
}

// --- what they do ---

void World::strike(const Strike& it) {
  apply(it);
  for (const auto& each : clients_) drop_dead_timeouts(each->id());
}

void World::apply(const Strike& it) {
  last_.only_time_passed = false;
  const FaultRule rule = faults_.rules()[it.rule];
  faults_.spend(it.rule);
  const ClientId id{it.actor.index};
  const NodeId node{it.actor.index};
  switch (it.fault) {
    case Fault::none: break;
    case Fault::crash: return crash(id);
    case Fault::pause: return stop(id, rule.magnitude);
    case Fault::cancel:
      note_strike({Fault::cancel});
      clients_.at(id).cancel();
      break;
    case Fault::clock_skew:
    case Fault::clock_jump: clients_.at(id).skew(shift_by(rule, it), it.fault); break;
    case Fault::slow_section: return slow_down(it.at, rule.magnitude);
    case Fault::late_request:
    case Fault::late_reply:
    case Fault::lost_request:
    case Fault::lost_reply: return strike_message(it, rule.magnitude);
    case Fault::duplicate: return send_twice(it, rule.magnitude);
    case Fault::partition: return cut(id, it.how.node, it.how.which, rule.magnitude);
    case Fault::restart: return restart(node, rule, it.how.which);
    case Fault::failover: return fail_over(node, servers_.traits().elects ? 0 : it.how.which + 1);
    case Fault::eviction: return evict(node, it.how.which);
    case Fault::session_lost: return lose_session(node, it.how.which);
    case Fault::server_clock_jump: return set_clock(node, shift_by(rule, it));
  }
}

// The size of the fault, or any number of ticks less, but some.
Duration World::shift_by(const FaultRule& rule, const Strike& it) {
  const Duration apart = between_sizes(rule.magnitude, scenario_.timing.tick);
  const auto sizes = static_cast<std::uint32_t>((rule.magnitude + apart - Duration(1)) / apart);
  const Duration size = rule.magnitude - pick(Site::variant, it.actor, std::max(sizes, 1u)) * apart;
  return it.how.which == How::back ? -size : size;
}

// Its process ends, and with it every client that shares its lock object.
void World::crash(ClientId id) {
  note_strike({Fault::crash});
  const ClientId process = clients_.at(id).process();
  std::vector<Client*> dead;
  std::vector<bool> ran;
  for (const auto& each : clients_)
    if (each->process() == process && each->has_lock()) {
      dead.push_back(each.get());
      ran.push_back(each->has_program());
    }
  for (Client* each : dead) each->drop_frames();
  clients_.forget_process(process);
  const Timing& timing = scenario_.timing;
  for (std::size_t i = 0; i < dead.size(); ++i) {
    end_pause(*dead[i]);
    dead[i]->crash();
    if (!ran[i]) continue;
    schedule({.kind = Kind::start,
              .client = dead[i]->id(),
              .earliest = now_ + timing.restart,
              .latest = now_ + std::max(timing.restart, timing.restart_late)});
  }
}

void World::stop(ClientId id, Duration longest) {
  note_strike({Fault::pause});
  emit(actor_of(id), Paused{id});
  clients_.at(id).pause(now_);
  clients_.note_pause();
  schedule({.kind = Kind::resume,
            .client = id,
            .earliest = now_ + std::min(longest, scenario_.timing.tick),
            .latest = now_ + longest});
}

void World::resume_client(ClientId id) {
  Client& paused = clients_.at(id);
  clients_.note_resume();
  emit(actor_of(id), Resumed{id, now_ - paused.resume()});
  drop_dead_timeouts(id);
}

// It is over, or its client died meanwhile.
void World::end_pause(Client& paused) {
  if (!paused.is_paused()) return;
  clients_.note_resume();
  paused.resume();
  network_.drop_resume(paused.id());
}

void World::slow_down(std::uint32_t index, Duration longest) {
  Scheduled work = network_.take(index);
  note_strike({Fault::slow_section});
  emit(actor_of(work.client), SlowSection{clients_.at(work.client).acquisition()});
  work.is_struck = true;
  work.earliest = now_ + std::min(longest, scenario_.timing.tick);
  work.latest = now_ + longest;
  schedule(work);
}

// It is lost, or arrives later than any other could, and at most `longest` after it left.
void World::strike_message(const Strike& it, Duration longest) {
  Message& message = network_.change(it.at);
  const Kind kind = message.has(Kind::request) ? Kind::request : Kind::reply;
  note_strike({it.fault});
  emit(kind == Kind::request ? actor_of(message.client) : actor_of(message.node),
       MessageFault{it.fault, message.id});
  Scheduled late = network_.travelling(message);
  network_.drop(kind, message);
  if (it.fault == Fault::lost_request || it.fault == Fault::lost_reply) {
    note_broken(message);
    return network_.settle(message);
  }
  late.is_struck = true;
  const Instant left = message.departed + message.held_back;
  late.earliest = std::max(late.earliest, left + scenario_.timing.delay_max + scenario_.timing.tick);
  late.latest = std::max(late.earliest, left + longest);
  message.add(kind);
  const std::uint64_t number = late.number;
  schedule(late);
  if (kind == Kind::reply && message.connection.value != 0) network_.keep_followers_behind(message, number);
}

// Either a copy comes sometime, and its answer is dropped; or the driver got no answer to the first.
void World::send_twice(const Strike& it, Duration longest) {
  note_strike({Fault::duplicate});
  Message& original = network_.change(it.at);
  emit(actor_of(original.client), MessageFault{Fault::duplicate, original.id});
  network_.change_travelling(original).is_struck = true;
  if (it.how.which == How::repeats) original.is_repeated = true;
  else send_copy(it.at, longest);
}

void World::cut(ClientId id, NodeId node, std::uint32_t way, Duration longest) {
  note_strike({Fault::partition});
  const Cut made = network_.cut(id, node, way != How::cuts_replies, way != How::cuts_requests);
  emit(Actor{}, Partitioned{id, node, now_ + longest, made.loses_requests, made.loses_replies});
  schedule({.kind = Kind::heal,
            .client = id,
            .earliest = now_ + std::min(longest, scenario_.timing.tick),
            .latest = now_ + longest,
            .slot = made.number});
  for (const Message& each : network_.messages()) {
    if (each.id == MessageId{} || each.client != id || each.node != node || each.is_local) continue;
    for (const Kind kind : {Kind::request, Kind::reply}) {
      if (!each.has(kind) || !made.loses(kind)) continue;
      emit(kind == Kind::request ? actor_of(id) : actor_of(node), MessageFault{Fault::partition, each.id});
      network_.drop(kind, network_.change(each));
      note_broken(network_.change(each));
      network_.settle(network_.change(each));
      break;
    }
  }
}

void World::heal(std::uint32_t number) {
  network_.heal(number);
  end_lines_of_the_gone();
  for (const auto& each : clients_) drop_dead_timeouts(each->id());
}

}  // namespace holdfast
