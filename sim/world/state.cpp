// Which states are the same: everything that the future depends on, in 128 bits.
//
// Absolute times, names of clients and numbers of tokens are left out as long as nobody was told. A token
// is seen from its maker: it counts back from the latest one. What belongs to nobody in particular refers to
// clients only in their own parts ("the value at this key is my latest token"), so clients with the same plan
// may change places, and the parts may be added up in any order. Once somebody has read a token of another,
// every part says whose it is.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "sim/core/invariant.hpp"
#include "sim/world/marks.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
namespace {

constexpr bool is_letter(char sign) { return sign >= 'A' && sign <= 'Z'; }
constexpr bool is_digit(char sign) { return sign >= '0' && sign <= '9'; }

}  // namespace

// --- names ---

// Most locks make one for each acquisition.
std::uint32_t World::tokens_before(const Scenario& scenario) {
  constexpr std::uint64_t endless = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t lives = 1;
  for (const FaultRule& rule : scenario.faults)
    if (rule.kind == Fault::crash) lives += rule.budget;
  std::uint64_t most = scenario.timing.recovery_rounds;
  for (const ClientPlan& plan : scenario.clients) {
    std::uint64_t attempts = 0;
    for (const ProgramStep& step : plan.program)
      if (step.op == ProgramStep::Op::acquire || step.op == ProgramStep::Op::acquire_again)
        attempts += step.attempts == 0 ? endless : step.attempts;
    most = std::max(most, attempts * (plan.rounds == 0 ? endless : plan.rounds * lives));
  }
  if (most < 10) return 0;
  std::uint32_t before = 10;
  while (before < tokens_before_max && 9 * before <= most) before *= 10;
  return before;
}

// A full stop, so that client 26, "C26", and client 2, "C", never make the same text.
std::string World::text_of(Token token) {
  constexpr std::uint32_t letters = 26;
  std::array<char, 24> text{'C'};
  char* end = text.data() + 1;
  if (token.client.value < letters) {
    text[0] = static_cast<char>('A' + token.client.value);
  } else {
    end = std::to_chars(end, text.data() + 11, token.client.value).ptr;
    *end++ = '.';
  }
  end = std::to_chars(end, text.data() + text.size(), token.number).ptr;
  return std::string(text.data(), end);
}

// A letter and a number; or "C", a number, a full stop and a number. Numbers begin with no zero.
std::optional<Token> World::token_of(std::string_view text) const {
  constexpr std::uint64_t letters = 26;
  if (text.size() < 2 || !is_letter(text[0])) return std::nullopt;
  std::array<std::uint64_t, 2> numbers{};
  std::size_t part = 0;
  for (const char sign : text.substr(1)) {
    if (sign == '.' && part == 0 && numbers[0] >= letters && text[0] == 'C') {
      part = 1;
      continue;
    }
    if (!is_digit(sign) || numbers[part] > 100'000'000 || (sign == '0' && numbers[part] == 0))
      return std::nullopt;
    numbers[part] = numbers[part] * 10 + static_cast<std::uint64_t>(sign - '0');
  }
  const std::uint64_t client = part == 0 ? static_cast<std::uint64_t>(text[0] - 'A') : numbers[0];
  const std::uint64_t number = numbers[part];
  if (number == 0 || client >= clients_.size() || number > clients_[client]->tokens()) return std::nullopt;
  return Token{ClientId{static_cast<std::uint32_t>(client)}, static_cast<std::uint32_t>(number)};
}

// A letter before a digit may be the beginning of a token.
bool World::has_name(std::string_view text) const {
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    if (is_digit(text[i + 1]) && text[i + 1] != '0' && is_letter(text[i])) return true;
  return false;
}

// Clients that a rule aims at, or whose plans differ, are not interchangeable.
void World::note_classes() {
  const auto is_like = [&](std::uint32_t one, std::uint32_t other) {
    if (!scenario_.explore.reductions.contains(Reduction::symmetry)) return false;
    for (const FaultRule& rule : scenario_.faults)
      if (rule.target && (rule.target->value == one || rule.target->value == other)) return false;
    const ClientPlan& plan = scenario_.clients[one];
    const ClientPlan& other_plan = scenario_.clients[other];
    return plan.wall_offset == other_plan.wall_offset && plan.drift_ppm == other_plan.drift_ppm &&
           plan.start == other_plan.start && plan.rounds == other_plan.rounds &&
           plan.program == other_plan.program && plan.key == other_plan.key &&
           plan.params == other_plan.params;
  };
  for (std::uint32_t i = 0; i < scenario_.clients.size(); ++i) {
    std::uint32_t first = 0;
    while (first < i && !is_like(first, i)) ++first;
    classes_.push_back(first);
  }
}

