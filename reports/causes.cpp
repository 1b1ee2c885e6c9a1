#include "reports/causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>

#include "reports/html.hpp"

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
           {Fault::failover, Fault::restart, Fault::eviction, Fault::session_lost}},
    Faults{CauseKind::clocks,
           "a clock is wrong",
           {Fault::clock_jump, Fault::server_clock_jump, Fault::clock_skew}},
};

// The word of words.json that says what repairs it.
std::string_view advice_on(Property property, CauseKind kind) {
  constexpr std::array of_kinds{"advice one_command", "advice fence",          "advice dead_client",
                                "advice late_twice",  "advice durable_server", "advice steady_clock"};
  switch (property) {
    case Property::mutual_exclusion:
    case Property::no_stale_write: return of_kinds[static_cast<std::size_t>(kind)];
    case Property::owner_only_release:
    case Property::owner_only_change: return "advice compare_token";
    case Property::truthful_release: return "advice truthful";
    case Property::release_frees: return "advice free";
    case Property::recovery: return "advice expiry";
    case Property::progress: return "advice look_yourself";
    case Property::fenced_writes:
    case Property::fence_order:
    case Property::rightful_write:
    case Property::no_lost_update: return "advice count_in_script";
    case Property::availability: return "advice majority";
    case Property::livelock: return "advice give_back";
    case Property::bounded_bypass: return "advice queue";
    case Property::reentrancy: return "advice count_holds";
    case Property::single_fill: return "advice look_again";
    case Property::once_per_period: return "advice keep_period";
  }
  return "";
}

std::string upper(std::string word) {
  for (char& letter : word) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return word;
}

bool has_word(const Sent& sent, std::initializer_list<std::string_view> words) {
  return std::any_of(sent.argv.begin(), sent.argv.end(), [&](const std::string& word) {
    return std::find(words.begin(), words.end(), upper(word)) != words.end();
  });
}
bool is_one_of(const Sent& sent, std::initializer_list<std::string_view> names) {
  const std::string name = sent.argv.empty() ? "" : upper(sent.argv.front());
  return std::find(names.begin(), names.end(), name) != names.end();
}
bool is_script(const Sent& sent) { return is_one_of(sent, {"EVAL", "EVALSHA", "FCALL"}); }
bool takes_with_lease(const Sent& sent) {
  return is_one_of(sent, {"SET"}) && has_word(sent, {"NX"}) && has_word(sent, {"PX", "EX", "PXAT", "EXAT"});
}
bool changes_blindly(const Sent& sent) {
  return is_one_of(sent, {"DEL", "UNLINK", "EXPIRE", "PEXPIRE", "PERSIST", "GETSET"}) ||
         (is_one_of(sent, {"SET"}) && !has_word(sent, {"NX"}));
}

template <class Is>
bool any_sent(const Counterexample& example, const Is& is) {
  return std::any_of(example.events.begin(), example.events.end(), [&](const Event& event) {
    const Sent* const sent = std::get_if<Sent>(&event.what);
    return sent != nullptr && is(*sent);
  });
}

// Keys of the lock were seen, and none that has no expiry stands when the run ends.
bool gives_expiries(const Counterexample& example) {
  std::map<std::pair<NodeId, std::string>, bool> lives_for_ever;
  for (const Event& event : example.events)
    if (const auto* const changed = std::get_if<KeyChanged>(&event.what)) {
      using Kind = KeyChanged::Kind;
      const bool stands =
          changed->kind != Kind::removed && changed->kind != Kind::expired && changed->kind != Kind::lost;
      lives_for_ever[{changed->node, changed->key}] = stands && changed->expires_at == never;
    }
  return !lives_for_ever.empty() && std::none_of(lives_for_ever.begin(), lives_for_ever.end(),
                                                 [](const auto& each) { return each.second; });
}

bool has_expired(const Counterexample& example) {
  return std::any_of(example.events.begin(), example.events.end(), [](const Event& event) {
    const auto* const changed = std::get_if<KeyChanged>(&event.what);
    return changed != nullptr && changed->kind == KeyChanged::Kind::expired;
  });
}

// Whether the run shows that the lock does so already.
bool is_followed(std::string_view advice, const Counterexample& example) {
  if (advice == "advice one_command") return any_sent(example, takes_with_lease) && !has_expired(example);
  if (advice == "advice expiry") return gives_expiries(example);
  if (advice == "advice compare_token" || advice == "advice late_twice" || advice == "advice dead_client")
    return any_sent(example, is_script) && !any_sent(example, changes_blindly);
  return false;
}

PropertySet broken_without_faults(const Matrix& matrix, const std::string& algorithm) {
  PropertySet broken;
  for (const MatrixCell& cell : matrix.cells)
    for (const JudgedProperty& each : cell.properties)
      if (cell.fault == Fault::none && cell.algorithm == algorithm && each.result.counterexample)
        broken.insert(each.result.property);
  return broken;
}

// The most important property that a kind of faults breaks, under the likeliest fault that does.
std::optional<Cause> cause_of(const Matrix& matrix, const Faults& faults) {
  std::optional<Cause> cause;
  std::map<Property, const Counterexample*> broken;  // in the order of the vocabulary
  for (const Fault fault : faults.faults)
    for (const MatrixCell& cell : matrix.cells) {
      if (cell.fault != fault) continue;
      const PropertySet known =
          fault == Fault::none ? PropertySet() : broken_without_faults(matrix, cell.algorithm);
      for (const JudgedProperty& each : cell.properties) {
        const Property property = each.result.property;
        if (!each.result.counterexample || known.contains(property)) continue;
        broken.try_emplace(property, &*each.result.counterexample);
        if (!cause || property < cause->property->result.property)
          cause = Cause{faults.kind, &cell, &each, {}};
      }
    }
  for (const auto& [property, example] : broken) {
    cause->broken.push_back(property);
    cause->examples.push_back(example);
  }
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

std::string advice_for(Property property, CauseKind kind, const Counterexample& example, Language language) {
  const std::string_view advice = advice_on(property, kind);
  return is_followed(advice, example) ? "" : word(advice, language);
}

std::vector<std::string> advice_for(const Cause& cause) {
  std::vector<std::string> advice;
  for (std::size_t i = 0; i < cause.broken.size(); ++i) {
    std::string text = advice_for(cause.broken[i], cause.kind, *cause.examples[i], Language::en);
    if (!text.empty() && std::find(advice.begin(), advice.end(), text) == advice.end())
      advice.push_back(std::move(text));
  }
  return advice;
}

}  // namespace holdfast::reports
