// What a lock on Redis includes: `const Reply reply = co_await Redis(env.store()).get(key);`
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/core/lock.hpp"

namespace holdfast {

// The options of SET (Redis documentation, SET). Written in a chain: SetOptions().nx().px(ttl).
class SetOptions {
 public:
  SetOptions() = default;
  SetOptions& nx() { return add(Word::nx); }
  SetOptions& xx() { return add(Word::xx); }
  SetOptions& get() { return add(Word::get); }
  SetOptions& keepttl() { return add(Word::keepttl); }
  SetOptions& px(Duration ttl) { return add(Word::px, to_milliseconds(ttl)); }
  SetOptions& ex(Duration ttl) { return add(Word::ex, to_seconds(ttl)); }
  // For a command.
  Command::Reserve room() const {
    Command::Reserve room{0, 0};
    for (std::size_t i = 0; i < count_; ++i) {
      room = room + Command::Reserve{1, text_of(words_[i]).size()};
      if (has_number(words_[i])) room = room + Command::Reserve{1, Command::most_digits};
    }
    return room;
  }
  void add_to(Command::Writer& command) const {
    for (std::size_t i = 0; i < count_; ++i) {
      command.add(text_of(words_[i]));
      if (has_number(words_[i])) command.add(number_);
    }
  }

 private:
  enum class Word : std::uint8_t { nx, xx, get, keepttl, px, ex };
  static std::string_view text_of(Word word) {
    static constexpr std::array<std::string_view, 6> texts{"NX", "XX", "GET", "KEEPTTL", "PX", "EX"};
    return texts[static_cast<std::size_t>(word)];
  }
  static bool has_number(Word word) { return word == Word::px || word == Word::ex; }
  SetOptions& add(Word word) {
    INVARIANT(count_ < words_.size(), "each option of SET is given once");
    words_[count_++] = word;
    return *this;
  }
  SetOptions& add(Word word, std::int64_t number) {
    number_ = number;
    return add(word);
  }
  // Small, because it lies in the frame that awaits the call.
  std::array<Word, 6> words_{};
  std::uint8_t count_ = 0;
  std::int64_t number_ = 0;  // of the expiry
};

// KEYS of a script; ARGV are Args.
using Keys = Words<struct KeysTag>;

// Redis documentation, the command of the same name. Replies are Redis' own.
class Redis {
 public:
  explicit Redis(Store& node) : node_(node) {}

  Call get(std::string_view key, Where where = Where::current()) {
    return node_.send(Command("GET", key), where);
  }
  Call del(std::string_view key, Where where = Where::current()) {
    return node_.send(Command("DEL", key), where);
  }
  Call exists(std::string_view key, Where where = Where::current()) {
    return node_.send(Command("EXISTS", key), where);
  }
  Call incr(std::string_view key, Where where = Where::current()) {
    return node_.send(Command("INCR", key), where);
  }
  Call pttl(std::string_view key, Where where = Where::current()) {
    return node_.send(Command("PTTL", key), where);
  }
  Call setnx(std::string_view key, std::string_view value, Where where = Where::current()) {
    return node_.send(Command("SETNX", key, value), where);
  }
  Call getset(std::string_view key, std::string_view value, Where where = Where::current()) {
    return node_.send(Command("GETSET", key, value), where);
  }
  // Rounded down to whole seconds, as EXPIRE takes nothing finer.
  Call expire(std::string_view key, Duration ttl, Where where = Where::current()) {
    return node_.send(Command("EXPIRE", key, to_seconds(ttl)), where);
  }
  Call pexpire(std::string_view key, Duration ttl, Where where = Where::current()) {
    return node_.send(Command("PEXPIRE", key, to_milliseconds(ttl)), where);
  }
  Call set(std::string_view key, std::string_view value, const SetOptions& options = SetOptions(),
           Where where = Where::current()) {
    return node_.send(Command("SET", key, value, options), where);
  }
  Call eval(std::string_view script, const Keys& keys, const Args& args, Where where = Where::current()) {
    return node_.send(script_command("EVAL", script, keys, args), where);
  }
  // The same of a script that the server knows: by the SHA-1 of its text, in hexadecimal digits.
  Call evalsha(std::string_view digest, const Keys& keys, const Args& args, Where where = Where::current()) {
    return node_.send(script_command("EVALSHA", digest, keys, args), where);
  }
  // How many replicas have what this client wrote before: at least so many, or after `timeout` fewer.
  Call wait(std::uint32_t replicas, Duration timeout, Where where = Where::current()) {
    return node_.send(Command("WAIT", replicas, to_milliseconds(timeout)), where);
  }

 private:
  static Command script_command(std::string_view name, std::string_view script, const Keys& keys,
                                const Args& args) {
    return Command(name, script, keys.list().size(), keys.list(), args.list());
  }

  Store& node_;
};
static_assert(SafeInAwait<Redis>);

class RedisConnection final : public OwnConnection {
 public:
  using OwnConnection::OwnConnection;

  Call subscribe(std::string_view channel, Where where = Where::current()) {
    return send(Command("SUBSCRIBE", channel), where);
  }
  // Zero: waits for ever.
  Call blpop(std::string_view key, Duration timeout, Where where = Where::current()) {
    return send(Command("BLPOP", key, seconds_text(timeout)),
                timeout == Duration::zero() ? for_ever : timeout, where);
  }

 private:
  // In seconds, as BLPOP takes it: "4", "0.250".
  static std::string seconds_text(Duration duration) {
    const std::string thousandths = std::to_string(1000 + to_milliseconds(duration) % 1000).substr(1);
    return std::to_string(to_seconds(duration)) + (thousandths == "000" ? "" : "." + thousandths);
  }
};

}  // namespace holdfast
