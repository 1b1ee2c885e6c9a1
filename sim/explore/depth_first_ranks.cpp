// What a depth-first search does where a state belongs to another rank, and with those that others have sent;
// and what ranks do that do not lead.
#include <utility>

#include "sim/core/awaits.hpp"
#include "sim/explore/depth_first.hpp"
#include "sim/explore/ownership.hpp"

namespace holdfast {

// So many states are remembered to have been sent, of 16 bytes: they need not be sent again.
constexpr std::size_t sent_size = std::size_t{1} << 16;

bool DepthFirst::was_sent_lately(const Digest& digest) {
  if (sent_.empty()) sent_.resize(sent_size);
  return std::exchange(sent_[digest.low % sent_size], digest) == digest;
}

// Whether the state is another rank's, `picks` beyond the last level. Then that has it, now or before.
bool DepthFirst::is_sent_away(const Digest& digest, std::span<const std::uint8_t> picks,
                              const Outline& there) {
  const unsigned owner = owner_of(there, exchange_->count());
  if (owner == exchange_->rank()) return false;
  Level& level = levels_.back();
  if (level.is_audited) level.future = sum(level.future, mix(Digest{}, digest));
  const std::uint32_t depth = this->depth();
  if (!was_sent_lately(digest))
    send_away(owner, {digest, depth, choices_.picks(), picks, &there, false, false});
  count_transition();
  return true;
}

void DepthFirst::send_away(unsigned owner, const Exchange::Sent& state) {
  if (state.steps < subject_.scenario.explore.steps_max || state.is_over) return exchange_->send(owner, state);
  cut_ = true;
}

void DepthFirst::tend() {
  exchange_->tend(&*seen_);
  while (exchange_->is_congested() && !shared_.is_stopped()) {
    seen_->rest();
    exchange_->tend(&*seen_);
  }
}

// Goes on from a state that another rank has sent; in the world only when that must be known.
void DepthFirst::enter(const Arrival& arrival) {
  here_ = nowhere;
  Outline& here = outline(0);
  if (arrival.has_outline) {
    here = arrival.outline;
    if (arrival.is_at_choice || come_to_choice(here)) foresee(here);
  }
  descend(arrival.digest, 0, false);
}

namespace {

// Takes part in one search. False when rank 0 has gone meanwhile.
bool take_part(Ranks& ranks, const Job& job, const Assignment& assignment, Checkpoints* checkpoints) {
  const Budget budget{[] { return false; }, [] { return 0.0; }, checkpoints, &ranks};
  Awaits awaits;
  const Awaits::Noting noting(&awaits);
  SharedSearch shared(job.scenario, budget, assignment.threads);
  shared.set_generation(assignment.generation);
  Knowledge known = assignment.known;
  Exchange exchange(ranks, shared);
  if (assignment.is_resumed) shared.restore(known);
  search(job.scenario, *job.card, known, assignment.threads, shared);
  exchange.close(false);
  return !exchange.has_quit();
}

}  // namespace

void follow(Ranks& ranks, const std::function<Job(const std::string&)>& read, Checkpoints* checkpoints) {
  for (;;) {
    const std::optional<Ranks::Message> message = ranks.receive();
    if (!message) {
      if (ranks.lost()) return;
      ranks.wait();
      continue;
    }
    Unpacking from(message->text);
    const auto kind = from.next<Exchange::Kind>();
    const auto search = from.next<std::uint32_t>();
    if (kind == Exchange::Kind::quit) return;
    if (kind == Exchange::Kind::states && search > ranks.searches) ranks.early.push_back(*message);
    if (kind != Exchange::Kind::begin) continue;
    ranks.searches = search;
    try {
      Assignment assignment;
      assignment.scenario = from.next_text();
      assignment.known = from.next<Knowledge>();
      assignment.threads = from.next<std::uint32_t>();
      assignment.is_resumed = from.next<bool>();
      assignment.generation = from.next<std::uint32_t>();
      if (!take_part(ranks, read(assignment.scenario), assignment, checkpoints)) return;
    } catch (const std::exception& error) {
      std::string text = Exchange::header(Exchange::Kind::failed, search);
      pack_text(text, error.what());
      ranks.send(0, std::move(text));
    }
  }
}

}  // namespace holdfast
