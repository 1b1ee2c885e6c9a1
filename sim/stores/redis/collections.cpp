#include "sim/stores/redis/collections.hpp"

#include <algorithm>

namespace holdfast::redis {

void note_ready(Server& server, std::string_view key, const Value& value) {
  Connections& connections = server.connections;
  if (connections.waiters.empty()) return;
  const bool is_list = std::holds_alternative<List>(value);
  if (!is_list && !std::holds_alternative<SortedSet>(value)) return;
  const bool is_awaited =
      std::any_of(connections.waiters.begin(), connections.waiters.end(), [&](const Waiter& waiter) {
        return std::find(waiter.keys.begin(), waiter.keys.end(), key) != waiter.keys.end();
      });
  std::vector<std::string>& ready = connections.ready;
  if (is_awaited && std::find(ready.begin(), ready.end(), key) == ready.end()) ready.emplace_back(key);
}

Span span_of(std::int64_t start, std::int64_t stop, std::size_t size) {
  const auto length = static_cast<std::int64_t>(size);
  if (start < 0) start = std::max<std::int64_t>(start + length, 0);
  if (stop < 0) stop += length;
  stop = std::min(stop, length - 1);
  if (start > stop) return {};
  return {static_cast<std::size_t>(start), static_cast<std::size_t>(stop - start + 1)};
}

Reply texts(const std::vector<std::string>& words) {
  std::vector<Reply> replies;
  replies.reserve(words.size());
  for (const std::string& word : words) replies.push_back(Reply::bulk(word));
  return Reply::array(std::move(replies));
}

}  // namespace holdfast::redis
