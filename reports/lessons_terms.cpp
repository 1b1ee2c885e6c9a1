// Terms for newcomers: general words of the field, and services that are not simulated.
#include <array>
#include <utility>

#include "reports/lessons.hpp"

namespace holdfast::reports {
namespace {

constexpr std::array terms{
    Lesson{"lock", "What lets one client at a time do something, when clients run on several machines",
           "A client asks a server for the lock, works, and gives it back. The server remembers who has it, "
           "usually as a key that only the first client can create. Since a client may die while it holds "
           "the lock, the key ends by itself after a while: that is the lease, and most failures follow from "
           "it. `holdfast list locks` lists the locks.",
           "./holdfast explain token"},
    Lesson{"lease", "How long a grant lasts in the store: the time to live (TTL) of its key",
           "Without a lease, a client that dies blocks all others for ever. With one, a client that is "
           "paused or slow for longer than its lease goes on although the server has granted the lock to "
           "another client: it is not told. A longer lease makes that rarer, and makes others wait longer "
           "after a crash. `holdfast envelope` finds the longest pause that a lease survives.",
           "./holdfast envelope token --fault pause"},
    Lesson{"fence",
           "A number that grows with each grant, by which a resource refuses an old holder: the "
           "fencing token",
           "Each grant brings a number, and each write carries it. The resource remembers the largest number "
           "that it has seen and refuses smaller ones, so a client that was paused past its lease can no "
           "longer do harm. The resource must compare the numbers; the lock alone cannot do it.",
           "./holdfast check fenced --fault pause --property fenced-writes --fencing first-write"},
    Lesson{"token-value", "What the store keeps for a grant, different for each one",
           "A client writes a value that no other client uses into the key of the lock. Before it deletes "
           "the key, it compares the value. A lock that does not compare deletes the key of the next holder "
           "after its own lease is over. The lock called `token` does compare, and `set-nx-px` does not.",
           "./holdfast diff set-nx-px token --fault pause"},
    Lesson{"consensus-service", "A lock of etcd, ZooKeeper, Consul or a database: not simulated here",
           "holdfast simulates Redis, and the shared dictionary of nginx. Services that agree by consensus "
           "lose no acknowledged write when a server dies, so what `restart` and `failover` break here does "
           "not break there. What `pause` breaks does break there: a session ends while its client is "
           "paused, exactly as a lease does. The remedy is the same: a number that grows (the revision of "
           "etcd, the zxid of ZooKeeper) and a resource that compares it.",
           "./holdfast explain fence"},
};

constexpr std::pair<std::string_view, std::string_view> other_names[] = {
    {"\u2714", "holds"},
    {"\u25d0", "holds"},
    {"\u2718", "violated"},
    {"\u25cb", "sampled"},
    {"\u2205", "hollow"},
    {"?", "unknown"},
    {"\u00b7", "not-applicable"},
    {"distributed lock", "lock"},
    {"mutex", "lock"},
    {"ttl", "lease"},
    {"expiry", "lease"},
    {"timeout", "lease"},
    {"fencing", "fence"},
    {"fencing token", "fence"},
    {"fencing-token", "fence"},
    {"value", "token-value"},
    {"etcd", "consensus-service"},
    {"zookeeper", "consensus-service"},
    {"consul", "consensus-service"},
    {"postgres", "consensus-service"},
    {"postgresql", "consensus-service"},
    {"mysql", "consensus-service"},
    {"database", "consensus-service"},
};

}  // namespace

std::span<const Lesson> term_lessons() { return terms; }

std::string_view usual_name(std::string_view name) {
  for (const auto& [other, usual] : other_names)
    if (name == other) return usual;
  return {};
}

}  // namespace holdfast::reports
