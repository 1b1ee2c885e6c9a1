#include "reports/causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace holdfast::reports {
namespace {

// Of each kind, the likeliest first: kinds, and the faults of each.
struct Faults {
  CauseKind kind;
  std::string_view words;
  std::vector<Fault> faults;
};
const std::array kinds{
    Faults{CauseKind::no_fault, "nothing goes wrong", {Fault::none}},
    Faults{CauseKind::slow_client,
           "a client is stopped or slow for longer than its lease",
           {Fault::pause, Fault::slow_section}},
    Faults{CauseKind::gone_client, "a client dies or gives up", {Fault::crash, Fault::cancel}},
    Faults{CauseKind::network,
           "a message is late, lost or sent twice",
           {Fault::lost_reply, Fault::late_reply, Fault::late_request, Fault::lost_request, Fault::duplicate,
            Fault::partition}},
    Faults{CauseKind::server_forgets,
           "the server forgets what it has answered",
           {Fault::failover, Fault::restart, Fault::eviction}},
    Faults{CauseKind::clocks,
           "a clock is wrong",
           {Fault::clock_jump, Fault::server_clock_jump, Fault::clock_skew}},
};

// Of mutual exclusion and of writes that come too late, which break together.
std::string_view advice_for_exclusion(CauseKind kind) {
  switch (kind) {
    case CauseKind::no_fault:
      return "Take the lock in one command that only the first client can carry out (SET key value NX PX "
             "ttl), and let its lease be longer than the work.";
    case CauseKind::slow_client:
      return "No lock with a lease can prevent it alone. Let the resource refuse an old holder by a fencing "
             "token (holdfast explain fence). A lease longer than the longest pause makes it rarer (holdfast "
             "envelope).";
    case CauseKind::gone_client:
      return "A request that a client sent before it died may still be carried out: let each command compare "
             "the token of its own grant.";
    case CauseKind::network:
      return "A request may be carried out late or twice: let each command compare the token of its own "
             "grant, and let a deadline count from when the request was sent.";
    case CauseKind::server_forgets:
      return "A server that forgets keys cannot keep a lock: appendfsync always, maxmemory-policy "
             "noeviction, and WAIT for replicas make that rarer; a fencing token that the resource compares "
             "remains safe (holdfast explain fence).";
    case CauseKind::clocks:
      return "Let one steady clock measure the lease; slew clocks, and never step them. A fencing token that "
             "the resource compares remains safe (holdfast explain fence).";
  }
  return "";
}

std::string_view advice_for(Property property, CauseKind kind) {
  switch (property) {
    case Property::mutual_exclusion:
    case Property::no_stale_write: return advice_for_exclusion(kind);
    case Property::owner_only_release:
    case Property::owner_only_change:
      return "Delete or renew the key only if it still has the token of this grant, and compare in the same "
             "script on the server (holdfast explain token-value).";
    case Property::truthful_release:
      return "Let release() return what the server answered: if the key was another's, that is no success; "
             "no answer is neither success nor failure.";
    case Property::recovery:
    case Property::progress:
      return "Give every key of the lock its expiry in the command that creates it, and let a client forget "
             "a grant that the server no longer knows.";
    case Property::fenced_writes:
    case Property::fence_order:
    case Property::rightful_write:
    case Property::no_lost_update:
      return "Take the fencing token in the script that takes the lock, keep the count where it survives a "
             "restart, and let the resource refuse smaller ones (holdfast explain fence).";
    case Property::availability: return "Let a majority of the servers suffice in every step, with timeouts.";
    case Property::livelock:
      return "After a missed majority, give back the servers that were taken, and wait for a random time.";
    case Property::bounded_bypass: return "Only a queue bounds how often a waiter is overtaken.";
    case Property::reentrancy:
      return "Count in the store how often the holder acquired the lock, and free it after as many releases.";
    case Property::single_fill: return "Look into the cache once more after the lock was granted.";
  }
  return "";
}

bool is_violated(const MatrixCell& cell, std::size_t i) {
  return cell.exploration.properties[i].counterexample.has_value();
}

PropertySet broken_without_faults(const Matrix& matrix, const std::string& algorithm) {
  PropertySet broken;
  for (const MatrixCell& cell : matrix.cells)
    for (std::size_t i = 0; i < cell.exploration.properties.size(); ++i)
      if (cell.fault == Fault::none && cell.algorithm == algorithm && is_violated(cell, i))
        broken.insert(cell.exploration.properties[i].property);
  return broken;
}

// The most important property that a kind of faults breaks, under the likeliest fault that does.
std::optional<Cause> cause_of(const Matrix& matrix, const Faults& faults) {
  std::optional<Cause> cause;
  PropertySet broken;
  for (const Fault fault : faults.faults)
    for (const MatrixCell& cell : matrix.cells) {
      if (cell.fault != fault) continue;
      const PropertySet known =
          fault == Fault::none ? PropertySet() : broken_without_faults(matrix, cell.algorithm);
      for (std::size_t i = 0; i < cell.exploration.properties.size(); ++i) {
        const Property property = cell.exploration.properties[i].property;
        if (!is_violated(cell, i) || known.contains(property)) continue;
        broken.insert(property);
        if (!cause || property < cause->cell->exploration.properties[cause->property].property)
          cause = {faults.kind, &cell, i, {}};
      }
    }
  for (std::size_t i = 0; cause && i < property_ids.size(); ++i)
    if (broken.contains(static_cast<Property>(i))) cause->broken.push_back(static_cast<Property>(i));
  return cause;
}

}  // namespace

CauseKind kind_of(Fault fault) {
  for (const Faults& each : kinds)
    if (std::find(each.faults.begin(), each.faults.end(), fault) != each.faults.end()) return each.kind;
  return CauseKind::no_fault;
}

std::string_view in_words(CauseKind kind) { return kinds[static_cast<std::size_t>(kind)].words; }

std::vector<Cause> causes_of(const Matrix& matrix) {
  std::vector<Cause> causes;
  for (const Faults& each : kinds)
    if (std::optional<Cause> cause = cause_of(matrix, each)) causes.push_back(std::move(*cause));
  return causes;
}

std::vector<std::string> advice_for(const Cause& cause) {
  std::vector<std::string> advice;
  for (const Property property : cause.broken) {
    const std::string_view text = advice_for(property, cause.kind);
    if (std::find(advice.begin(), advice.end(), text) == advice.end()) advice.emplace_back(text);
  }
  return advice;
}

}  // namespace holdfast::reports
