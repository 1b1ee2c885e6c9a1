// The reference's state: whole, as plain data, and as text. What happens in it is in reference_test.hpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <typeinfo>
#include <variant>
#include <vector>

#include "sim/check/definitions_test.hpp"
#include "sim/explore/reference_client_test.hpp"
#include "sim/redis/redis.hpp"
#include "sim/redis/scripts.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/shdict/dict.hpp"

namespace holdfast::reference {

// From an instant to another, both included.
struct Window {
  Instant from{};
  Instant to{};
};

// What stays the same in all runs of a scenario.
struct Experiment {
  const Scenario& scenario;
  const Card& card;
  std::vector<ClientPlan> plans{};  // the probe's comes last
  std::vector<Params> params{};
  std::vector<Duration> sizes{};  // of the rules
  bool is_redis = card.store == StoreKind::redis;
  bool is_timed = false;  // somebody was told the time: absolute time is part of states
};

inline Experiment experiment_of(const Scenario& scenario, const Card& card) {
  Experiment experiment{scenario, card};
  if (card.needs_several_servers()) throw Unsupported("several servers");
  const auto params_of = [&](const Texts& own) {
    Params params(card.parameters);
    for (const Texts* texts : {&scenario.params, &own})
      for (const auto& [name, value] : *texts) params.set(name, value);
    return params;
  };
  ClientPlan probe{.id = "probe"};
  probe.program = {{.op = ProgramStep::Op::acquire, .attempts = scenario.timing.recovery_rounds}};
  experiment.plans = scenario.clients;
  experiment.plans.push_back(probe);
  for (const ClientPlan& plan : experiment.plans) experiment.params.push_back(params_of(plan.params));
  const Params own = params_of({});
  const Duration lease = own.has("ttl") ? own.duration("ttl") : Duration(8s) / 2;
  for (const FaultRule& rule : scenario.faults) {
    const bool is_file = rule.kind == Fault::restart && rule.loses == DataLoss::latest;
    const Duration usual = is_file ? Duration(1s) : 2 * lease;
    experiment.sizes.push_back(rule.magnitude == Duration() ? usual : rule.magnitude);
  }
  return experiment;
}

struct Request {
  Command command{};
  std::optional<Instant> left{};  // empty: it is about to leave
  Instant deadline = never;
};

struct Client {
  enum class Phase : std::uint8_t { fresh, running, crashed, ended };
  enum class Waits : std::uint8_t { nothing, acquiring, releasing, retrying, working, sleeping, accessing };
  Phase phase = Phase::fresh;
  Waits waits = Waits::nothing;
  Window timer{};  // of start, restart, retry, work, sleep
  std::optional<Window> stopped{};
  Duration offset{};  // of its wall clock
  std::uint32_t line = 0;
  std::uint32_t attempts = 0;
  std::uint32_t rounds = 0;
  std::uint32_t acquisitions = 0;
  std::uint32_t over = 0;  // so many of them: nothing of these is still to be judged
  std::vector<std::shared_ptr<const Input>> told{};  // since its process began
  std::string told_text{};
  std::uint32_t processes = 0;
  std::map<std::uint32_t, Request> requests{};  // that it waits for
  std::map<std::uint32_t, Instant> sleeps{};
  Instant asked{};     // when the request left whose answer came last
  Instant answered{};  // when that came
  bool believes = false;
  bool is_inside = false;  // between a grant and the release
  bool is_slow = false;    // its work is
  std::string token{};     // of its last grant
  std::optional<std::uint64_t> fence{};
  std::optional<Instant> deadline{};
  std::optional<WallTime> wall_deadline{};
};

struct Message {
  bool is_request = true;
  std::uint32_t client = 0;
  std::uint32_t call = 0;  // who waits for the answer; 0: nobody does
  Acquisition by{};
  Window window{};
  Command command{};  // of a request
  Reply reply{};      // of an answer
  bool is_sent_again = false;
  bool is_copy = false;
};

struct Cut {
  std::uint32_t client = 0;
  bool of_requests = true;
  bool of_answers = true;
  Window end{};
};

struct Server {
  std::variant<redis::Redis, shdict::Dict> store;
  std::map<std::string, Acquisition> writers{};
};

struct Write {
  Instant at{};
  std::shared_ptr<const Server> before;
};

inline std::string text_of(const Reply& reply) {
  std::string text = fmt::format("{}:{}:{}(", static_cast<int>(reply.kind()), reply.number(), reply.text());
  for (const Reply& element : reply.elements()) text += text_of(element) + ",";
  return text + ")";
}
inline std::string text_of(Acquisition it) {
  return it.is_nobody() ? "nobody" : fmt::format("{}{}", name_of(it.client), it.number);
}
// The name of its type, and what definitions can ask for but times.
template <class Name>
std::string text_of(const Event& event, const Name& name) {
  return std::visit(
      [&]<class What>(const What& it) {
        std::string text = typeid(What).name();
        text = text.substr(text.find_first_not_of("0123456789", 8 + text.find("holdfast")));
        if constexpr (requires { it.acquisition; }) text += ' ' + name(it.acquisition);
        if constexpr (requires { it.client; }) text += ' ' + name_of(it.client);
        if constexpr (requires { it.mode; }) text += fmt::format(" mode {}", id_of(it.mode));
        if constexpr (requires { it.by.count(); }) text += fmt::format(" by {}", to_text(it.by));
        if constexpr (requires { it.accepted; }) text += it.accepted ? " accepted" : " refused";
        if constexpr (requires { it.fence; }) text += fmt::format(" fence {}", it.fence.value_or(0));
        if constexpr (requires { it.result; }) text += fmt::format(" result {}", static_cast<int>(it.result));
        if constexpr (std::is_same_v<What, KeyChanged>)
          text += fmt::format(" {} kind {} by {} from {} to {}", it.key, static_cast<int>(it.kind),
                              name(it.by), name(it.before), name(it.after));
        return text;
      },
      static_cast<const AnyEvent&>(event.what));
}
inline std::string text_of(const Event& event) {
  return text_of(event, [](Acquisition it) { return text_of(it); });
}
inline std::string text_of(const Command& command) {
  std::string text;
  for (const std::string_view word : command.argv()) text.append(word) += ' ';
  return text;
}

struct State {
  static constexpr Duration epoch = 1'700'000'000s;

