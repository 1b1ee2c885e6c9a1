#include "sim/guest/guest_lock.hpp"

#include <algorithm>
#include <utility>

#include "sim/core/arena.hpp"
#include "sim/core/invariant.hpp"
#include "sim/core/program_random.hpp"
#include "sim/guest/names.hpp"
#include "sim/guest/patterns.hpp"

namespace holdfast::guest {
namespace {

using Kind = Effect::Kind;

// The name of a wait that only lets a client look whether its call has ended. Programs begin with 1.
constexpr std::uint32_t roused = 0;

Told begin_event(const Params& params) {
  Told event{.kind = Told::Kind::begin};
  for (const Parameter& each : params.declared()) {
    event.words.emplace_back(each.name);
    event.words.push_back(each.kind == Parameter::Kind::duration
                              ? std::to_string(params.duration(each.name).count()) + "us"
                              : params.text(each.name));
  }
  return event;
}

}  // namespace

// A caller that gives up takes its frames along: the program is told.
class GuestLock::InCall {
 public:
  InCall(GuestLock& lock, Party& party) : lock_(lock), party_(party) { party_.is_in_call = true; }
  InCall(const InCall&) = delete;
  ~InCall() {
    if (!party_.is_in_call || lock_.trouble_) return;
    party_.is_in_call = false;
    try {
      party_.is_joint_cut = party_.joint != nullptr;
      lock_.tell(party_, Told{.kind = Told::Kind::abort, .party = party_.number});
    } catch (const Unusable&) {
      // The lock keeps it.
    }
  }

