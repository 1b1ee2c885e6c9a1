// A lock on several servers: the client that has a majority of them within the validity holds it.
#include "bench/zoo/host.hpp"
#include "bench/zoo/zoo.hpp"

namespace holdfast::zoo {
namespace {

class Quorum final : public Host {
 public:
  using Host::Host;

  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const std::string token = env.random.token();
    const Stopwatch since_start(env.clock);
    const WallTime begin = has("measures-by-the-wall-clock") ? env.clock.wall() : WallTime();
    const auto elapsed = [&] {
      return has("measures-by-the-wall-clock") ? Duration(env.clock.wall() - begin) : since_start.elapsed();
    };
    Duration last_sent{};
    std::vector<bool> has_it;
    std::size_t votes = 0;
    for (Store* const node : env.stores) {
      last_sent = elapsed();
      const Reply reply = co_await Redis(*node).set(key, token, SetOptions().px(ttl_).nx());
      has_it.push_back(reply.is_ok());
      const bool counts = reply.is_ok() || (reply.is_lost() && has("takes-silence-for-a-vote"));
      votes += counts ? 1 : 0;
    }
    const Duration validity = ttl_ - elapsed();
    if (votes >= majority_of(env.stores.size()) && is_enough(validity))
      co_return granted(token, lease(validity, last_sent));
    for (std::size_t i = 0; i < env.stores.size(); ++i) {
      if (has("leaves-a-failed-attempt")) break;
      if (has("gives-back-only-what-it-knows-of") && !has_it[i]) continue;
      co_await Redis(*env.stores[i]).eval(compare_and_delete, Keys(key), Args(token));
    }
    co_return Attempt::refused("no majority in time");
  }

  Task<Release> release(Env& env, std::string key, Grant grant) override {
    std::size_t deleted = 0;
    std::size_t missing = 0;
    for (Store* const node : env.stores) {
      const Reply reply = co_await Redis(*node).eval(compare_and_delete, Keys(key), Args(grant.token));
      deleted += reply.is(1) ? 1 : 0;
      missing += reply.is(0) ? 1 : 0;
    }
    const std::size_t majority = env.stores.size() / 2 + 1;
    if (deleted >= majority) co_return Release::released;
    co_return missing >= majority ? Release::not_held : Release::unknown;
  }

 private:
  std::size_t majority_of(std::size_t nodes) const {
    return has("is-one-vote-short") ? nodes / 2 : nodes / 2 + 1;
  }
  // As an unsigned number, what is over is very long.
  bool is_enough(Duration validity) const {
    return validity > Duration::zero() ||
           (has("takes-what-is-over-for-very-long") && static_cast<std::uint64_t>(validity.count()) > 0);
  }
  // The belief counts it from the last request.
  Duration lease(Duration validity, Duration last_sent) const {
    constexpr Duration very_long = 1h;
    if (validity <= Duration::zero() && has("takes-what-is-over-for-very-long")) return very_long;
    return has("counts-from-its-last-request") ? ttl_ : ttl_ - last_sent;
  }
};

}  // namespace

Card quorum() {
  return card_of<Quorum>("quorum", "the same key on several servers; a majority in time holds",
                         {"is-one-vote-short", "takes-silence-for-a-vote", "counts-from-its-last-request",
                          "takes-what-is-over-for-very-long", "leaves-a-failed-attempt",
                          "gives-back-only-what-it-knows-of", "measures-by-the-wall-clock"},
                         {{"nodes", Parameter::Kind::count, "3", "how many servers"}});
}

}  // namespace holdfast::zoo
