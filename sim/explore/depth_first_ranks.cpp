// What a depth-first search does where a state belongs to another rank, and with those that others have sent;
// and what ranks do that do not lead.
#include <exception>
#include <utility>

#include "sim/core/awaits.hpp"
#include "sim/explore/depth_first.hpp"

namespace holdfast {

// Whether the state is another rank's, `picks` beyond the last level. Then that has it, now or before.
bool DepthFirst::is_sent_away(const Digest& digest, std::span<const std::uint8_t> picks,
                              const Outline& there) {
  const Kind kind = kind_of(there);
  if (kind == own_kind_) return false;
  const unsigned owner = exchange_->owner_of(kind, depth());
  if (owner == exchange_->rank()) {
    own_kind_ = kind;
    return false;
  }
  Level& level = levels_.back();
  if (level.is_audited) level.future = sum(level.future, mix(Digest{}, digest));
  send_away(owner, {digest, depth(), choices_.picks(), picks, &there, false, false});
  count_transition();
  return true;
}

void DepthFirst::send_away(unsigned owner, const Exchange::Sent& state) {
  if (was_sent(state.digest)) return;
  sent_[state.digest.low % sent_size] = state.digest;
  exchange_->send(owner, state);
}

void DepthFirst::tend() {
  exchange_->tend(&*seen_);
  while (exchange_->is_congested() && !shared_.is_stopped()) {
    seen_->rest();
    exchange_->tend(&*seen_);
  }
}

// Goes on from a state that another rank has sent; in the world only when that must be known.
void DepthFirst::enter(const std::string& arrival) {
  here_ = nowhere;
  Digest digest;
  bool is_at_choice = false;
  Outline& here = outline(0);
  if (Exchange::unpack(arrival, digest, is_at_choice, here) && (is_at_choice || come_to_choice(here)))
    foresee(here);
  descend(digest, 0, false);
}

namespace {

// Takes part in one search. False when rank 0 has gone meanwhile.
bool take_part(Ranks& ranks, const Job& job, const Assignment& assignment, Checkpoints* checkpoints) {
  const Budget budget{[] { return false; }, [] { return 0.0; }, checkpoints, nullptr, &ranks};
  Awaits awaits;
  const Awaits::Noting noting(&awaits);
  SharedSearch shared(job.scenario, budget, assignment.threads);
  shared.set_out(assignment.known, assignment.generation);
  Knowledge known = assignment.known;
  Exchange exchange(ranks, shared);
  if (assignment.is_resumed && !shared.restore(known))
    throw BadCheckpoint("what this rank has saved says less than what rank 0 has");
  search(job.scenario, *job.card, known, assignment.threads, shared);
  exchange.close(false);
  return !exchange.has_quit();
}

}  // namespace

void follow(Ranks& ranks, const Following& following, Checkpoints* checkpoints) {
  for (;;) {
    const std::optional<Ranks::Message> message = ranks.receive();
    if (!message) {
      ranks.wait();
      continue;
    }
    Unpacking from(message->text);
    const auto word = from.next<Exchange::Word>();
    const auto search = from.next<std::uint32_t>();
    if (word == Exchange::Word::quit) return;
    if (word == Exchange::Word::states && search > ranks.searches) ranks.early.push_back(*message);
    if (word != Exchange::Word::begin) continue;
    ranks.searches = search;
    try {
      Assignment assignment;
      assignment.scenario = from.next_text();
      assignment.known = from.next<Knowledge>();
      assignment.threads = from.next<std::uint32_t>();
      assignment.is_resumed = from.next<bool>();
      assignment.generation = from.next<std::uint32_t>();
      if (!take_part(ranks, following.read(assignment.scenario), assignment, checkpoints)) return;
    } catch (const std::exception&) {
      const Complaint complaint = following.complaint_of(std::current_exception());
      std::string text = Exchange::header(Exchange::Word::failed, search);
      pack(text, complaint.code);
      pack_text(text, complaint.text);
      ranks.send(0, std::move(text));
    }
  }
}

}  // namespace holdfast
