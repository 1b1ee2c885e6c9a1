// Replies that a program waits for as a whole. A program that sends one request to several servers at once,
// and waits for nothing else, is presumed to do nothing before it has all replies, and then to do the same in
// whatever order they came. So it is told them when the last one is here, in the order of what it sent, as
// Broadcast gives them to a lock in C++; then only the last one's time is tried (world/joint_replies.cpp).
//
// That is not so, and noticed at once, where it acts on one of the first replies, looks at its clock there,
// or its caller gives up meanwhile. Whether order matters is asked when the search is over: every history is
// told to new processes in all orders. What a reply before the last one is told at makes no difference to a
// program that looks at no clock then, which is asked with it.
#include "sim/guest/orders.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>

#include "sim/core/arena.hpp"
#include "sim/guest/guest_lock.hpp"

namespace holdfast::guest {

bool is_to_several(const Action& action) {
  const std::vector<Effect>& all = action.effects;
  const auto is_like_first = [&](const Effect& each) {
    return each.kind == Effect::Kind::send && each.connection == 0 && each.is_patient &&
           each.within == Duration::zero() && !each.words.empty() && each.words == all.front().words &&
           std::count_if(all.begin(), all.end(),
                         [&](const Effect& other) { return other.server == each.server; }) == 1;
  };
  return all.size() > 1 && std::all_of(all.begin(), all.end(), is_like_first);
}

// --- what was told ---

Orders::Orders(RealWay way) : way_(std::move(way)) {
  for (std::size_t i = 0; i < way_.size(); ++i) {
    const Node node = way_[i].node;
    const std::size_t size = node->action.effects.size();
    if (!node->is_joint || node->does_order_matter || i + size >= way_.size()) continue;
    Group group{.first = i + 1};
    for (std::size_t reply = 0; reply < size; ++reply) group.replies.push_back(way_[i + 1 + reply].told);
    const bool are_all = std::equal(group.replies.begin(), group.replies.end(), node->action.effects.begin(),
                                    [](const Told& told, const Effect& sent) {
                                      return told.kind == Told::Kind::reply && told.id == sent.id;
                                    });
    if (!are_all) continue;
    group.order.resize(size);
    std::iota(group.order.begin(), group.order.end(), std::size_t{0});
    for (std::size_t factor = 2; factor <= size; ++factor) count_ *= factor;
    places_.push_back(node);
    groups_.push_back(std::move(group));
  }
}

// When something was told stays as it is.
void Orders::arrange(const Group& group) {
  for (std::size_t i = 0; i < group.order.size(); ++i) {
    Told& told = way_[group.first + i].told;
    const std::int64_t elapsed = told.elapsed;
    told = group.replies[group.order[i]];
    told.elapsed = elapsed;
  }
}

bool Orders::go_on() {
  for (Group& group : groups_) {
    const bool is_more = std::next_permutation(group.order.begin(), group.order.end());
    arrange(group);
    if (is_more) return true;
  }
  return false;
}

std::vector<Node> Orders::moved() const {
  std::vector<Node> moved;
  for (std::size_t i = 0; i < groups_.size(); ++i)
    if (!std::is_sorted(groups_[i].order.begin(), groups_[i].order.end())) moved.push_back(places_[i]);
  return moved;
}

// --- what is presumed ---

bool Histories::waits_for_all(Node node, bool has_one_order) {
  if (!runs_.has_classes || !is_to_several(node->action)) return false;
  {
    const std::shared_lock reading(mutex_);
    if (acts_early_on_.contains(node->action.effects.front().words.front())) return false;
    if (node->does_order_matter || node->is_joint || has_one_order) return !node->does_order_matter;
  }
  const std::unique_lock writing(mutex_);
  return node->is_joint = !node->does_order_matter;
}

// For the search that goes on, all stays as it is.
void Histories::note_order_matters(Node node) {
  const std::unique_lock writing(mutex_);
  if (node->does_order_matter) return;
  out_of_order_.insert(node);
  is_in_doubt_ = true;
}

void Histories::let_order_matter(Node node) {
  node->does_order_matter = true;
  node->visits.clear();
}

// What a program does not wait for once, a majority being enough, it seldom waits for elsewhere.
bool Histories::are_orders_refuted() {
  if (out_of_order_.empty()) return false;
  for (const Node each : out_of_order_) acts_early_on_.insert(each->action.effects.front().words.front());
  for (const History& each : learnt_)
    if (each.is_joint && acts_early_on_.contains(each.action.effects.front().words.front()))
      let_order_matter(&each);
  for (const Node each : out_of_order_) let_order_matter(each);
  out_of_order_.clear();
  is_in_doubt_ = false;
  ++version_;
  return true;
}

// --- in the world ---

bool GuestLock::waits_for_all(const Party& party, Node node) const {
  if (is_stateless_ || parties_.size() > 1 || !party.waits.is_empty() || !program_.has_classes())
    return false;
  const ReplyOrders orders = party.env.reply_orders();
  if (!is_to_several(program_.action(node)) || orders == ReplyOrders::as_they_come) return false;
  const Arena::Outside outside;
  return program_.waits_for_all(node, orders == ReplyOrders::one);
}

Task<Reply> GuestLock::send_to_all(Party* party, Node node) {
  const std::vector<Effect>& sent = program_.action(node).effects;
  std::vector<Store*> stores;
  for (const Effect& effect : sent) stores.push_back(party->env.stores[effect.server]);
  Command command;
  for (const std::string& word : sent.front().words) command.add(run_of(*party).tokens.told(word));
  Broadcast broadcast(stores, command, Where::current());
  broadcast.patiently().at(sent.front().line);
  std::vector<Reply> replies = co_await broadcast;
  co_return Reply::array(std::move(replies));
}

void GuestLock::tell_all(Party& party, const Reply& replies) {
  const Node node = std::exchange(party.joint, nullptr);
  if (std::exchange(party.is_joint_cut, false)) note_order_matters(node);
  const std::vector<Effect>& sent = program_.action(node).effects;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    Told event{.kind = Told::Kind::reply, .party = party.number, .id = sent[i].id};
    event.reply = with_texts(replies.elements()[i],
                             [&](const std::string& text) { return run_of(party).tokens.marked(text); });
    tell(party, std::move(event));
    const Action& did = program_.action(run_of(party).at);
    const bool looks = did.reads != TimeToTell::nothing && program_.time_to_tell() != TimeToTell::nothing;
    if (i + 1 < sent.size() && (looks || !did.effects.empty())) note_order_matters(node);
  }
}

void GuestLock::note_order_matters(Node node) {
  const Arena::Outside outside;
  program_.note_order_matters(node);
}

}  // namespace holdfast::guest
