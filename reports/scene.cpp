#include "reports/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace holdfast::reports {
namespace {

// Follows the run once, row by row.
class Director {
 public:
  Director(const Counterexample& example, Language language, std::size_t servers)
      : narrator_(example.events, example.store, language) {
    scene_.words = &words_of(language);
    scene_.cast = cast_of(example, servers);
    const auto is_calm = [](const Event& event) { return std::holds_alternative<Calm>(event.what); };
    place_lanes(std::any_of(example.events.begin(), example.events.end(), is_calm));
    for (const StepView& step : steps_of(example.events)) {
      scene_.rows.push_back({step.step, step.at, step.events.front()->actor});
      for (std::size_t i = 0; i < step.events.size(); ++i) take(*step.events[i], step, i);
      note_states();
    }
    for (Scene::Span& span : scene_.spans)
      if (span.end == open) span.end = scene_.rows.size();
    mark(example);
  }
  Scene take_scene() { return std::move(scene_); }

 private:
  using Kind = Scene::Span::Kind;
  static constexpr std::size_t open = static_cast<std::size_t>(-1);

  std::size_t last_row() const { return scene_.rows.size() - 1; }

  // The probe comes last and stands on the right.
  void place_lanes(bool has_probe) {
    const std::vector<ClientId>& clients = scene_.cast.clients;
    scene_.left = (clients.size() - (has_probe && clients.size() > 1 ? 1 : 0) + 1) / 2;
    const std::size_t left = scene_.left;
    for (std::size_t i = 0; i < left; ++i) scene_.lanes.push_back(actor_of(clients[i]));
    for (const NodeId node : scene_.cast.nodes) scene_.lanes.push_back(actor_of(node));
    for (std::size_t i = left; i < clients.size(); ++i) scene_.lanes.push_back(actor_of(clients[i]));
    std::uint32_t count = 0;
    for (const ClientId client : clients) count = std::max(count, client.value + 1);
    scene_.wall_offsets.assign(count, Duration::zero());
  }

  void take(const Event& event, const StepView& step, std::size_t index) {
    standing_.apply(event);
    if (const auto* started = std::get_if<Started>(&event.what)) {
      close(Kind::absent, actor_of(started->client));
      scene_.wall_offsets[started->client.value] = started->wall_offset;
    } else if (const auto* skewed = std::get_if<ClockSkewed>(&event.what)) {
      scene_.wall_offsets[skewed->client.value] = skewed->offset;
    } else if (const auto* crashed = std::get_if<Crashed>(&event.what)) {
      close(Kind::stopped, actor_of(crashed->client));
      close(Kind::slow, actor_of(crashed->client));
      begin(Kind::absent, actor_of(crashed->client), crashed->client);
    } else if (const auto* slow = std::get_if<SlowSection>(&event.what)) {
      begin(Kind::slow, actor_of(slow->acquisition.client), slow->acquisition.client);
    } else if (const auto* releasing = std::get_if<Releasing>(&event.what)) {
      close(Kind::slow, actor_of(releasing->acquisition.client));
    }
    if (const auto* wrote = std::get_if<Wrote>(&event.what))
      scene_.accesses.push_back({last_row(), wrote->acquisition.client, false, wrote->accepted});
    if (const auto* read = std::get_if<Read>(&event.what))
      scene_.accesses.push_back({last_row(), read->acquisition.client, true, read->accepted});
    take_message(event);
    if (const auto* changed = std::get_if<KeyChanged>(&event.what)) take_change(*changed);
    take_note(event, step, index);
  }

