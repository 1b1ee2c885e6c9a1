// setnx: SETNX takes the lock, DEL frees it. Nothing else.
#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

class Setnx final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    // The document stores a time stamp, which nobody reads.
    const std::string value = "1";
    const Reply created = co_await Redis(env.store()).setnx(key, value);
    if (is_failure(created)) co_return Attempt::failed("failed to setnx lock: " + error_of(created));
    if (!created.is(1)) co_return Attempt::refused("lock already exists.");
    co_return Attempt(Grant(value));
  }

  Task<Release> release(Env& env, std::string key, Grant) override {
    const Reply deleted = co_await Redis(env.store()).del(key);
    co_return release_by(deleted);
  }
};

constexpr std::string_view lesson =
    "SETNX writes the key only if it is absent, so of all who try at once exactly one is told 1. As long as "
    "every holder gets to its DEL and every answer arrives, this excludes perfectly, however long the work "
    "takes: there is no lease that could end too early. For the same reason nothing ends it when its holder "
    "is dead. A client that crashes while it holds leaves the key for ever. No crash is needed either: when "
    "the answer to SETNX is lost, or SETNX arrives after its sender gave up, or the sender is stopped until "
    "it gives up, the key exists and no client knows that it owns it; when the DEL is lost, all clients "
    "believe that the lock is free, but the server does not. The value says nothing about the owner, so "
    "after a restart that lost the data the first holder's DEL removes the second holder's lock. Repair: let "
    "the server expire the key (set-nx-px), and let the value name the owner (token).";

constexpr Protocol protocol{
    .acquire = "SETNX key 1; 1 grants, 0 refuses",
    .release = "DEL key",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what = "the key of a holder that died stays for ever",
       .lesson = "a-crashed-holder-blocks-a-lock-without-expiry-for-ever",
       .repair = "set-nx-px-recovers-when-any-reply-is-lost"},
      {.what = "when the answer to SETNX is lost, the key stays and no client knows that it owns it",
       .lesson = "a-lost-setnx-reply-blocks-a-lock-without-expiry-for-ever",
       .repair = "set-nx-px-recovers-when-any-reply-is-lost"},
  };
}

}  // namespace

Card setnx() {
  using enum Fault;
  using enum Property;
  return Card{
      .id = "setnx",
      .summary = "SETNX takes, DEL releases; the key has no expiry and no owner",
      .source = "document 003, SETNX, first part; Redis documentation, SETNX",
      .lesson = lesson,
      .protocol = protocol,
      // A copy of a DEL deletes the key of the next holder, and a third client enters.
      .claims = {{{mutual_exclusion, no_stale_write, owner_only_release, truthful_release},
                  every_fault_but({restart, duplicate, failover, eviction})},
                 {{owner_only_change}, every_fault},
                 {{recovery}, {none, slow_section, restart, clock_skew}}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release},
      .parameters = {},
      .make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Setnx>(); },
      .is_stateless = true,
  };
}

}  // namespace holdfast::algorithms