// --- digest ---

// Nobody waits for this request any more: its words matter by themselves now.
void World::note_content(Message& orphan) {
  if (!has_states_) return;
  orphan.content = Digest{};
  for (const std::string_view word : orphan.command.argv()) {
    const std::optional<Token> token = token_of(word);
    const bool is_own = token && token->client == orphan.client;
    if (is_own && (orphan.own_token == 0 || orphan.own_token == token->number)) {
      orphan.own_token = token->number;
      orphan.content = mix(orphan.content, 1);
      continue;
    }
    told_.of_names |= has_name(word);
    orphan.content = mix(mix(orphan.content, 0), digest_of(word));
  }
}

// How old an own token or acquisition is, if anything can still refer to it.
std::uint32_t World::age_of(Token token) const {
  for (const Message& sent : messages_)
    if (sent.client == token.client && sent.own_token == token.number)
      return client_of(token.client).tokens() - token.number;
  return client_of(token.client).age_of_token(token.number);
}

std::uint32_t World::age_of(Acquisition acquisition) const {
  for (const Message& sent : messages_)
    if (sent.acquisition == acquisition)
      return client_of(acquisition.client).acquisitions() - acquisition.number;
  return client_of(acquisition.client).age_of_acquisition(acquisition.number);
}

Digest World::mix_client(Digest history, ClientId id) {
  const Client& client = client_of(id);
  history = client.mix_state(history, now_);
  for (Scheduled& each : pending_) {
    if (each.client != id) continue;
    each.digest = digest_scheduled(each);
    history = sum(history, each.digest);
  }
  if (!lines_.empty()) history = mix_lines(history, id);
  if (told_.of_names) history = mix(history, std::uint64_t{client.tokens()} << 32 | client.acquisitions());
  const bool is_distinct = told_.of_clients || told_.of_names;
  return mix(history, Mark::whole | std::uint64_t{is_distinct ? id.value : classes_[id.value]} << 8);
}

std::uint64_t World::word_of_cut(std::uint32_t number) const {
  const auto cut =
      std::find_if(cuts_.begin(), cuts_.end(), [&](const Cut& each) { return each.number == number; });
  return Mark::is_cut | std::uint64_t{cut->loses_requests} << 8 | std::uint64_t{cut->loses_replies} << 9 |
         std::uint64_t{cut->node.value} << 10;
}

Digest World::digest_scheduled(const Scheduled& it) const {
  using Kind = Scheduled::Kind;
  const auto earliest = static_cast<std::uint64_t>(std::max(Duration::zero(), it.earliest - now_).count());
  const auto latest = static_cast<std::uint64_t>(std::max(Duration::zero(), it.latest - now_).count());
  const bool has_window = earliest != latest;
  const bool is_far = earliest >> 45 != 0;
  Digest digest = mix(Digest{}, Mark::pending | static_cast<std::uint64_t>(it.kind) << 8 |
                                    std::uint64_t{it.is_work} << 16 | std::uint64_t{has_window} << 17 |
                                    std::uint64_t{is_far} << 18 | earliest << 19);
  if (is_far) digest = mix(digest, earliest);
  if (has_window) digest = mix(digest, latest);
  if (it.kind == Kind::heal) return mix(digest, word_of_cut(it.slot));
  if (!it.is_of_message() && it.sleep == nullptr) return digest;
  const Client& waiting = client_of(it.client);
  const void* const wait = it.is_of_message() ? static_cast<const void*>(messages_[it.slot].call) : it.sleep;
  if (wait != nullptr && waiting.waits_for_several())
    digest = mix(digest, Mark::rank | waiting.rank_of(wait) << 8);
  // What a fault may still do to it.
  if (faults_.may_strike() && (it.travels() || it.is_work)) {
    const bool is_fresh = it.travels() && messages_[it.slot].departed == now_;
    digest = mix(digest, Mark::movable | std::uint64_t{is_fresh} << 8 | std::uint64_t{it.is_struck} << 9);
  }
  return it.travels() || it.kind == Kind::send ? mix_message(digest, it) : digest;
}

