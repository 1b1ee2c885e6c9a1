// Replies that a client waits for together: of all but the last one, no client can tell when they came. So
// they are handed over as soon as they can be, with the step before, and only the last one's time is tried.
//
// Why that loses no run. Take a reply that may come until l, and another one, of the same broadcast, that is
// sure to be able to come as late as l: because its request is still on its way, and has as long to come back
// as this reply has had, or because it is itself due until later. Take any run in which the reply comes at a.
// Let it come now, and, where it was the last, let the other one come at a. The client goes on at the same
// instant, having been told the same: parts are looked at when all are here, in the order of the servers.
// Nothing in between can tell the two runs apart: an answer that is here changes nothing but what its client
// will be told, the client does nothing before it has all, and no property hears of it. If the client dies or
// is cancelled meanwhile, both answers are forgotten, here or on their way. What could tell is left as it is:
// a timeout that may come before the reply; a client that waits for something else beside, and might look at
// what is here; and a fault that may still take the reply, hold it back, or strike when it comes. A reply is
// lost or late from the instant at which it leaves, so from the next instant on these two take it no more. A
// clock may be set when a reply comes; set when the last one comes, it shows the client the same.
//
// A pause and a partition can tell: they strike where a reply is about to come, and then a timeout may come
// before it. While they may strike, such a reply comes as late as it can, or with the last one: every run in
// which it comes earlier, at a, is a run in which it comes then. A pause that begins between the two, and is
// over before the last reply comes, does nothing; one that is not begins where the last one comes, or where
// this one comes at the latest, and lasts for less. What a pause has held up comes when it ends, before the
// timeout or after it, as in the run in which it had come before. A partition takes a reply only while it is
// on its way, and begins with what it takes; so there nothing else may be on its way between the two.
//
// It is a persistent set of one transition that no property sees (Godefroid: Partial-Order Methods for the
// Verification of Concurrent Systems, chapter 4), chosen together with when it happens: in time, too, the
// runs that are left out differ from others only in what is not observed. No cycle consists of such steps
// alone, for each takes a message away.
#include <algorithm>

#include "sim/world/world.hpp"

namespace holdfast {

// Which of what may happen now is such a reply.
std::optional<std::uint32_t> World::joint_reply() const {
  if (faults_.may(Harm::notices)) return std::nullopt;
  const std::span<const Scheduled> pending = network_.pending();
  for (std::uint32_t option = 0; option < outlook_.ready.size(); ++option)
    if (is_joint(pending[outlook_.ready[option]])) return option;
  return std::nullopt;
}

bool World::is_joint(const Scheduled& reply) const {
  if (reply.kind != Scheduled::Kind::reply || !delays_.empty() || clients_.share_locks()) return false;
  const Message& own = network_.at(reply.slot);
  if (own.call == nullptr || own.call->all_waited_for() == nullptr) return false;
  if (is_now(own.departed, now_) && faults_.may_take_replies()) return false;
  const Instant latest = std::max(now_, reply.latest);
  bool is_outlived = scenario_.explore.joins_too_much;
  std::size_t parts = 0;
  for (const Message& each : network_.messages()) {
    if (each.call == nullptr || each.call->all_waited_for() != own.call->all_waited_for()) continue;
    ++parts;
    if (network_.end_of(Scheduled::Kind::timeout, each) <= latest) return false;
    if (&each != &own) is_outlived |= may_outlive(each, own, latest);
  }
  return is_outlived && parts == clients_.at(own.client).waits();
}

// `each` may come when `own` comes at the latest. Of two that come until the same instant, one is the last.
bool World::may_outlive(const Message& each, const Message& own, Instant latest) const {
  if (!each.has(Scheduled::Kind::reply)) return latest <= now_ + scenario_.timing.delay_max;
  const Instant end = std::max(now_, network_.end_of(Scheduled::Kind::reply, each));
  return end > latest || (end == latest && each.node.value > own.node.value);
}

bool World::is_tried_later(const Scheduled& reply) const {
  if (!faults_.may(Harm::notices) || faults_.may(Harm::notices_latest)) return false;
  if (reply.latest <= now_ || !is_joint(reply)) return false;
  const Message& own = network_.at(reply.slot);
  return !faults_.may(Harm::notices_others) ||
         std::none_of(network_.messages().begin(), network_.messages().end(), [&](const Message& each) {
           const bool travels = each.has(Scheduled::Kind::request) || each.has(Scheduled::Kind::reply);
           return &each != &own && travels && each.client == own.client && each.node == own.node;
         });
}

// Where time is dense, too, it may come now unless it could not have come yet.
void World::join_replies_in_dense_time() {
  if (faults_.may(Harm::notices)) return;
  const std::span<const Scheduled> pending = network_.pending();
  for (std::size_t i = 0; i < pending.size(); ++i) {
    if (!dense_->times.must_precede(pending[i].earliest, now_) || is_held_up(pending[i]) ||
        !is_joint(pending[i]))
      continue;
    perform(i);
    forget_past();
    return join_replies_in_dense_time();
  }
}

void World::join_replies() {
  if (dense_) return join_replies_in_dense_time();
  while (!course_.over) {
    collect();
    outlook_.is_collected = true;
    const std::optional<std::uint32_t> option = joint_reply();
    if (!option) return;
    outlook_.is_collected = false;
    choices_.note_step(*option, options(), *this);
    ++step_.value;
    perform(outlook_.ready[*option]);
  }
}

}  // namespace holdfast
