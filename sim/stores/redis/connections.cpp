#include "sim/stores/redis/connections.hpp"

#include <algorithm>
#include <array>

namespace holdfast::redis {
namespace {

bool is_opened_before(const Session& session, ConnectionId connection) {
  return session.connection < connection;
}

void append_words(std::string& text, std::string_view name, const auto& words) {
  if (words.empty()) return;
  if (!text.empty()) text += ' ';
  text += name;
  for (const std::string_view word : words) append_quoted(text += ' ', word);
}

void append_flag(std::string& text, std::string_view name, bool is_set) {
  if (is_set) (text += text.empty() ? "" : " ") += name;
}

}  // namespace

Session* Connections::find(ConnectionId connection) {
  const auto place = std::lower_bound(sessions.begin(), sessions.end(), connection, is_opened_before);
  return place == sessions.end() || place->connection != connection ? nullptr : &*place;
}

Session& Connections::open(ConnectionId connection) {
  const auto place = std::lower_bound(sessions.begin(), sessions.end(), connection, is_opened_before);
  if (place != sessions.end() && place->connection == connection) return *place;
  return *sessions.insert(place, Session{.connection = connection});
}

void Connections::tidy(ConnectionId connection) {
  const Session* session = find(connection);
  if (session != nullptr && session->is_idle())
    sessions.erase(sessions.begin() + (session - sessions.data()));
}

bool Connections::is_waiting(ConnectionId connection) const {
  return std::any_of(waiters.begin(), waiters.end(),
                     [&](const Waiter& waiter) { return waiter.connection == connection; });
}

void Connections::forget(ConnectionId connection) {
  if (const Session* session = find(connection))
    sessions.erase(sessions.begin() + (session - sessions.data()));
  std::erase_if(waiters, [&](const Waiter& waiter) { return waiter.connection == connection; });
}

void Connections::note_changes(const Changes& changes, std::size_t first) {
  if (first == changes.size()) return;
  for (Session& session : sessions) {
    if (session.watched.members().empty()) continue;
    for (std::size_t i = first; i < changes.size() && !session.is_stale; ++i)
      session.is_stale = session.watched.has(changes[i].key);
  }
}

std::string canonical_text(const Session& session) {
  std::string text;
  append_flag(text, "queueing", session.is_queueing);
  append_flag(text, "refused", session.is_refused);
  append_flag(text, "stale", session.is_stale);
  for (const Command& command : session.queued) append_words(text, "queued", command.argv());
  append_words(text, "watched", session.watched.members());
  append_words(text, "channels", session.channels.members());
  append_words(text, "patterns", session.patterns.members());
  return text;
}

std::string canonical_text(const Waiter& waiter) {
  std::string text = waiter.kind == Waiter::Kind::list         ? "waiting for a list"
                     : waiter.kind == Waiter::Kind::sorted_set ? "waiting for a sorted set"
                                                               : "waiting for replicas";
  append_flag(text, "from its end", waiter.from == End::last);
  append_words(text, "keys", waiter.keys);
  if (waiter.moves)
    append_words(text, waiter.to == End::first ? "to the begin of" : "to the end of",
                 std::array{waiter.destination});
  return text;
}

}  // namespace holdfast::redis
