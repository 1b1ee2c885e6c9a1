// The situations in which faults can hurt and properties judge; verdicts are hollow if no run came to them.
#include <array>

#include "sim/scenario/specification.hpp"

namespace holdfast {
namespace {

using enum Situation;

constexpr std::array<SituationWords, situation_ids.size()> words{{
    {"a client that was granted the lock", "no run granted the lock to any client"},
    {"a client that asked while another held the lock",
     "no client asked for the lock while another held it, or its key existed"},
    {"a client that asked when a holder's first lease was over, renewed or endless",
     "no client asked while another held the lock for longer than its first lease"},
    {"a client that asked when a holder's key was gone",
     "no client asked while another held the lock and the server had lost its key"},
    {"a client that asked while a key existed whose call was over or in doubt",
     "no client asked while a key existed whose owner was dead, or had stopped waiting for its answer"},
    {"a request without a waiter that met another's key", "no request without a waiter met another's key"},
    {"a key of the lock that was written", "no key of the lock was written"},
    {"a write to the resource", "no client wrote to the resource"},
    {"a release that ended", "no release ended"},
    {"a lease that ended under its holder", "no key expired while its client believed that it held the lock"},
    {"a client that stopped waiting", "no client stopped waiting for an answer"},
    {"a request that arrived after its client had given up",
     "no request arrived after its client had given up"},
    {"a new client that got the lock", "no client got the lock when all faults were over"},
    {"a driver that sent a request again", "no driver sent a request again"},
    {"a release of a grant whose key stood", "no client released a grant whose key still stood"},
    {"a release that left nothing, or left it to stay",
     "every release left a key that was about to end, or went on in the background"},
}};

// What it is about may be broken by a second holder, or at another's key. All other properties ask whether a
// client is granted the lock, or what one client does alone.
constexpr bool is_about_others(Property property) {
  using enum Property;
  constexpr PropertySet about_one{recovery,    progress,       availability, livelock,      release_frees,
                                  fence_order, rightful_write, reentrancy,   bounded_bypass};
  return !about_one.contains(property);
}

bool is_any_met(const Reach& reach, SituationSet situations) {
  return (reach.met.bits() & situations.bits()) != 0;
}

Situation first_of(SituationSet situations) {
  std::size_t i = 0;
  while (!situations.contains(static_cast<Situation>(i))) ++i;
  return static_cast<Situation>(i);
}

}  // namespace

const SituationWords& words_of(Situation situation) { return words[static_cast<std::size_t>(situation)]; }

SituationSet hurts_in(Fault fault) {
  using enum Fault;
  switch (fault) {
    case none: return {};
    // The holder goes on when its lease is over.
    case pause:
    case slow_section: return {outlived};
    // What it leaves behind is in the way of others.
    case crash:
    case cancel: return {orphaned};
    // The same, or a renewal fails, or a driver sends again what has taken effect.
    case lost_request:
    case lost_reply:
    case late_reply:
    case partition: return {orphaned, outlived, sent_again};
    // It meets what belongs to another by then.
    case late_request:
    case duplicate: return {landed_late};
    // The lease of a holder ends early, or has no end.
    case server_clock_jump: return {outlived};
    // The server forgets a holder.
    case eviction:
    case session_lost: return {bereft};
    // The same, unless the lock has seen to it that the server does not.
    case restart:
    case failover:
    // A client misjudges the lease of another.
    case clock_skew:
    case clock_jump: return {contended};
  }
  return {};
}

SituationSet judged_in(Property property) {
  using enum Property;
  switch (property) {
    case mutual_exclusion:
    case bounded_bypass:
    case single_fill:
    case once_per_period: return {granted, contended};
    // A lock that grants nothing breaks recovery: what it does to those who wait, or come back, is not asked.
    case progress: return {contended, recovered};
    case livelock: return {contended};
    case no_stale_write:
    case no_lost_update: return {granted, contended, wrote};
    case fenced_writes: return {granted, wrote};
    case fence_order: return {granted, keyed};
    case rightful_write: return {granted, keyed, wrote};
    case owner_only_release: return {granted, contended, keyed, released};
    case owner_only_change: return {granted, contended, keyed};
    case truthful_release: return {granted, keyed, released};
    case release_frees: return {granted, held_to_release, released_at_rest};
    case reentrancy: return {granted};
    case recovery:
    case availability: break;
  }
  return {};
}

std::string why_hollow(const Reach& reach, std::span<const FaultRule> faults, Property property) {
  for (std::size_t i = 0; i < situation_ids.size(); ++i) {
    const auto situation = static_cast<Situation>(i);
    if (judged_in(property).contains(situation) && !reach.met.contains(situation))
      return std::string(words_of(situation).never);
  }
  for (const FaultRule& rule : faults) {
    if (rule.kind == Fault::none) continue;
    if (!is_about_others(property) && !reach.struck_held.contains(rule.kind))
      return std::string(id_of(rule.kind)) + " never struck a held lock";
    // That a fault of a chosen size is too small to hurt is an answer.
    const bool is_sized = rule.magnitude != Duration::zero();
    if (!is_sized && is_about_others(property) && !is_any_met(reach, hurts_in(rule.kind)))
      return "after " + std::string(id_of(rule.kind)) + " " +
             std::string(words_of(first_of(hurts_in(rule.kind))).never);
  }
  return {};
}

}  // namespace holdfast