 private:
  GuestLock& lock_;
  Party& party_;
};

GuestLock::GuestLock(Program& program, const Params& params, bool is_stateless)
    : program_(program),
      is_stateless_(is_stateless),
      begin_event_(begin_event(params)),
      run_{program.root()} {}

GuestLock::Party& GuestLock::party_of(Env& env) {
  const auto known =
      std::find_if(parties_.begin(), parties_.end(), [&](const Party& party) { return &party.env == &env; });
  if (known != parties_.end()) return *known;
  return parties_.emplace_back(env, static_cast<std::uint32_t>(parties_.size() + 1), program_.root());
}

bool GuestLock::keeps_nothing() const {
  if (is_stateless_ || parties_.size() > 1 || !program_.is_as_begun(run_.at)) return false;
  return parties_.empty() || parties_.front().waits.is_empty();
}

// The program cannot reach a connection that it has left open.
void GuestLock::begin_anew(Party& party) {
  run_of(party) = Run{program_.root()};
  if (!is_stateless_) party.connections.clear();
}

bool GuestLock::recall(Memory&) const { return keeps_nothing(); }

Task<Attempt> GuestLock::acquire(Env& env, std::string key, Mode mode) {
  Party& party = party_of(env);
  const InCall call(*this, party);
  begin(party, Told{.kind = Told::Kind::acquire,
                    .party = party.number,
                    .words = {std::move(key), std::string(id_of(mode))}});
  co_await go_on(&party);
  const Effect& end = *party.result;
  const std::string text = run_of(party).tokens.told(end.text);
  if (end.kind == Kind::refused) co_return Attempt::refused(text);
  if (end.kind != Kind::granted) co_return Attempt::failed(text);
  Grant grant(text);
  for (const std::size_t mark : marks_in(end.text))
    if (text != end.text) party.granted[text].push_back(run_of(party).tokens.texts()[mark]);
  if (end.lease_until >= 0) grant.lease_until = WallTime(Duration(end.lease_until));
  else if (end.duration > Duration::zero()) grant.lease = end.duration;
  if (end.number >= 0) grant.fence = static_cast<std::uint64_t>(end.number);
  co_return Attempt(grant);
}

Task<Release> GuestLock::release(Env& env, std::string key, Grant grant) {
  Party& party = party_of(env);
  const InCall call(*this, party);
  // A program that begins anew knows the token as one of its own.
  Run& run = run_of(party);
  const bool is_anew = is_stateless_ || keeps_nothing();
  if (is_anew) begin_anew(party);
  if (const auto own = party.granted.find(grant.token); is_anew && own != party.granted.end()) {
    run.voice.granted = own->second;
    for (const std::string& part : own->second) run.tokens.add(part);
  }
  begin(party, Told{.kind = Told::Kind::release,
                    .party = party.number,
                    .words = {std::move(key), run.tokens.marked(grant.token)}});
  co_await go_on(&party);
  const Effect& end = *party.result;
  if (end.kind == Kind::released) co_return Release::released;
  co_return end.kind == Kind::not_held ? Release::not_held : Release::unknown;
}

void GuestLock::begin(Party& party, Told event) {
  require_usable();
  party.beside.stop();
  party.result = nullptr;
  if (party.joint != nullptr) note_order_matters(party.joint);
  // What the call before left running belongs to no call.
  if (is_stateless_) party.waits.drop_all();
  if ((is_stateless_ || keeps_nothing()) && event.kind == Told::Kind::acquire) begin_anew(party);
  if (run_of(party).at == program_.root()) begin_run(party);
  tell(party, std::move(event));
}

// Where texts repeat, each run has one of few chances: so those of two clients are the same, or are not.
void GuestLock::begin_run(Party& party) {
  run_of(party).voice.chance = dynamic_cast<ProgramRandom&>(party.env.random).chance();
  begin_event_.number = static_cast<std::int64_t>(party.env.stores.size());
  const std::vector<std::uint64_t>& chances = program_.chances();
  std::size_t drawn = 0;
  for (std::size_t i = 1; i < chances.size(); ++i)
    drawn += party.env.random.jitter(Duration(1)) > Duration::zero() ? 1 : 0;
  if (!chances.empty()) begin_event_.chance = chances[drawn];
  tell(party, begin_event_);
}

Task<> GuestLock::go_on(Party* party) {
  while (party->result == nullptr) {
    const Ended ended = co_await party->waits.next();
    finish_wait(*party, ended);
  }
  party->is_in_call = false;
  if (is_stateless_) party->waits.drop_all();
  start_beside();
}

// What ends while no call goes on is told, too.
void GuestLock::start_beside() {
  for (Party& party : parties_)
    if (!party.is_in_call && !party.waits.is_empty() && !party.beside.is_running())
      party.beside = Background(run_beside(&party));
}

Task<> GuestLock::run_beside(Party* party) {
  while (!party->waits.is_empty()) {
    const Ended ended = co_await party->waits.next();
    finish_wait(*party, ended);
  }
}

void GuestLock::finish_wait(Party& party, const Ended& ended) {
  if (ended.id == roused) return;
  if (party.joint != nullptr) return tell_all(party, ended.result);
  // Names are even for sleeps and odd for replies: see apply().
  const bool is_reply = ended.id % 2 != 0;
  Told event{
      .kind = is_reply ? Told::Kind::reply : Told::Kind::woke, .party = party.number, .id = ended.id / 2};
  if (is_reply)
    event.reply =
        with_texts(ended.result, [&](const std::string& text) { return run_of(party).tokens.marked(text); });
  tell(party, std::move(event));
}

Task<Reply> GuestLock::send(Party* party, const Effect* effect) {
  Command command;
  for (const std::string& word : effect->words) command.add(run_of(*party).tokens.told(word));
  if (effect->connection != 0) {
    OwnConnection& connection = connection_of(*party, *effect);
    Call own = connection.send(std::move(command), effect->duration);
    own.within(effect->within).at(effect->line);
    if (effect->is_patient) own.patiently();
    const Reply reply = co_await own;
    co_return reply;
  }
  Call call = party->env.stores[effect->server]->send(std::move(command));
  call.within(effect->within).at(effect->line);
  if (effect->is_patient) call.patiently();
  const Reply reply = co_await call;
  co_return reply;
}

Task<Reply> GuestLock::sleep(Env& env, Duration duration) {
  co_await env.clock.sleep(duration);
  co_return Reply::nil();
}

// Says when it happens, as far as the program looks.
void GuestLock::date(Party& party, Told& event, TimeToTell needs, std::optional<Duration> passed) const {
  const bool begins = event.kind == Told::Kind::begin;
  if (begins) party.since_begin.emplace(party.env.clock);
  if (needs == TimeToTell::nothing) return;
  if (event.elapsed < 0 && passed) event.elapsed = to_microseconds(*passed);
  if (event.elapsed < 0) event.elapsed = begins ? 0 : to_microseconds(party.since_begin->elapsed());
  if (needs != TimeToTell::wall || begins) return;
  if (program_.time_to_tell() == TimeToTell::elapsed)
    event.set_by = to_microseconds(party.since_begin->set_by());
}

// To the node where the program is after it was told.
void GuestLock::go_to(Party& party, Told& event) {
  Run& run = run_of(party);
  const auto ask = [&](const auto& question) {
    try {
      const Arena::Outside outside;
      return question();
    } catch (const Unusable&) {
      if (!trouble_) trouble_ = std::current_exception();
      throw;
    }
  };
  const TimeToTell told = program_.time_to_tell();
  const bool may_stand = told != TimeToTell::nothing || party.env.stores.size() > 1;
  const bool is_presumed = may_stand && program_.has_classes() && event.kind != Told::Kind::begin;
  if (told == TimeToTell::nothing)
    return void(run.at = ask([&] {
                  return is_presumed ? program_.stand_in(run.at, event, 0).node
                                     : program_.next(run.at, event);
                }));
  const bool is_date = event.kind == Told::Kind::begin || told == TimeToTell::wall;
  // What it has observed of the time is where it stands.
  std::optional<Duration> passed;
  if (is_presumed) passed = party.since_begin->look();
  TimeToTell needs =
      event.kind == Told::Kind::begin ? told : ask([&] { return program_.needs(run.at, event); });
  for (const Node before = run.at;;) {
    date(party, event, needs, passed);
    if (is_date && needs == TimeToTell::wall && told == TimeToTell::wall)
      event.wall = to_microseconds(party.env.clock.wall().time_since_epoch());
    Standing after;
    if (passed) after = ask([&] { return program_.stand_in(before, event, to_microseconds(*passed)); });
    else after.node = ask([&] { return program_.next(before, event); });
    run.at = after.node;
    // What it looks at may depend on what it has seen: then it was not told enough.
    const TimeToTell reads = program_.action(run.at).reads;
    if (reads <= needs && passed)
      party.since_begin->go_on_from(Duration(after.elapsed), needs != TimeToTell::nothing);
    if (reads <= needs) return;
    needs = reads;
  }
}

void GuestLock::tell(Party& party, Told event) {
  Run& run = run_of(party);
  for (;;) {
    go_to(party, event);
    const Action& action = program_.action(run.at);
    if (action.tokens > 0) learn_texts(party, action);
    if (waits_for_all(party, run.at)) {
      party.joint = run.at;
      return party.waits.begin(action.effects.front().id * 2 + 1, send_to_all(&party, run.at));
    }
    for (const Effect& effect : action.effects) apply(party, effect);
    const auto asks = std::find_if(action.effects.begin(), action.effects.end(),
                                   [](const Effect& effect) { return effect.kind == Kind::clock; });
    if (asks == action.effects.end()) break;
    event = Told{.kind = Told::Kind::time, .party = party.number, .id = asks->id};
    event.number = to_microseconds(asks->id == 0 ? party.env.clock.wall().time_since_epoch()
                                                 : party.env.clock.steady().time_since_epoch());
  }
  if (parties_.size() > 1) start_beside();
}

// What the run of this client has made, and that it is a token.
void GuestLock::learn_texts(Party& party, const Action& action) {
  Run& run = run_of(party);
  const Parts* made = nullptr;
  try {
    const Arena::Outside outside;
    made = &program_.texts(run.at, run.voice);
  } catch (const Unusable&) {
    if (!trouble_) trouble_ = std::current_exception();
    throw;
  }
  INVARIANT(run.tokens.size() >= made->first, "a run knows all texts that it has made before");
  while (run.tokens.size() < made->first + made->texts.size())
    run.tokens.add(made->texts[run.tokens.size() - made->first]);
  auto& chance = dynamic_cast<ProgramRandom&>(party.env.random);
  const auto note = [&](const std::string& text) {
    if (!has_mark(text)) return;
    std::string told = run.tokens.told(text);
    if (made_.contains(told)) return;
    const std::string around = around_marks(text);
    chance.made(
        {told, around, run.voice.chance, parts_of(text, run.tokens.texts()), program_.others(around)});
    made_.insert(std::move(told));
  };
  for (const Effect& effect : action.effects) {
    note(effect.text);
    for (const std::string& word : effect.words) note(word);
  }
}

void GuestLock::apply(const Party& mover, const Effect& effect) {
  if (effect.kind == Kind::clock) return;
  const auto found = std::find_if(parties_.begin(), parties_.end(),
                                  [&](const Party& party) { return party.number == effect.party; });
  INVARIANT(found != parties_.end(), "a program acts for clients that have called it");
  Party& party = *found;
  switch (effect.kind) {
    case Kind::send: return party.waits.begin(effect.id * 2 + 1, send(&party, &effect));
    case Kind::sleep: return party.waits.begin(effect.id * 2, sleep(party.env, effect.duration));
    case Kind::drop:
      party.waits.drop(effect.id * 2);
      party.waits.drop(effect.id * 2 + 1);
      return;
    case Kind::hang_up:
      party.connections.remove_if([&](const Connection& each) { return each.number == effect.connection; });
      return;
    case Kind::renewed: return party.env.renewed(run_of(party).tokens.told(effect.text), effect.duration);
    case Kind::lost: return party.env.lost(run_of(party).tokens.told(effect.text));
    default: party.result = &effect;
  }
  // Another client of the process waits for something else meanwhile.
  if (&party != &mover) party.waits.begin(roused, sleep(party.env, Duration::zero()));
}

OwnConnection& GuestLock::connection_of(Party& party, const Effect& effect) {
  for (Connection& each : party.connections)
    if (each.number == effect.connection) return each.own;
  return party.connections.emplace_back(effect.connection, *party.env.stores[effect.server]).own;
}

Card program_card(std::string_view id, std::string_view summary, std::string_view nodes,
                  std::function<std::unique_ptr<Lock>(const Params&)> make) {
  Card card{.id = id, .summary = summary, .source = id, .lesson = summary};
  card.is_guest = true;
  card.protocol = {.acquire = "see the program", .release = "see the program"};
  card.beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply};
  card.parameters = {{"ttl", Parameter::Kind::duration, "4s",
                      "how long a lease lasts, told to the program as HOLDFAST_TTL_MS"}};
  if (!nodes.empty())
    card.parameters.push_back(
        {"nodes", Parameter::Kind::count, nodes, "how many servers it uses, told to it as HOLDFAST_NODES"});
  card.make = std::move(make);
  return card;
}

}  // namespace holdfast::guest
