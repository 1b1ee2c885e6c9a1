// The reference's state: whole, as plain data, and as text. What happens in it is in reference_test.hpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
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
struct Setup {
  const Scenario& scenario;
  const Card& card;
  std::vector<ClientPlan> plans{};  // the probe's comes last
  std::vector<Params> params{};
  std::vector<Duration> sizes{};  // of the rules
  bool is_redis = card.store == StoreKind::redis;
  bool is_timed = false;  // somebody was told the time: absolute time is part of states
};

inline Setup setup_of(const Scenario& scenario, const Card& card) {
  Setup setup{scenario, card};
  if (card.needs_several_servers()) throw Unsupported("several servers");
  const auto params_of = [&](const Texts& own) {
    Params params(card.parameters);
    for (const Texts* texts : {&scenario.params, &own})
      for (const auto& [name, value] : *texts) params.set(name, value);
    return params;
  };
  ClientPlan probe{.id = "probe"};
  probe.program = {{.op = ProgramStep::Op::acquire, .attempts = scenario.timing.recovery_rounds}};
  setup.plans = scenario.clients;
  setup.plans.push_back(probe);
  for (const ClientPlan& plan : setup.plans) setup.params.push_back(params_of(plan.params));
  const Params own = params_of({});
  const Duration lease = own.has("ttl") ? own.duration("ttl") : Duration(8s) / 2;
  for (const FaultRule& rule : scenario.faults) {
    const bool is_file = rule.kind == Fault::restart && rule.loses == DataLoss::latest;
    const Duration usual = is_file ? Duration(1s) : 2 * lease;
    setup.sizes.push_back(rule.magnitude == Duration() ? usual : rule.magnitude);
  }
  return setup;
}

struct Request {
  Command command{};
  std::optional<Instant> left{};  // empty: it is about to leave
  Instant deadline = never;
};

struct Client {
  enum class Phase : std::uint8_t { fresh, running, crashed, ended };
  enum class Waits : std::uint8_t { nothing, acquiring, releasing, retrying, working, sleeping };
  Phase phase = Phase::fresh;
  Waits waits = Waits::nothing;
  Window timer{};  // of start, restart, retry, work, sleep
  std::optional<Window> stopped{};
  Duration offset{};  // of its wall clock
  std::uint32_t line = 0;
  std::uint32_t attempts = 0;
  std::uint32_t rounds = 0;
  std::uint32_t acquisitions = 0;
  std::vector<std::shared_ptr<const Input>> told{};  // since its process began
  std::string told_text{};
  std::uint32_t processes = 0;
  std::map<std::uint32_t, Request> requests{};  // that it waits for
  std::map<std::uint32_t, Instant> sleeps{};
  Instant asked{};     // when the request left whose answer came last
  Instant answered{};  // when that came
  bool believes = false;
  bool is_inside = false;  // between a grant and the release
  bool is_slow = false;  // its work is
  std::string token{};   // of its last grant
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
inline std::string text_of(const Command& command) {
  std::string text;
  for (const std::string_view word : command.argv()) text.append(word) += ' ';
  return text;
}

struct State {
  static constexpr Duration epoch = 1'700'000'000s;

  const Setup* setup;
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
  bool is_over = false;
  bool has_told_time = false;
  std::vector<std::shared_ptr<const Event>> events{};
  std::uint32_t actions = 0;
  std::size_t judged = 0;  // so many events were there before the last action

  WallTime server_time() const { return WallTime(epoch + now.time_since_epoch() + server_offset); }
  WallTime wall_of(const Client& client) const {
    return WallTime(epoch + now.time_since_epoch() + client.offset);
  }
  std::optional<Instant> deadline_of(const Client& client) const {
    if (client.wall_deadline) return Instant(client.wall_deadline->time_since_epoch() - epoch - client.offset);
    return client.deadline;
  }

  // Everything that the future depends on, and what judgements of it do.
  std::string text() const {
    const std::vector<Acquisition> open = open_acquisitions();
    std::string all = fmt::format("{} {}{} {} ", since(setup->is_timed ? Instant() : grid()), is_calm, is_over,
                                  newest_fence);
    for (const std::uint32_t budget : budgets) all += fmt::format("{},", budget);
    all += fmt::format("{}\n{}", server_offset.count(), text_of(server, open));
    for (const Write& write : writes)
      all += fmt::format("write {} {}", since(write.at), text_of(*write.before, open));
    for (const Client& client : clients) all += text_of(client);
    std::vector<std::string> lines;
    for (const Message& it : messages)
      lines.push_back(fmt::format("{} {} {} {} {}{}{} {}{}\n", it.client, it.call, text_of(it.window),
                                  name(it.by, open), it.is_request, it.is_sent_again, it.is_copy,
                                  reference::text_of(it.command), reference::text_of(it.reply)));
    for (const Cut& it : cuts)
      lines.push_back(fmt::format("cut {} {}{} {}\n", it.client, it.of_requests, it.of_answers, text_of(it.end)));
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines) all += line;
    return all + facts(open);
  }