// What is on its way, or about to leave.
Digest World::mix_message(Digest digest, const Scheduled& it) const {
  const Message& sent = messages_[it.slot];
  const Client& sender = client_of(sent.client);
  if (sent.connection.value != 0)
    digest = mix(mix(digest, Mark::line | rank_of(it) << 8), std::uint64_t{sent.is_local});
  const std::uint32_t age = sent.call != nullptr ? sender.acquisitions() - sent.acquisition.number : 0;
  if (sent.node.value != 0 || sent.is_repeated || age != 0)
    digest = mix(digest, Mark::sent | std::uint64_t{sent.is_repeated} << 8 |
                             std::uint64_t{sent.node.value} << 9 | std::uint64_t{age} << 32);
  if (sent.call != nullptr && belief_ != Belief::until_release)
    digest = mix(digest, (now_ - sent.sent_at).count());
  if (sent.call != nullptr)
    return it.kind == Scheduled::Kind::reply ? mix(sum(digest, sent.content), 0) : digest;
  digest = mix(digest, Mark::orphan | std::uint64_t{sender.acquisitions() - sent.acquisition.number} << 8);
  digest = mix(digest, sent.own_token == 0 ? 0 : std::uint64_t{sender.tokens() - sent.own_token} + 1);
  return mix(digest, sent.content);
}

// The texts of the keys are looked at when they change, not in every state.
void World::note_keys(Shelf& shelf) {
  shelf.keys.clear();
  shelf.data.visit([&](std::string_view key, std::string_view value, std::optional<std::int64_t> expires_ms,
                       bool has_ended) {
    const std::optional<Token> token = token_of(value);
    told_.of_names |= has_name(key) || (!token && has_name(value));
    Key note{digest_of(key), static_cast<std::uint64_t>(expires_ms.value_or(0)) * 1000,
             token.value_or(Token{})};
    if (!token) note.content = mix(note.content, digest_of(value));
    if (!expires_ms) note.content = mix(note.content, has_ended ? 2 : 1);
    note.is_mortal = expires_ms.has_value();
    shelf.keys.push_back(note);
  });
  // Two tokens of which nothing else is known may still be compared with each other.
  const auto is_forgotten = [this](const Key& key) {
    return key.token.number != 0 && age_of(key.token) == Client::forgotten;
  };
  shelf.tokens = static_cast<std::uint32_t>(std::count_if(
      shelf.keys.begin(), shelf.keys.end(), [](const Key& key) { return key.token.number != 0; }));
  std::ptrdiff_t forgotten = 0;
  for (const Server& each : servers_)
    forgotten += std::count_if(each.shelf.keys.begin(), each.shelf.keys.end(), is_forgotten);
  told_.of_names |= forgotten > 1;
}

// Keys, and whose they are.
Digest World::mix_shelf(const Shelf& shelf, std::uint64_t number, WallTime time, std::span<Digest> of_clients,
                        Digest rest) const {
  const auto now = static_cast<std::uint64_t>(time.time_since_epoch().count());
  // The digests that are added up before they are mixed are of texts, or ends of chains: they are as good as
  // random.
  rest = mix(rest, shelf.data.scripts_digest());
  for (const Key& key : shelf.keys) {
    rest = mix(sum(rest, key.content), key.is_mortal ? key.expires - now : 0);
    if (key.token.number == 0) continue;
    Digest& owner = of_clients[key.token.client.value];
    owner = mix(sum(owner, {number, key.content.low}),
                Mark::value_at_key | std::uint64_t{age_of(key.token)} << 8);
  }
  for (std::size_t i = 0; i < shelf.locked.size(); ++i) {
    const Acquisition owner = shelf.locked[i].owner;
    if (owner.is_nobody()) continue;
    Digest& part = of_clients[owner.client.value];
    part = mix(sum(part, {number, i}), Mark::owns_key | std::uint64_t{age_of(owner)} << 8);
  }
  return rest;
}