  void take_message(const Event& event) {
    if (const auto* sent = std::get_if<Sent>(&event.what)) {
      Scene::Message request{sent->message, false, actor_of(sent->acquisition.client), actor_of(sent->node)};
      request.sent = last_row();
      request.label = narrator_.label(event);
      requests_[sent->message] = scene_.messages.size();
      scene_.messages.push_back(std::move(request));
    } else if (const auto* executed = std::get_if<Executed>(&event.what)) {
      const auto request = requests_.find(executed->message);
      if (request != requests_.end()) scene_.messages[request->second].arrived = last_row();
      const Sent* origin = narrator_.sent(executed->message);
      if (!origin || executed->reply.is_lost()) return;
      answer(event, executed->message, executed->node, origin->acquisition.client);
    } else if (const auto* pushed = std::get_if<Pushed>(&event.what)) {
      answer(event, pushed->message, pushed->node, pushed->acquisition.client);
    } else if (const auto* delivered = std::get_if<Delivered>(&event.what)) {
      arrive(delivered->message, false);
    } else if (const auto* ignored = std::get_if<Ignored>(&event.what)) {
      arrive(ignored->message, true);
    } else if (const auto* fault = std::get_if<MessageFault>(&event.what)) {
      faults_.emplace_back(fault->message, fault->fault);
    }
  }
  void answer(const Event& event, MessageId message, NodeId from, ClientId to) {
    Scene::Message reply{message, true, actor_of(from), actor_of(to)};
    reply.sent = last_row();
    reply.label = narrator_.label(event);
    replies_[message] = scene_.messages.size();
    scene_.messages.push_back(std::move(reply));
  }
  void arrive(MessageId message, bool is_ignored) {
    const auto reply = replies_.find(message);
    if (reply == replies_.end()) return;
    scene_.messages[reply->second].arrived = last_row();
    scene_.messages[reply->second].is_ignored = is_ignored;
  }

  void take_change(const KeyChanged& changed) {
    const auto place = std::pair(changed.node, changed.key);
    const bool is_gone = changed.kind == KeyChanged::Kind::removed ||
                         changed.kind == KeyChanged::Kind::expired || changed.kind == KeyChanged::Kind::lost;
    const auto standing = keys_.find(place);
    if (changed.kind == KeyChanged::Kind::ttl_changed && standing != keys_.end()) return;
    if (standing != keys_.end()) scene_.spans[standing->second].end = last_row();
    keys_.erase(place);
    if (is_gone) return;
    keys_[place] = scene_.spans.size();
    scene_.spans.push_back({Kind::key, actor_of(changed.node), last_row(), open,
                            changed.after.is_nobody() ? std::nullopt : std::optional(changed.after.client),
                            fmt::format("{} = {}", changed.key, changed.value)});
  }

  // Left out: what lanes and messages show anyway.
  bool is_told(const Event& event, const StepView& step, std::size_t index) const {
    if (const auto* started = std::get_if<Started>(&event.what))
      return started_.contains(started->client) || started->wall_offset != Duration::zero();
    if (const auto* acquiring = std::get_if<Acquiring>(&event.what)) {
      const auto asks = [&](const Event* later) {
        const Sent* sent = std::get_if<Sent>(&later->what);
        return sent && sent->acquisition == acquiring->acquisition;
      };
      const auto rest = step.events.begin() + static_cast<std::ptrdiff_t>(index);
      return std::none_of(rest, step.events.end(), asks);
    }
    constexpr EventKinds untold = events_of<Slept, Sent, Executed, Pushed, Delivered, MessageFault, Ended>();
    return (holdfast::kind_of(event.what) & untold) == 0;
  }

  void take_note(const Event& event, const StepView& step, std::size_t index) {
    const bool is_told_now = is_told(event, step, index);
    if (const auto* started = std::get_if<Started>(&event.what)) started_[started->client] = true;
    std::string text = narrator_.label(event);
    if (!is_told_now || text.empty()) return;
    Actor on = event.actor;
    if (const std::optional<ClientId> client = client_of(event)) on = actor_of(*client);
    if (const auto* changed = std::get_if<KeyChanged>(&event.what)) on = actor_of(changed->node);
    if (const std::optional<NodeId> node = struck_server(event)) on = actor_of(*node);
    for (auto note = scene_.notes.rbegin(); note != scene_.notes.rend() && note->row == last_row(); ++note) {
      if (note->on != on || note->is_fault != is_fault(event)) continue;
      note->text += ", " + text;
      return;
    }
    scene_.notes.push_back({last_row(), on, std::move(text), is_fault(event)});
  }

