#include "sim/world/client.hpp"

#include <algorithm>
#include <exception>

#include "sim/core/invariant.hpp"
#include "sim/world/marks.hpp"
#include "sim/world/world.hpp"

namespace holdfast {
void SimStore::submit(Call& call) { world_.submit(client_, node_, call); }
void SimStore::forget(Call& call) noexcept { world_.forget(call); }
void SimStore::close(OwnConnection& connection) noexcept { world_.hang_up(connection.id); }

std::unique_ptr<Client::Stores> Client::stores_of(std::size_t nodes) {
  if (nodes == 1) return nullptr;
  auto stores = std::make_unique<Stores>();
  for (std::uint32_t i = 1; i < nodes; ++i) stores->others.emplace_back(world_, store_.client(), NodeId{i});
  stores->all.push_back(&store_);
  for (SimStore& other : stores->others) stores->all.push_back(&other);
  return stores;
}

Client::Client(World& world, ClientId id, const ClientPlan& plan, std::span<const ProgramStep> steps,
               Belief belief, std::size_t nodes)
    : world_(world),
      store_(world, id, NodeId{0}),
      several_(stores_of(nodes)),
      env_(id, several_ ? std::span(several_->all) : std::span(&first_store_, 1), *this, *this, this),
      key_(plan.key.empty() ? world.scenario_.key : plan.key),
      locked_place_(static_cast<std::uint32_t>(world.locked_place(key_))),
      steps_(steps),
      id_(id),
      drift_ppm_(plan.drift_ppm),
      belief_(belief),
      has_states_(world.has_states_),
      rounds_(plan.rounds),
      tokens_(world.tokens_before_),
      oldest_known_token_(tokens_ + 1),
      plan_(plan) {
  if (plan.params.empty()) return;
  own_params_ = world.params_;
  for (const auto& [name, text] : plan.params) own_params_->set(name, text);
}

// What still runs in it knows the lock, the clock and the stores.
Client::~Client() {
  program_ = Task<>();
  acquiring_ = Task<Attempt>();
  lock_.reset();
}

void Client::start() {
  has_begun_ = true;
  lock_ = world_.card_.make(own_params_ ? *own_params_ : world_.params_);
  world_.emit(actor_of(id_), Started{id_, wall_offset()});
  program_ = run_program();
  program_.start();
}

void Client::crash() {
  program_ = Task<>();
  acquiring_ = Task<Attempt>();
  lock_.reset();
  INVARIANT(!is_waiting(), "whoever is dead waits for nothing");
  observed_ = parts_ = Digest{};
  oldest_known_token_ = tokens_ + 1;
  granted_token_ = 0;
  open_ = 0;
  set_grants(0);
  claiming_ = false;
  again_.clear();
  unreleased_ = false;
  place_ = Place::anywhere;
  world_.emit(actor_of(id_), Crashed{id_});
}

void Client::cancel() {
  acquiring_ = Task<Attempt>();
  parts_ = Digest{};
  cancelled_ = true;
  observe(Mark::cancelled);
  world_.emit(actor_of(id_), Cancelled{acquisition_});
  run(std::exchange(after_acquire_, nullptr));
  check_finished();
}

bool Client::Outcome::await_resume() {
  const Attempt attempt = take();
  const bool holds = client_.end_acquiring(client_.steps_[client_.line_].mode, attempt);
  client_.forget_call(holds);
  return holds;
}

Attempt Client::Outcome::take() {
  if (std::exchange(client_.cancelled_, false)) return Attempt::failed("cancelled");
  const Task<Attempt> finished = std::move(client_.acquiring_);
  return inner_.await_resume();
}

void Client::check_finished() {
  if (!program_.is_done()) return;
  std::string error;
  try {
    program_.take();
  } catch (const std::exception& thrown) {
    error = thrown.what();
  }
  program_ = Task<>();
  finished_ = true;
  if (!world_.goes_on(*this)) --world_.unfinished_;
  set_grants(0);
  claiming_ = false;
  place_ = Place::anywhere;
  world_.emit(actor_of(id_), Finished{id_, std::move(error)});
}

Digest Client::mix_state(Digest history, Instant now) const {
  const bool has_own_token = granted_token_ != 0;
  if (finished_ && !is_waiting()) {
    // What it left behind may still land, and be told from what is forgotten.
    const std::uint64_t known = has_own_token ? tokens_ - granted_token_ + 1 : 0;
    return mix(history, 1 | known << 8 | std::uint64_t{acquisitions_ + 1 - oldest_open_} << 40);
  }
  history = mix(sum(history, observed_),
                static_cast<std::uint64_t>(claiming_) << 1 | static_cast<std::uint64_t>(place_) << 2 |
                    static_cast<std::uint64_t>(has_program()) << 5 |
                    static_cast<std::uint64_t>(has_own_token) << 6 |
                    static_cast<std::uint64_t>(has_begun_ && world_.faults_.can(Fault::clock_skew)) << 7 |
                    static_cast<std::uint64_t>(has_own_token ? tokens_ - granted_token_ : 0) << 8);
  if (skew_ != Duration::zero()) history = mix(mix(history, Mark::skewed), skew_.count());
  if (parts_ != Digest{}) history = sum(history, parts_);
  for (const Watch& running : watches_)
    history = mix(history, static_cast<std::uint64_t>((now - running.since).count()));
  if (belief_ == Belief::until_release) return history;
  history = mix(history, belief_until() == never ? -1 : (belief_until_ - now).count());
  if (place_ == Place::acquiring)
    history = mix(mix(history, (now - sent_at_).count()), (now - reply_at_).count());
  // A renewal may still be told that counts from them.
  const bool may_renew = claiming_ && !grant_.lease_until;
  if (may_renew && belief_ == Belief::deadline_from_request)
    history = mix(history, (now - sent_at_).count());
  if (may_renew && belief_ == Belief::deadline_from_reply)
    history = mix(history, (now - reply_at_).count());
  return history;
}

void Client::observe_rank_of(const void* wait) {
  const std::uint64_t rank = rank_of(wait);
  if (rank > 0) observe(Mark::wait_rank | rank << 8);
}

// Their order does not matter: they are looked at when all are here.
void Client::observe_part(NodeId node, const Reply& reply) {
  if (!has_states_) return;
  parts_ = sum(parts_, mix_reply(mix(Digest{}, Mark::part | std::uint64_t{node.value} << 8), reply,
                                 world_.told_.of_names));
}

void Client::observe_parts() {
  observed_ = sum(mix(observed_, Mark::part), parts_);
  parts_ = Digest{};
}

void Client::observe(const Reply& reply) {
  if (has_states_) observed_ = mix_reply(observed_, reply, world_.told_.of_names);
}

Digest Client::mix_text(Digest history, std::string_view text, bool& has_names) const {
  if (const std::optional<Token> token = world_.token_of(text); token && token->client == id_)
    return mix(history, std::uint64_t{tokens_ - token->number} << 1 | 1);
  has_names |= world_.has_name(text);
  return mix(mix(history, 0), digest_of(text));
}

Digest Client::mix_reply(Digest history, const Reply& reply, bool& has_names) const {
  history = mix(history, static_cast<std::uint64_t>(reply.kind()) |
                             static_cast<std::uint64_t>(reply.text().empty()) << 3 |
                             static_cast<std::uint64_t>(reply.elements().size()) << 4);
  if (reply.kind() == Reply::Kind::integer)
    history = mix(history, static_cast<std::uint64_t>(reply.number()));
  if (!reply.text().empty()) history = mix_text(history, reply.text(), has_names);
  for (const Reply& element : reply.elements()) history = mix_reply(history, element, has_names);
  return history;
}

}  // namespace holdfast