// `number` tells apart what belongs to different servers and times.
Digest World::mix_server(const Server& each, std::uint64_t number, std::span<Digest> of_clients,
                         Digest rest) const {
  if (each.clock_offset != Duration::zero())
    rest = mix(mix(rest, Mark::server_clock), each.clock_offset.count());
  rest = mix_shelf(each.shelf, number, time_of(each), of_clients, rest);
  const std::size_t reachable = reachable_past(each);
  for (std::size_t i = 0; i < reachable; ++i) {
    const Server::Past& past = each.past[i];
    rest = mix_shelf(past.shelf, ++number, time_of(each), of_clients, rest);
    if (told_.of_writers) {
      Digest& part = of_clients[past.writer.value];
      part = mix(sum(part, {number, i}), Mark::wrote | std::uint64_t{past.is_replicated} << 8);
    }
    if (is_recent(past))
      rest = mix(mix(rest, Mark::recent), static_cast<std::uint64_t>((now_ - past.written).count()));
  }
  return reachable == 0 ? rest : mix(rest, Mark::reachable | std::uint64_t{reachable} << 8);
}

// --- steps that are about one client ---

// A client that is told no names knows of a token only whether it is its own, and its part says that. A
// script could compare two tokens of others with each other, though. And where connections wait, a command of
// one client lets others go on. Which faults may strike depends on everything.
bool World::has_local_steps() const {
  if (faults_.may_strike() || !lines_.empty() || calm_until_ != never || told_.of_writers) return false;
  const auto is_plain = [](const Server& each) { return each.shelf.tokens <= 1; };
  return !told_.of_names && clients_.size() <= 64 && std::all_of(servers_.begin(), servers_.end(), is_plain);
}

// The owner hears of the change of a key; two forgotten tokens may still be compared with each other.
Digest World::digest_of_keys() const {
  std::uint64_t forgotten = 0;
  Digest digest{};
  for (const Server& each : servers_) {
    for (const LockedKey& locked : each.shelf.locked)
      digest = mix(digest, std::uint64_t{locked.owner.is_nobody()});
    if (each.shelf.tokens == 0) continue;
    for (const Key& key : each.shelf.keys)
      forgotten += key.token.number != 0 && age_of(key.token) == Client::forgotten;
  }
  return mix(digest, forgotten);
}

std::uint64_t World::holders() const {
  std::uint64_t holders = 0;
  for (const auto& each : clients_) holders |= std::uint64_t{each->holds()} << (each->id().value & 63);
  return holders;
}

std::uint64_t World::owners() const {
  std::uint64_t owners = 0;
  const auto note = [&](ClientId client) { owners |= std::uint64_t{1} << (client.value & 63); };
  for (const Server& each : servers_) {
    for (const Key& key : each.shelf.keys)
      if (key.token.number != 0) note(key.token.client);
    for (const LockedKey& locked : each.shelf.locked)
      if (!locked.owner.is_nobody()) note(locked.owner.client);
  }
  return owners;
}

bool World::is_undisturbed() const {
  return !calm_ && !faults_.may_strike() &&
         std::none_of(clients_.begin(), clients_.end(), [this](const auto& each) { return goes_on(*each); });
}

std::uint64_t World::unfinished() const {
  std::uint64_t unfinished = 0;
  for (const auto& each : clients_)
    unfinished |= std::uint64_t{!each->is_finished() && !goes_on(*each)} << (each->id().value & 63);
  return unfinished;
}

Digest World::mix_rest(std::span<Digest> of_clients) const {
  // Servers count in whole milliseconds: how far into one it is decides when a key that is written now ends.
  const auto into_millisecond = static_cast<std::uint64_t>((now_.time_since_epoch() % 1ms).count());
  Digest rest = mix(Digest{}, std::uint64_t{calm_} | std::uint64_t{over_} << 1 |
                                  std::uint64_t{told_.of_time} << 2 | std::uint64_t{told_.of_names} << 3 |
                                  std::uint64_t{told_.of_clients} << 4 | std::uint64_t{is_cached_} << 5 |
                                  std::uint64_t{told_.of_writers} << 6 |
                                  std::uint64_t{waits_for_first_} << 7 | into_millisecond << 8);
  rest = faults_.mix_state(rest);
  for (std::uint64_t i = 0; i < servers_.size(); ++i)
    rest = mix_server(servers_[i], i << 8, of_clients, rest);
  if (!lines_.empty()) mix_lines_at_servers(of_clients);
  if (calm_until_ != never)
    rest = mix(mix(rest, Mark::calm_until), static_cast<std::uint64_t>((calm_until_ - now_).count()));
  if (resource_.newest()) rest = mix(mix(rest, Mark::registered), *resource_.newest());
  if (told_.of_time) rest = mix(rest, static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  return rest;
}

}  // namespace holdfast
