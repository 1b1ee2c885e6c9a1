// The protocol of Redis, as its drivers speak it.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "sim/core/store.hpp"
#include "sim/guest/program.hpp"
#include "sim/process/wire.hpp"
#include "sim/stores/redis/protocol.hpp"

namespace holdfast::process {
namespace {

template <std::size_t N>
bool is_one_of(const std::string& word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 6> blocking{"BLPOP",      "BRPOP",    "BLMOVE",
                                                   "BRPOPLPUSH", "BZPOPMIN", "BZPOPMAX"};
constexpr std::array<std::string_view, 3> subscribing{"SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE"};
constexpr std::array<std::string_view, 5> of_connection{"WATCH", "UNWATCH", "MULTI", "EXEC", "DISCARD"};

// How long a server may keep a blocking command, its last word in seconds.
Duration patience_of(const std::vector<std::string>& command) {
  const double seconds = std::strtod(command.back().c_str(), nullptr);
  constexpr double microseconds = 1e6;
  return seconds == 0 ? OwnConnection::for_ever : Duration(static_cast<std::int64_t>(seconds * microseconds));
}

class Resp final : public Wire {
 public:
  std::optional<Request> take(std::string_view& bytes) override {
    // A record of its handshake, of any version (RFC 8446, 5.1).
    if (bytes.starts_with("\x16\x03"))
      throw guest::Unusable("it speaks TLS; connect without it, as by redis:// instead of rediss://");
    try {
      std::optional<std::vector<std::string>> words = redis::take_command(bytes);
      if (!words) return std::nullopt;
      const std::string name = words->empty() ? "" : redis::upper(words->front());
      Request request;
      request.subscribes = is_one_of(name, subscribing);
      if (is_one_of(name, blocking)) request.waits = patience_of(*words);
      request.needs_session = request.subscribes || request.waits || is_one_of(name, of_connection);
      request.words = std::move(*words);
      return request;
    } catch (const redis::NoCommand& why) {
      throw guest::Unusable(why.what());
    }
  }
  std::optional<std::string> answer_to_greeting(const Request& request) override {
    const std::vector<std::string>& words = request.words;
    std::optional<std::string> answer = redis::answer_to_greeting(words, version_);
    if (answer && words.size() == 2 && redis::upper(words[0]) == "SELECT") database_ = words[1];
    return answer;
  }
  std::string bytes_of(const Reply& reply) const override { return redis::in_protocol(reply, version_); }
  const std::string& database() const override { return database_; }

 private:
  int version_ = 2;
  std::string database_ = "0";
};

}  // namespace

std::unique_ptr<Wire> connect_to_redis() { return std::make_unique<Resp>(); }

}  // namespace holdfast::process
