// Which states are the same: everything that the future depends on, in 128 bits.
//
// Absolute times, names of clients and numbers of tokens are left out as long as no client was told. A token
// is seen from its maker: it counts back from the latest one. What belongs to no client refers to clients
// only in their own parts ("the value at this key is my latest token"), so clients with the same plan may
// change places, and the parts may be added up in any order. Once somebody has read a token of another, every
// part says whose it is; and of those that their makers have forgotten, which are older than which.
#include <algorithm>

#include "sim/world/marks.hpp"
#include "sim/world/world.hpp"

namespace holdfast {

// No client waits for this request any more: its words matter by themselves now.
void World::note_content(Message& orphan) {
  if (!has_states_) return;
  orphan.content = History();
  auto& own = orphan.own_tokens;
  for (const std::string_view word : orphan.command.argv()) {
    const Wording said = clients_.wording_of(word);
    told_.of_date |= said.may_say_when;
    const Token found = said.token.value_or(Token{});
    const bool is_own = said.token && found.client == orphan.client;
    const auto place = std::find_if(own.begin(), own.end(), [&](std::uint32_t number) {
      return is_own && (number == 0 || number == found.number);
    });
    if (place != own.end()) {
      *place = found.number;
      orphan.content.add(static_cast<std::uint64_t>(1 + (place - own.begin())));
      orphan.content.add(found.around);
    } else {
      clients_.note_others(orphan.content, said, told_);
    }
    for (const Instant each : said.dates) orphan.content.add(each);
  }
}

void World::note_answer(Message& answered) {
  answered.content = History();
  clients_.at(answered.client).mix_reply(answered.content, answered.reply);
}

void World::note_number(History& history, std::uint64_t number) {
  const std::optional<Token> count = told_.of_names ? std::nullopt : clients_.count_of(number);
  if (!count) return history.add(number);
  clients_.note_others(told_);
  history.add(*count);
}

// A token may be known where its maker has forgotten it: on its way, at keys, and to others.
void World::rank_tokens() {
  clients_.forget_ranks(servers_.traits().only_orders);
  Counts& counts = clients_.change_counts();
  const NoteToken note = [&](const Token& token) {
    if (token.client == counter) counts.note(first_count + token.number);
    else told_.of_names |= !clients_.note_rank(token);
  };
  network_.note_tokens(note);
  servers_.note_tokens(
      [&](const Token& token) {
        if (token.client == counter) counts.note_kept(first_count + token.number);
        else note(token);
      },
      clients_);
  for (const auto& each : clients_) each->note_tokens(note);
  resource_.note_counts(counts);
}

// Something runs beside what it waits for, and makes a token. Tokens of its own, in replies that are on their
// way to it, are counted back from its latest.
void World::note_token(const Client& maker) {
  for (const Message& each : network_.messages())
    if (each.client == maker.id() && each.call != nullptr && each.has(Scheduled::Kind::reply) &&
        !each.is_local && !each.reply.is_lost())
      note_answer(network_.change(each));
}

// Of a deadline that counts from a request, when that left; of one that was not granted yet, or is renewed.
bool World::is_sending_asked(const Client& client) const {
  if (!leaves_out_dead_) return belief_ != Belief::until_release;
  return belief_ == Belief::deadline_from_request &&
         (client.place() == Place::acquiring || client.is_claiming());
}

Digest World::mix_client(Digest history, ClientId id) {
  const Client& client = clients_.at(id);
  history = client.mix_state(history, now_);
  history = network_.mix_client(
      history, client,
      {.about_sending = is_sending_asked(client), .about_faults = faults_.may_strike(), .clients = clients_});
  return clients_.mix_client(history, id, told_.of_names, told_.of_clients || told_.of_names);
}

// scenario, card, params, facts, kinds, belief, has_states, may_times_stand_for_others, leaves_out_dead,
// joins_replies, tokens_before, is_timed, asks_for_progress: the same in every state. choices, trace:
// others'. network, clients: in the clients' parts. effects: used within a step. strikes, outlook: found from
// all else. dense: the rest of it is the zone, which is no part of the digest. touched, last: of the step
// before. step: a count. beliefs_end: no belief ends earlier. reach: what was met on the way is kept by the
// exploration. probe_plan, returns: the scenario's. now: absolute only for who was told, but for the part of
// a millisecond: servers count in whole ones, and it decides when a key that is written now ends. Who looks
// at clocks may count in whole seconds.
Digest World::mix_rest(std::span<Digest> of_clients) const {
  const auto& [scenario, card, params, facts, kinds, belief, has_states, may_times_stand_for_others,
               leaves_out_dead, joins_replies, tokens_before, is_timed, asks_for_progress, choices, trace,
               dense, now, step, touched, faults, network, servers, resource, effects, strikes, outlook, last,
               course, beliefs_end, reach, told, delays, probe_plan, returns, clients] = *this;
  const auto& [waits_for_first, calm, over, is_cached, calm_until, turn, away] = course;
  const auto& [of_time, of_date, of_clients_too, of_others, of_names, of_writers, of_numbers, of_transactions,
               of_counts] = told;
  const Duration whole = of_time ? Duration(1s) : Duration(1ms);
  Digest rest = mix(Digest{}, std::uint64_t{calm} | std::uint64_t{over} << 1 | std::uint64_t{of_time} << 2 |
                                  std::uint64_t{of_names} << 3 | std::uint64_t{of_clients_too} << 4 |
                                  std::uint64_t{is_cached} << 5 | std::uint64_t{of_writers} << 6 |
                                  std::uint64_t{of_transactions} << 10 | std::uint64_t{waits_for_first} << 7 |
                                  std::uint64_t{of_numbers} << 8 | std::uint64_t{of_date} << 9 |
                                  std::uint64_t{of_others} << 11 | std::uint64_t{of_counts} << 12);
  if (!dense) rest = mix(rest, static_cast<std::uint64_t>((now.time_since_epoch() % whole).count()));
  rest = faults.mix_state(rest);
  rest = servers.mix_state(rest, of_clients, clients, told);
  if (network.has_lines()) servers.mix_connections(of_clients, network, clients, told);
  if (calm_until != never)
    rest = mix(mix(rest, Mark::calm_until), static_cast<std::uint64_t>((calm_until - now).count()));
  if (turn != Turn::probe) rest = mix(mix(rest, Mark::turn), static_cast<std::uint64_t>(turn));
  if (away) rest = mix(mix(rest, Mark::away), away->value);
  for (const std::uint32_t delay : delays) rest = mix(mix(rest, Mark::delay), delay);
  rest = clients.mix_memories(resource.mix_state(rest, clients.counts()));
  return of_date ? mix(rest, static_cast<std::uint64_t>(now.time_since_epoch().count())) : rest;
}

// --- steps that are about one client ---

// A client that is told no names knows of a token only whether it is its own, and its part says that. A
// script could compare two tokens of others with each other, though. And where connections wait, a command of
// one client lets others go on. Numbers are compared with those of all others. A server that counts time by
// itself lets it pass in one of several ways. Which faults may strike depends on everything.
bool World::has_local_steps() const {
  if (faults_.may_strike() || network_.has_lines() || clients_.share_locks() || course_.calm_until != never ||
      told_.of_writers || told_.of_numbers || servers_.traits().is_steady)
    return false;
  return !told_.of_others && !told_.of_names && clients_.size() <= 64 && servers_.have_few_tokens();
}

}  // namespace holdfast
