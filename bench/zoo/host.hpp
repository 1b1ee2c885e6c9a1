// What the locks of the zoo share.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/redis_client.hpp"

namespace holdfast::zoo {

inline constexpr const char* compare_and_delete =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

class Host : public Lock {
 public:
  // `params` must outlive it.
  explicit Host(const Params& params) : ttl_(params.duration("ttl")), bug_(params.text("bug")) {}

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    const Reply deleted = co_await Redis(env.store()).eval(exit(), Keys(key), Args(grant.token));
    co_return told_by(deleted);
  }

 protected:
  // The script of release(), for a key and a token. 1: released; 0: not the holder.
  virtual const char* exit() const { return compare_and_delete; }
  // Whether this bug is planted.
  bool has(std::string_view bug) const { return bug_ == bug; }
  Attempt granted(std::string token) const { return granted(std::move(token), ttl_); }
  static Attempt granted(std::string token, Duration lease) {
    Grant grant(std::move(token));
    grant.lease = lease;
    return Attempt(grant);
  }
  // Told by the script of acquire(). 1: granted; 0: another holds it.
  Attempt told_by(const Reply& taken, const std::string& token) const {
    if (taken.is(1)) return granted(token);
    return taken.is(0) ? Attempt::refused("held") : Attempt::failed("no answer");
  }
  static Release told_by(const Reply& deleted) {
    if (deleted.is(1)) return Release::released;
    return deleted.is(0) ? Release::not_held : Release::unknown;
  }

  const Duration ttl_;
  const std::string_view bug_;
};

// `more`: parameters besides "ttl" and "bug".
template <class TheHost>
Card card_of(std::string_view id, std::string_view summary, std::vector<std::string_view> bugs,
             const std::vector<Parameter>& more = {}) {
  bugs.insert(bugs.begin(), "none");
  Card card{
      .id = id,
      .summary = summary,
      .source = "the bug zoo",
      .lesson = "",
      .claims = {},
      .parameters = {{"ttl", Parameter::Kind::duration, "4s", "how long the key lives"},
                     {"bug", Parameter::Kind::choice, "none", "what is wrong with it", std::move(bugs)}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> { return std::make_unique<TheHost>(params); },
      .is_stateless = true};
  for (const Parameter& parameter : more) card.parameters.push_back(parameter);
  return card;
}

}  // namespace holdfast::zoo