  // Which properties the last action has broken.
  PropertySet broken() const {
    PropertySet found;
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
  Instant grid() const { return now - now.time_since_epoch() % setup->scenario.timing.tick; }
  std::string text_of(const Window& window) const {
    return fmt::format("{}..{}", since(window.from), since(window.to));
  }
  static std::string name(Acquisition it, const std::vector<Acquisition>& open) {
    if (it.is_nobody()) return "nobody";
    const bool is_open = std::find(open.begin(), open.end(), it) != open.end();
    return is_open ? fmt::format("{}.{}", it.client.value, it.number) : "over";
  }

  std::string text_of(const Server& it, const std::vector<Acquisition>& open) const {
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
        const std::int64_t end_ms = entry.expires_ms == shdict::no_expiry || entry.is_stale ? 0 : entry.expires_ms;
        const WallTime end{std::chrono::milliseconds(end_ms)};
        text += fmt::format("{}={} {} {};", key, entry.value, end_ms == 0 ? "-" : left(end), entry.is_stale);
      }
    }
    for (const auto& [key, writer] : it.writers) text += fmt::format("{} of {};", key, name(writer, open));
    return text + '\n';
  }

  std::string text_of(const Client& it) const {
    std::string text = fmt::format("{}{} {} {} {} {} {} {} ", static_cast<int>(it.phase), static_cast<int>(it.waits),
                                   text_of(it.timer), it.stopped ? text_of(*it.stopped) : "-", it.offset.count(),
                                   it.line, it.attempts, it.rounds);
    text += fmt::format("{}{} ", it.processes, it.is_inside);
    if (it.phase == Client::Phase::fresh || it.phase == Client::Phase::crashed) return text + '\n';
    for (const auto& [number, request] : it.requests)
      text += fmt::format("c{} {} {};", number, request.left ? since(*request.left) : -1, since(request.deadline));
    for (const auto& [number, end] : it.sleeps) text += fmt::format("s{} {};", number, since(end));
    const std::optional<Instant> deadline = deadline_of(it);
    text += fmt::format("{}{}{} {} {} {} ", it.believes, it.is_slow, it.wall_deadline.has_value(), it.token,
                        it.fence.value_or(0), it.believes && deadline ? since(*deadline) : -1);
    if (setup->scenario.belief.value_or(setup->card.belief) != Belief::until_release)
      text += fmt::format("{} {} ", since(it.asked), since(it.answered));
    return text + it.told_text + '\n';
  }

  // Of which something is still to be judged.
  std::vector<Acquisition> open_acquisitions() const {
    std::vector<Acquisition> open;
    std::vector<Acquisition> released;
    for (const auto& event : events) {
      if (const auto* const it = definitions::as<Acquiring>(*event)) {
        const auto is_done = [&](Acquisition each) {
          return each.client == it->acquisition.client &&
                 std::find(released.begin(), released.end(), each) != released.end();
        };
        std::erase_if(open, is_done);
        open.push_back(it->acquisition);
      }
      if (const auto* const it = definitions::as<Released>(*event)) released.push_back(it->acquisition);
      std::erase_if(open, [&](Acquisition each) {
        return definitions::is_of<Refused>(*event, each) || definitions::ends_client(*event, each.client);
      });
    }
    return open;
  }

  // What has happened, as far as a definition can still ask for it.
  std::string facts(const std::vector<Acquisition>& open) const {
    std::string text;
    bool has_granted = false;  // an acquisition that is still open
    for (const auto& event : events) {
      const auto note = [&](const auto& what, std::string_view kind, bool always) {
        if (always || name(what.acquisition, open) != "over")
          text += fmt::format("{} {}", kind, name(what.acquisition, open));
      };
      if (const auto* const it = definitions::as<Granted>(*event)) {
        has_granted |= name(it->acquisition, open) != "over";
        note(*it, "granted", false);
        if (has_granted)
          text += fmt::format("({} {} {} {})", it->acquisition.client.value, static_cast<int>(it->mode),
                              since(it->lease_until), it->fence.value_or(0));
      }
      if (const auto* const it = definitions::as<Releasing>(*event)) note(*it, "releasing", false);
      if (const auto* const it = definitions::as<BeliefEnded>(*event)) note(*it, "ended", false);
      if (const auto* const it = definitions::as<Read>(*event)) note(*it, it->accepted ? "read" : "-", false);
      if (const auto* const it = definitions::as<Wrote>(*event)) note(*it, it->accepted ? "wrote" : "-", has_granted);
      if (const auto* const it = definitions::as<KeyChanged>(*event)) {
        const std::string who = fmt::format("{} {} {}", name(it->by, open), name(it->before, open), name(it->after, open));
        if (who.find('.') != who.npos)
          text += fmt::format("key {} {} {}", static_cast<int>(it->kind), who, setup->is_timed ? since(event->at) : 0);
      }
    }
    return text;
  }
};

}  // namespace holdfast::reference
