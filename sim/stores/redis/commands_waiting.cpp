// Commands that may have to wait for their answer: BLPOP BRPOP BLMOVE BRPOPLPUSH BZPOPMIN BZPOPMAX WAIT.
// Clients that wait for a key are served in the order of arrival (Redis documentation, BLPOP).
#include <algorithm>
#include <limits>
#include <optional>

#include "sim/stores/redis/collections.hpp"
#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/notices.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

// The last millisecond of a wait of this length; beyond all time it has no end.
MilliTicks end_of_wait(const Invocation& in, std::int64_t milliseconds) {
  const bool is_endless =
      milliseconds == 0 || milliseconds > std::numeric_limits<std::int64_t>::max() - in.now_ms;
  return is_endless ? Waiter::for_ever : in.now_ms + milliseconds;
}

// Sets waiter.until_ms. An error, or nil.
Reply parse_seconds(const Invocation& in, Waiter& waiter) {
  const std::optional<std::int64_t> milliseconds = seconds_to_milliseconds(in.argv.back());
  if (!milliseconds) return error("timeout is not a float or out of range");
  if (*milliseconds < 0) return error("timeout is negative");
  waiter.until_ms = end_of_wait(in, *milliseconds);
  return Reply::nil();
}

// `otherwise` is the answer of a command that may not wait.
Reply wait_for(Invocation& in, Waiter waiter, Reply otherwise) {
  // For WAIT the caller sees to the replicas.
  if (!in.caller.may_wait && !in.caller.connection && waiter.kind != Waiter::Kind::replicas)
    in.server.note({in.row.name, over_shared});
  if (!in.caller.may_wait) return otherwise;
  waiter.connection = *in.caller.connection;
  in.server.connections.waiters.push_back(std::move(waiter));
  in.caller.is_waiting = true;
  return Reply::nil();
}

bool is_awaited(const Value& value, Waiter::Kind kind) {
  return kind == Waiter::Kind::list ? std::holds_alternative<List>(value)
                                    : std::holds_alternative<SortedSet>(value);
}

// The answer that the value of this key gives. REQUIRES: it has the type that is awaited.
Reply serve(Server& server, const Waiter& waiter, const std::string& key, Changes& changes) {
  if (waiter.moves) {
    if (find_as<List>(server.keys, waiter.destination).is_wrong_type) return wrong_type();
    return move_element(server, key, waiter.from, waiter.destination, waiter.to, changes);
  }
  Value& value = server.keys.find(key)->value;
  std::vector<Reply> parts;
  parts.push_back(Reply::bulk(key));
  bool is_empty = false;
  if (List* list = std::get_if<List>(&value)) {
    parts.push_back(Reply::bulk(take(*list, waiter.from)));
    is_empty = list->elements.empty();
  } else {
    SortedSet& set = std::get<SortedSet>(value);
    SortedSet::Member member = take(set, waiter.from);
    parts.push_back(Reply::bulk(std::move(member.name)));
    parts.push_back(Reply::bulk(score_text(member.score)));
    is_empty = set.members().empty();
  }
  note_removal(server.keys, key, is_empty, changes);
  return Reply::array(std::move(parts));
}

// Answers at once if one of the keys has something, the first one first.
Reply take_or_wait(Invocation& in, Waiter waiter) {
  const Reply problem = parse_seconds(in, waiter);
  if (problem.is_error()) return problem;
  for (const std::string& key : waiter.keys) {
    const Entry* entry = in.keys.find(key);
    if (entry == nullptr) continue;
    return is_awaited(entry->value, waiter.kind) ? serve(in.server, waiter, key, in.changes) : wrong_type();
  }
  return wait_for(in, std::move(waiter), Reply::nil());
}

Reply pop_or_wait(Invocation& in, Waiter::Kind kind, End from) {
  Waiter waiter{.kind = kind, .from = from};
  waiter.keys = in.argv.first(in.argc() - 1).subspan(1);
  return take_or_wait(in, std::move(waiter));
}

Reply move_or_wait(Invocation& in, End from, End to) {
  Waiter waiter{.from = from, .keys = {std::string(in.key())}, .moves = true, .to = to};
  waiter.destination = in.argv[2];
  return take_or_wait(in, std::move(waiter));
}

}  // namespace

Reply blpop(Invocation& in) { return pop_or_wait(in, Waiter::Kind::list, End::first); }
Reply brpop(Invocation& in) { return pop_or_wait(in, Waiter::Kind::list, End::last); }
Reply bzpopmin(Invocation& in) { return pop_or_wait(in, Waiter::Kind::sorted_set, End::first); }
Reply bzpopmax(Invocation& in) { return pop_or_wait(in, Waiter::Kind::sorted_set, End::last); }
Reply brpoplpush(Invocation& in) { return move_or_wait(in, End::last, End::first); }
Reply blmove(Invocation& in) {
  const std::optional<End> from = end_named(in.argv[3]);
  const std::optional<End> to = end_named(in.argv[4]);
  return from && to ? move_or_wait(in, *from, *to) : syntax_error();
}

Reply wait(Invocation& in) {
  const std::optional<std::int64_t> wanted = to_integer(in.argv[1]);
  if (!wanted) return not_an_integer();
  const std::optional<std::int64_t> milliseconds = to_integer(in.argv[2]);
  if (!milliseconds) return error("timeout is not an integer or out of range");
  if (*milliseconds < 0) return error("timeout is negative");
  const Reply reached = Reply::integer(in.server.replicas);
  // Redis keeps 32 bits of the number while it waits, and looks again at once.
  const std::int64_t kept = static_cast<std::int32_t>(*wanted);
  if (in.server.replicas >= std::min(*wanted, kept)) return reached;
  return wait_for(in, Waiter{.kind = Waiter::Kind::replicas, .until_ms = end_of_wait(in, *milliseconds)},
                  reached);
}

void serve_waiters(Server& server, Changes& changes, Pushes& pushes) {
  Connections& connections = server.connections;
  while (!connections.ready.empty()) {
    const std::string key = std::move(connections.ready.front());
    connections.ready.erase(connections.ready.begin());
    for (std::size_t i = 0; i < connections.waiters.size();) {
      const Entry* entry = server.keys.find(key);
      if (entry == nullptr) break;
      const Waiter& next = connections.waiters[i];
      const bool awaits_key = std::find(next.keys.begin(), next.keys.end(), key) != next.keys.end();
      if (!awaits_key || !is_awaited(entry->value, next.kind)) {
        ++i;
        continue;
      }
      const Waiter waiter = std::move(connections.waiters[i]);
      connections.waiters.erase(connections.waiters.begin() + static_cast<std::ptrdiff_t>(i));
      const std::size_t first = changes.size();
      pushes.push_back(Push{waiter.connection, serve(server, waiter, key, changes)});
      if (server.tells()) notify_served(server, waiter, changes, first, pushes);
    }
  }
}

void end_waits_due(Server& server, MilliTicks now_ms, Pushes& pushes) {
  std::vector<Waiter>& waiters = server.connections.waiters;
  while (!waiters.empty()) {
    const auto next = std::min_element(waiters.begin(), waiters.end(), ends_before);
    if (!is_over(next->until_ms, now_ms)) return;
    const bool wants_count = next->kind == Waiter::Kind::replicas;
    pushes.push_back(Push{next->connection, wants_count ? Reply::integer(server.replicas) : Reply::nil()});
    waiters.erase(next);
  }
}

}  // namespace holdfast::redis
