#include "sim/cli/asked.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/cli/chosen.hpp"
#include "sim/cli/parser.hpp"
#include "sim/cli/session.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 13> experiment_fields{
    "lock",  "faults", "properties", "clients", "rounds", "attempts", "work",
    "delay", "pause",  "workload",   "fencing", "belief", "param"};
constexpr std::array<std::string_view, 4> run_fields{"faults-together", "tick", "variant", "picks"};
constexpr std::size_t picks_max = 1'000;
constexpr std::size_t value_max = 1'000;  // letters

std::string value_text(const std::string& name, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_unsigned()) return std::to_string(value.get<std::uint64_t>());
  std::vector<std::string> parts;
  const bool is_list = value.is_array();
  if (!is_list && !(name == "param" && value.is_object()))
    throw Refused(400, fmt::format("{}: is neither a text, nor a whole number, nor a list of texts", name));
  for (const auto& [key, part] : value.items()) {
    if (!part.is_string()) throw Refused(400, fmt::format("{}: holds something that is no text", name));
    parts.push_back(is_list ? part.get<std::string>() : key + "=" + part.get<std::string>());
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

void require_known(const Fields& fields, const std::vector<std::string_view>& known) {
  for (const auto& [name, value] : fields) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Refused(400, fmt::format("there is no field \"{}\"{} · there are: {}", name,
                                     did_you_mean(name, known), fmt::join(known, ", ")));
    if (value.size() > value_max && name != "picks")
      throw Refused(400, fmt::format("{}: longer than {} letters", name, value_max));
  }
}

// What the command line says of it, without its dashes and its advice about help.
std::string without_dashes(std::string text) {
  if (text.starts_with("--")) text.erase(0, 2);
  if (const std::size_t advice = text.rfind(" (holdfast check --help)"); advice != text.npos)
    text.erase(advice);
  return text;
}

const Card& card_called(const std::string& id) {
  std::vector<std::string_view> ids;
  for (const Card& each : algorithms::all()) {
    if (each.id == id) return each;
    ids.push_back(each.id);
  }
  throw Refused(404, fmt::format("lock: there is no lock \"{}\"{}", id, did_you_mean(id, ids)));
}

// What the parser of the command line makes of it, where `check` has these options and no others: the same
// words mean the same here, and are as wrong.
AskedExperiment parsed(const Fields& fields) {
  AskedExperiment asked{.fields = fields};
  const auto lock = fields.find("lock");
  if (lock == fields.end()) throw Refused(400, "lock: is missing");
  asked.card = &card_called(lock->second);
  std::vector<std::string> words{"check"};
  for (const auto& [name, value] : fields)
    if (name != "lock") words.push_back(fmt::format("--{}={}", name, value));
  Parser parser;
  const auto [app, options] = parser.command<MatrixOptions>("check", "", "", [&](const MatrixOptions& those) {
    asked.options = those;
    return exit_as_expected;
  });
  parser.add_experiment(app, options);
  add_pause(app, options);
  add_params(app, options);
  parser.parse(words)();
  Params given(asked.card->parameters);
  for (const auto& [name, value] : asked.options.params) given.set(name, value);
  require_concerned(asked.options, *asked.card);
  comparison_of(asked.options);
  chosen_faults(asked.options);
  return asked;
}

// `make()`; any error in the words of a user is a refusal.
template <class Make>
auto refusing(const Make& make) {
  try {
    return make();
  } catch (const UserError& error) {
    throw Refused(400, without_dashes(error.what()));
  } catch (const BadParameter& error) {
    throw Refused(400, error.what());
  } catch (const BadCard& error) {
    throw Refused(400, error.what());
  }
}

std::optional<std::string> take(Fields& fields, std::string_view name) {
  const auto found = fields.find(name);
  if (found == fields.end()) return std::nullopt;
  std::string value = found->second;
  fields.erase(found);
  return value;
}

std::uint32_t number_in(std::string_view name, std::string_view text, std::uint32_t low, std::uint32_t high) {
  std::uint32_t number = 0;
  const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (why == std::errc() && end == text.data() + text.size() && number >= low && number <= high)
    return number;
  throw Refused(400, fmt::format("{}: \"{}\" is not a whole number from {} to {}", name, text, low, high));
}

std::vector<std::uint32_t> picks_in(std::string_view text) {
  std::vector<std::uint32_t> picks;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('.'), text.size());
    if (picks.size() == picks_max) throw Refused(400, fmt::format("picks: more than {} answers", picks_max));
    picks.push_back(number_in("picks", text.substr(0, end), 0, 1'000'000));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return picks;
}