  const Experiment* experiment;
  Instant now{};
  std::vector<Client> clients{};
  std::vector<Message> messages{};
  std::vector<Cut> cuts{};
  std::vector<std::uint32_t> budgets{};  // of the rules
  Server server;
  Duration server_offset{};
  std::vector<Write> writes{};  // the last ones, as far as they can be undone
  std::uint64_t newest_fence = 0;
  bool is_calm = false;
  bool has_ended = false;
  bool has_told_time = false;
  std::vector<std::shared_ptr<const Event>> events{};
  std::uint32_t steps = 0;
  std::size_t judged = 0;  // so many events were there before the last action

  WallTime server_time() const { return WallTime(epoch + now.time_since_epoch() + server_offset); }
  WallTime wall_of(const Client& client) const {
    return WallTime(epoch + now.time_since_epoch() + client.offset);
  }
  Belief belief() const { return experiment->scenario.belief.value_or(experiment->card.belief); }
  // Clients look whether they still believe before they touch what the lock guards.
  bool is_careful() const { return belief() != Belief::until_release; }
  std::optional<Instant> deadline_of(const Client& client) const {
    if (client.wall_deadline)
      return Instant(client.wall_deadline->time_since_epoch() - epoch - client.offset);
    return client.deadline;
  }

  // Everything that the future depends on, and what judgements of it do.
  std::string text() const {
    std::string all = fmt::format("{} {}{} {} ", since(experiment->is_timed ? Instant() : grid()), is_calm,
                                  has_ended, newest_fence);
    for (const std::uint32_t budget : budgets) all += fmt::format("{},", budget);
    all += fmt::format("{}\n{}", server_offset.count(), text_of(server));
    for (const Write& write : writes)
      all += fmt::format("write {} {}", since(write.at), text_of(*write.before));
    for (const Client& client : clients) all += text_of(client);
    std::vector<std::string> lines;
    for (const Message& it : messages)
      lines.push_back(fmt::format("{} {} {} {} {}{}{} {}{}\n", it.client, it.call, text_of(it.window),
                                  name(it.by), it.is_request, it.is_sent_again, it.is_copy,
                                  reference::text_of(it.command), reference::text_of(it.reply)));
    for (const Cut& it : cuts)
      lines.push_back(
          fmt::format("cut {} {}{} {}\n", it.client, it.of_requests, it.of_answers, text_of(it.end)));
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines) all += line;
    return all + facts();
  }

