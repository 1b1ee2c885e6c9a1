// set-nx-px-as-printed: SET with PX and NX, by code that takes the null reply of a refusal for success.
#include "algorithms/claims.hpp"
#include "algorithms/replies.hpp"
#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

class SetNxPxAsPrinted final : public Lock {
 public:
  explicit SetNxPxAsPrinted(const Params& params)
      : ttl_(params.duration("ttl")), takes_null_for_success_(params.choice("null-is") == "success") {}

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string value = "1234";
    const Reply reply = co_await Redis(env.store()).set(key, value, SetOptions().px(ttl_).nx());
    // `if not ok`: lua-resty-redis returns nil or false for these two only.
    if (is_failure(reply)) co_return Attempt::failed("failed to set lock: " + error_of(reply));
    if (reply.is_nil() && !takes_null_for_success_) co_return Attempt::refused("lock already exists.");
    Grant grant(value);
    grant.lease = ttl_;
    co_return Attempt(grant);
  }

  Task<Release> release(Env& env, std::string key, Grant) override {
    const Reply deleted = co_await Redis(env.store()).del(key);
    co_return release_by(deleted);
  }

 private:
  Duration ttl_;
  bool takes_null_for_success_;
};

constexpr std::string_view lesson =
    "The command is right: SET with NX and PX. The code around it is not. When the key exists Redis answers "
    "with a null, and lua-resty-redis hands that to the program as ngx.null, a value of its own, because "
    "Lua's nil is kept for errors. In Lua everything but nil and false is true, so `if not ok` lets the "
    "refusal pass and the program goes on as if it held the lock. Two clients and no fault suffice: both are "
    "told yes, both work, and the first to finish deletes the key. The lock excludes no client; a test with "
    "one client cannot notice. null-is=refusal is the repair (`if ok == ngx.null`) and makes this lock the "
    "same as set-nx-px. Know what your driver returns for a null before you write `not`.";

constexpr Protocol protocol{
    .acquire = "SET key 1234 with NX and PX; OK grants, and so does nil",
    .release = "DEL key",
};

std::vector<KnownBug> known_bugs() {
  return {
      {.what =
           "lua-resty-redis returns ngx.null for nil, which counts as true: every caller is granted the lock",
       .tracker = "openresty/lua-resty-redis #90",
       .lesson = "a-null-reply-taken-for-success-excludes-nobody"},
  };
}

}  // namespace

Card set_nx_px_as_printed() {
  using enum Property;
  return Card{
      .id = "set-nx-px-as-printed",
      .summary = "SET NX PX, but the null reply of a refusal is taken for success, as printed; plain DEL",
      .source = "document 004, way four, with lua-resty-redis (shows no release); Redis documentation, SET",
      .lesson = lesson,
      .protocol = protocol,
      .claims = {{{owner_only_change, recovery}, every_fault}},
      .bugs = known_bugs(),
      .belief = Belief::until_release,
      .beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply},
      .parameters = {{"ttl", Parameter::Kind::duration, "1s", "how long the key lives"},
                     {"null-is",
                      Parameter::Kind::choice,
                      "success",
                      "what a null reply counts as. success: as printed; refusal: repaired",
                      {"success", "refusal"}}},
      .make = [](const Params& params) -> std::unique_ptr<Lock> {
        return std::make_unique<SetNxPxAsPrinted>(params);
      },
      .is_stateless = true,
  };
}

}  // namespace holdfast::algorithms
