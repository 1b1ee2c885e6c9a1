// Which states are the same: everything that the future depends on, in 128 bits.
//
// Absolute times, names of clients and numbers of tokens are left out as long as nobody knows them. A token
// is seen from its maker: it counts back from the latest one. What belongs to nobody in particular refers to
// clients only in their own parts ("the value at this key is my latest token"), so clients with the same plan
// may change places, and the parts may be added up in any order. Whoever has read a token of another knows
// names: then every part says whose it is.
#include <algorithm>
#include <array>

#include "sim/core/invariant.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
namespace {

constexpr bool is_letter(char sign) { return sign >= 'A' && sign <= 'Z'; }
constexpr bool is_digit(char sign) { return sign >= '0' && sign <= '9'; }

// What a word of a client's part is about.
enum Mark : std::uint64_t { value_at_key = 1, owns_key, pending, orphan, whole };

// The parts of a digest that are being put together.
struct Parts {
  std::span<Digest> of_clients;
  Digest rest;
  bool are_names_known = false;
  std::uint32_t forgotten = 0;  // references to tokens of which nothing else is known

  void add(ClientId client, std::uint64_t word) {
    of_clients[client.value] = mix(of_clients[client.value], word);
  }
};

}  // namespace

// --- names ---

// A full stop, so that client 26, "C26", and client 2, "C", never make the same text.
std::string World::text_of(Token token) {
  constexpr std::uint32_t letters = 26;
  const std::string separator = token.client.value < letters ? "" : ".";
  return name_of(token.client) + separator + std::to_string(token.number);
}

std::optional<Token> World::token_of(std::string_view text) const {
  if (text.size() < 2 || !is_letter(text[0]) || !is_digit(text[1]) || text[1] == '0') return std::nullopt;
  std::array<std::uint64_t, 2> numbers{};
  std::size_t part = 0;
  for (const char sign : text.substr(1)) {
    if (sign == '.' && part == 0) part = 1;
    else if (!is_digit(sign) || numbers[part] > 100'000'000) return std::nullopt;
    else numbers[part] = numbers[part] * 10 + static_cast<std::uint64_t>(sign - '0');
  }
  const std::uint64_t client = part == 0 ? static_cast<std::uint64_t>(text[0] - 'A') : numbers[0];
  if (client >= clients_.size() || numbers[part] > clients_[client]->tokens()) return std::nullopt;
  const Token token{ClientId{static_cast<std::uint32_t>(client)}, static_cast<std::uint32_t>(numbers[part])};
  return token.number > 0 && text_of(token) == text ? std::optional(token) : std::nullopt;
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
           plan.program == other_plan.program;
  };
  for (std::uint32_t i = 0; i < scenario_.clients.size(); ++i) {
    std::uint32_t first = 0;
    while (first < i && !is_like(first, i)) ++first;
    classes_.push_back(first);
  }
}

// --- digest ---

// Nobody waits for this request any more: its words matter by themselves now.
void World::note_content(Message& orphan) const {
  orphan.content = Digest{};
  for (const std::string& word : orphan.command.argv()) {
    const std::optional<Token> token = token_of(word);
    const bool is_own = token && token->client == orphan.client;
    if (is_own && (orphan.own_token == 0 || orphan.own_token == token->number)) {
      orphan.own_token = token->number;
      orphan.content = mix(orphan.content, 1);
      continue;
    }
    orphan.has_names |= has_name(word);
    orphan.content = mix(mix(orphan.content, 0), digest_of(word));
  }
}

// While nobody knows the absolute time, two states that differ in nothing else are the same.
bool World::is_time_known() const {
  if (store_knows_time_ || redis_.has_told_time()) return true;
  for (const auto& each : clients_)
    if (each->knows_time()) return true;
  for (const Message& sent : messages_)
    if (sent.knows_time) return true;
  return false;
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

Digest World::mix_state(std::span<Digest> of_clients) const {
  Parts parts{of_clients, mix(Digest{}, static_cast<std::uint64_t>(calm_) | std::uint64_t{over_} << 1)};
  if (is_time_known()) parts.rest = mix(parts.rest, now_.time_since_epoch().count());
  parts.rest = faults_.mix_state(parts.rest);
  parts.rest = mix(parts.rest, redis_.loaded_scripts_digest());

  for (const auto& each : clients_) {
    Digest& part = parts.of_clients[each->id().value];
    part = each->mix_state(part, now_);
    parts.are_names_known |= each->knows_names();
  }
  const WallTime wall = server_time();
  redis_.visit([this, &parts, wall](std::string_view key, std::string_view value,
                                    std::optional<WallTime> expires_at) {
    const Digest name = digest_of(key);
    parts.rest = mix(mix(parts.rest, name.low), expires_at ? (*expires_at - wall).count() : -1);
    parts.are_names_known |= has_name(key);
    if (const std::optional<Token> token = token_of(value)) {
      const std::uint32_t age = age_of(*token);
      parts.add(token->client, Mark::value_at_key | std::uint64_t{age} << 8);
      parts.add(token->client, name.low);
      parts.are_names_known |= age == Client::forgotten && ++parts.forgotten > 1;
    } else {
      parts.rest = mix(parts.rest, digest_of(value));
      parts.are_names_known |= has_name(value);
    }
  });
  if (!owner_.is_nobody()) parts.add(owner_.client, Mark::owns_key | std::uint64_t{age_of(owner_)} << 8);
  parts.are_names_known |= mix_pending(of_clients);

  for (const auto& each : clients_) {
    const std::uint32_t index = each->id().value;
    parts.add(each->id(), Mark::whole | std::uint64_t{parts.are_names_known ? index : classes_[index]} << 8);
    if (!parts.are_names_known) continue;
    parts.add(each->id(), std::uint64_t{each->tokens()} << 32 | each->acquisitions());
  }
  return mix(parts.rest, parts.are_names_known);
}

// What is going to happen, in any order. True when names of others are in it.
bool World::mix_pending(std::span<Digest> of_clients) const {
  bool are_names_known = false;
  for (const Pending& each : pending_) {
    Digest part = mix(Digest{}, Mark::pending | static_cast<std::uint64_t>(each.kind) << 8 |
                                    std::uint64_t{each.paused_since.has_value()} << 16);
    part = mix(part, std::max(Duration::zero(), each.earliest - now_).count());
    part = mix(part, (each.latest - now_).count());
    if (each.kind == Pending::Kind::request || each.kind == Pending::Kind::reply) {
      const Message& sent = message_of(each.message);
      are_names_known |= sent.has_names;
      if (sent.call == nullptr) {
        const Client& sender = client_of(sent.client);
        part = mix(part, Mark::orphan | std::uint64_t{sender.acquisitions() - sent.acquisition.number} << 8);
        part = mix(part, sent.own_token == 0 ? 0 : std::uint64_t{sender.tokens() - sent.own_token} + 1);
        part = mix(part, sent.content);
      } else if (each.kind == Pending::Kind::reply) {
        part = mix(part, sent.content);
      }
    }
    Digest& whole = of_clients[each.client.value];
    whole = sum(whole, part);
  }
  return are_names_known;
}

}  // namespace holdfast