  // Which properties the last action has broken.
  std::set<Property> broken() const {
    std::set<Property> found;
    std::vector<Event> whole;
    for (std::size_t now_at = judged; now_at < events.size(); ++now_at) {
      constexpr EventKinds decisive = events_of<Granted, Wrote, KeyChanged, Released, Ended>();
      if ((kind_of(events[now_at]->what) & decisive) == 0) continue;
      for (std::size_t i = whole.size(); i < events.size(); ++i) whole.push_back(*events[i]);
      for (std::size_t i = 0; i < property_ids.size(); ++i) {
        const auto property = static_cast<Property>(i);
        if (definitions::all.contains(property) && definitions::breaks(property, whole, now_at))
          found.insert(property);
      }
    }
    return found;
  }

 private:
  std::int64_t since(Instant then) const { return then == never ? -1 : (now - then).count(); }
  Instant grid() const { return now - now.time_since_epoch() % experiment->scenario.timing.tick; }
  std::string text_of(const Window& window) const {
    return fmt::format("{}..{}", since(window.from), since(window.to));
  }
  std::string text_of(const Server& it) const {
    std::string text;
    const auto left = [&](std::optional<WallTime> end) {
      return end ? fmt::format("{}", (*end - server_time()).count()) : "ever";
    };
    if (const auto* const redis = std::get_if<redis::Redis>(&it.store)) {
      redis->visit([&](std::string_view key, std::string_view value, std::optional<WallTime> end) {
        text += fmt::format("{}={} {};", key, value, left(end));
      });
      for (const std::string& script : redis->loaded_scripts()) text += script + ';';
    } else {
      for (const auto& [key, entry] : std::get<shdict::Dict>(it.store).entries()) {
        const std::int64_t end_ms =
            entry.expires_ms == shdict::no_expiry || entry.is_stale ? 0 : entry.expires_ms;
        const WallTime end{std::chrono::milliseconds(end_ms)};
        text += fmt::format("{}={} {} {};", key, entry.value, end_ms == 0 ? "-" : left(end), entry.is_stale);
      }
    }
    for (const auto& [key, writer] : it.writers) text += fmt::format("{} of {};", key, name(writer));
    return text + '\n';
  }

  std::string text_of(const Client& it) const {
    std::string text = fmt::format(
        "{}{} {} {} {} {} {} {} ", static_cast<int>(it.phase), static_cast<int>(it.waits), text_of(it.timer),
        it.stopped ? text_of(*it.stopped) : "-", it.offset.count(), it.line, it.attempts, it.rounds);
    text += fmt::format("{}{} ", it.processes, it.is_inside);
    if (it.phase == Client::Phase::fresh || it.phase == Client::Phase::crashed) return text + '\n';
    for (const auto& [number, request] : it.requests)
      text += fmt::format("c{} {} {};", number, request.left ? since(*request.left) : -1,
                          since(request.deadline));
    for (const auto& [number, end] : it.sleeps) text += fmt::format("s{} {};", number, since(end));
    const std::optional<Instant> deadline = deadline_of(it);
    text += fmt::format("{}{}{} {} {} {} ", it.believes, it.is_slow, it.wall_deadline.has_value(), it.token,
                        it.fence.value_or(0), it.believes && deadline ? since(*deadline) : -1);
    if (is_careful()) text += fmt::format("{} {} ", since(it.asked), since(it.answered));
    return text + it.told_text + '\n';
  }

  bool is_over(Acquisition it) const { return it.number <= clients[it.client.value].over; }
  std::string name(Acquisition it) const {
    if (!it.is_nobody() && is_over(it)) return name_of(it.client) + '-';
    return reference::text_of(it);
  }
  // What has happened, as far as a definition may still ask for it and clients do not tell it.
  std::string facts() const {
    // Leases end by clocks only where clocks are read.
    const EventKinds always =
        events_of<Granted, Wrote>() | (experiment->is_timed ? events_of<ClockSkewed>() : 0);
    const EventKinds kinds = always | events_of<Releasing, BeliefEnded, KeyChanged, Read>();
    std::string text;
    for (const auto& event : events) {
      if ((kind_of(event->what) & kinds) == 0) continue;
      bool is_open = (kind_of(event->what) & always) != 0;
      const std::string told = reference::text_of(*event, [&](Acquisition it) {
        is_open |= !it.is_nobody() && !is_over(it);
        return name(it);
      });
      if (!is_open) continue;
      text += told;
      if (const auto* const it = definitions::as<Granted>(*event))
        text += fmt::format(" {}", since(it->lease_until));
      // An early harm counts if it came before the end of a lease that clocks decide.
      if (experiment->is_timed) text += fmt::format(" {}", since(event->at));
      text += ';';
    }
    return text;
  }
};

}  // namespace holdfast::reference