  // What holds between rows begins or ends with this one.
  void note_states() {
    for (const ClientId client : scene_.cast.clients) {
      follow(Kind::believes, actor_of(client), standing_.believes(client), client);
      follow(Kind::named, actor_of(client), standing_.is_named(client, scene_.cast.nodes.size()), client);
      follow(Kind::stopped, actor_of(client), standing_.is_stopped(client), client);
    }
    follow(Kind::clash, Actor{}, standing_.is_clashing(), std::nullopt);
  }
  void follow(Kind kind, Actor on, bool is_so, std::optional<ClientId> owner) {
    const bool was_so = open_.contains({static_cast<int>(kind), index_of(on)});
    if (is_so && !was_so) begin(kind, on, owner);
    if (!is_so && was_so) close(kind, on);
  }
  void begin(Kind kind, Actor on, std::optional<ClientId> owner) {
    open_[{static_cast<int>(kind), index_of(on)}] = scene_.spans.size();
    scene_.spans.push_back({kind, on, last_row(), open, owner, {}});
  }
  void close(Kind kind, Actor on) {
    const auto found = open_.find({static_cast<int>(kind), index_of(on)});
    if (found == open_.end()) return;
    scene_.spans[found->second].end = last_row();
    open_.erase(found);
  }
  static std::uint64_t index_of(Actor actor) {
    return static_cast<std::uint64_t>(actor.kind) << 32 | actor.index;
  }

  void mark(const Counterexample& example) {
    for (const auto& [message, fault] : faults_) {
      const bool is_reply = fault == Fault::lost_reply || fault == Fault::late_reply;
      const auto& list = is_reply ? replies_ : requests_;
      const auto found = list.find(message);
      if (found == list.end()) continue;
      Scene::Message& struck = scene_.messages[found->second];
      (fault == Fault::lost_request || fault == Fault::lost_reply ? struck.is_lost : struck.is_late) = true;
    }
    if (!example.findings.empty()) {
      scene_.clash_from = row_of(example.findings.front().from);
      scene_.clash_to = row_of(example.findings.front().to);
    }
    mark_accesses(example.findings);
    // At the violation itself it is no news that nothing can be helped any more.
    if (example.explanation && example.explanation->no_return)
      scene_.no_return = row_of(example.explanation->no_return->step);
    if (scene_.no_return && scene_.clash_to && *scene_.no_return >= *scene_.clash_to) scene_.no_return = {};
  }
  void mark_accesses(const std::vector<Finding>& findings) {
    constexpr PropertySet of_the_resource{Property::no_stale_write, Property::fenced_writes,
                                          Property::rightful_write, Property::no_lost_update};
    bool is_any = false;
    for (const Finding& finding : findings) {
      if (!of_the_resource.contains(finding.property)) continue;
      is_any = true;
      for (Scene::Access& access : scene_.accesses)
        access.is_wrong |= !access.is_read && access.row == row_of(finding.to);
    }
    if (!is_any) scene_.accesses.clear();
  }
  std::optional<std::size_t> row_of(Step step) const {
    for (std::size_t i = 0; i < scene_.rows.size(); ++i)
      if (scene_.rows[i].step == step) return i;
    return std::nullopt;
  }

  Scene scene_;
  Narrator narrator_;
  Standing standing_;
  std::map<ClientId, bool> started_;
  std::map<MessageId, std::size_t> requests_;  // indices into scene_.messages
  std::map<MessageId, std::size_t> replies_;
  std::vector<std::pair<MessageId, Fault>> faults_;
  std::map<std::pair<NodeId, std::string>, std::size_t> keys_;  // indices into scene_.spans
  std::map<std::pair<int, std::uint64_t>, std::size_t> open_;
};

}  // namespace

Scene scene_of(const Counterexample& example, Language language, std::size_t servers) {
  return Director(example, language, servers).take_scene();
}

}  // namespace holdfast::reports