Scope scope_in(Fields& fields, const Comparison& comparison) {
  Scope scope = scope_of(comparison);
  if (const auto text = take(fields, "faults-together"))
    scope.faults = number_in("faults-together", *text, 0, 9);
  if (const auto text = take(fields, "tick")) {
    const std::optional<Duration> tick = parse_duration(*text);
    if (!tick || (*tick != finest_tick && *tick != 1s))
      throw Refused(400, fmt::format("tick: \"{}\" is not one of 500ms, 1s", *text));
    scope.tick = *tick;
  }
  if (const auto text = take(fields, "variant")) {
    const auto variant = from_id<Variant>(variant_ids, *text);
    const std::vector<std::string_view> ids(variant_ids.begin(), variant_ids.end());
    if (!variant)
      throw Refused(400, fmt::format("variant: \"{}\" is not one of {}{}", *text, fmt::join(ids, ", "),
                                     did_you_mean(*text, ids)));
    scope.variant = *variant;
  }
  return scope;
}

// All chosen faults at once; each as it is where it is alone.
Scenario scenario_in(const AskedExperiment& asked, const Comparison& comparison, const Scope& scope) {
  const auto at = [&](Fault fault) {
    std::optional<Scenario> scenario = chosen_at(asked.options, comparison, scope, *asked.card, fault);
    if (!scenario)
      throw Refused(
          400, fmt::format("variant: {} cannot do what {} is about", asked.card->id, id_of(scope.variant)));
    return std::move(*scenario);
  };
  const std::vector<Fault> faults = chosen_faults(asked.options);
  Scenario whole = at(faults.size() == 1 ? faults.front() : Fault::none);
  if (faults.size() == 1) return whole;
  for (const Fault fault : faults)
    for (const FaultRule& rule : at(fault).faults) whole.faults.push_back(rule);
  return whole;
}

bool is_plain(char letter) {
  return std::string_view("-_.~*,=").find(letter) != std::string_view::npos ||
         (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z');
}

std::string encoded(std::string_view text) {
  std::string safe;
  for (const char letter : text)
    if (is_plain(letter)) safe += letter;
    else safe += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  return safe;
}

}  // namespace

Fields fields_of(const std::string& json) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) throw Refused(400, "the body is no JSON object");
  Fields fields;
  for (const auto& [name, value] : object.items()) fields[name] = value_text(name, value);
  return fields;
}

AskedExperiment asked_of(const Fields& fields) {
  Fields given = fields;
  std::erase_if(given, [](const auto& field) { return field.second.empty(); });
  require_known(given, {experiment_fields.begin(), experiment_fields.end()});
  return refusing([&] { return parsed(given); });
}

AskedRun asked_run_of(const Fields& fields) {
  Fields given = fields;
  std::erase_if(given, [](const auto& field) { return field.second.empty(); });
  std::vector<std::string_view> known(experiment_fields.begin(), experiment_fields.end());
  known.insert(known.end(), run_fields.begin(), run_fields.end());
  require_known(given, known);
  AskedRun run;
  run.picks = picks_in(take(given, "picks").value_or(""));
  Fields experiment = given;
  for (const std::string_view each : run_fields) take(experiment, each);
  run.asked = asked_of(experiment);
  run.asked.fields = given;
  return refusing([&] {
    const Comparison comparison = comparison_of(run.asked.options);
    if (comparison.rounds == 0 || comparison.attempts == 0)
      throw Refused(400, "properties: what is about clients that never stop has no run that ends");
    run.scope = scope_in(given, comparison);
    run.scenario = scenario_in(run.asked, at_scope(comparison, run.scope), run.scope);
    run.faults_max = run.scope.faults;
    return std::move(run);
  });
}

std::string link_to_run(const AskedExperiment& asked, std::string_view faults, const Scope& scope) {
  Fields fields = asked.fields;
  if (!faults.empty()) fields["faults"] = faults;
  fields["clients"] = std::to_string(scope.clients);
  fields["rounds"] = std::to_string(scope.rounds);
  fields["attempts"] = std::to_string(scope.attempts);
  fields["faults-together"] = std::to_string(scope.faults);
  fields["tick"] = to_text(scope.tick);
  fields["variant"] = id_of(scope.variant);
  std::string link;
  for (const auto& [name, value] : fields)
    link += fmt::format("{}{}={}", link.empty() ? "/runs?" : "&", name, encoded(value));
  return link;
}

std::string link_to_play(const AskedExperiment& asked) {
  const auto faults = asked.fields.find("faults");
  return link_to_run(asked, faults == asked.fields.end() ? "" : faults->second,
                     scope_of(comparison_of(asked.options)));
}

std::string with_picks(const std::string& link, const std::vector<std::uint32_t>& picks, std::size_t count) {
  return count == 0
             ? link
             : fmt::format("{}&picks={}", link,
                           fmt::join(picks.begin(), picks.begin() + static_cast<std::ptrdiff_t>(count), "."));
}

}  // namespace holdfast::cli
