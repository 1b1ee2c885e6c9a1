#include "sim/scenario/parse.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "sim/scenario/reader.hpp"
#include "sim/scenario/sizes.hpp"

namespace holdfast {
namespace {

// A name that name_text accepts, from "scenarios/My file.json": "my-file".
std::string name_from(std::string_view file_name) {
  file_name.remove_prefix(file_name.find_last_of('/') + 1);  // npos + 1 is 0
  std::string name(file_name.substr(0, file_name.find('.')).substr(0, 100));
  for (char& letter : name) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    else if (!name_text.accepts(std::string_view(&letter, 1))) letter = '-';
  }
  return name_text.accepts(name) ? name : "scenario";
}

// What no single field shows. Each check is made only when what it compares was read without problems.
class WholeCheck {
 public:
  WholeCheck(const JsonValue& root, const Scenario& scenario, Problems& problems, const Known& known)
      : root_(root), scenario_(scenario), problems_(problems), card_(known.card(scenario.algorithm)) {}

  void all() {
    clients();
    for (std::size_t i = 0; i < scenario_.faults.size(); ++i) target(i);
    if (problems_.is_sound("/timing") && problems_.is_sound("/explore/strategy")) numbers_of_answers();
    if (problems_.is_sound("/timing/delay") && scenario_.timing.delay_min > scenario_.timing.delay_max)
      report("/timing/delay",
             fmt::format("the least delay {} is longer than the greatest {}",
                         to_text(scenario_.timing.delay_min), to_text(scenario_.timing.delay_max)));
    if (scenario_.expect) expectation(*scenario_.expect);
  }

 private:
  void report(const std::string& pointer, std::string message, Problems::Help help = {}) {
    const JsonValue* value = root_.at(pointer);
    problems_.add(value == nullptr ? root_.span : value->span, pointer, std::move(message), std::move(help));
  }

  void clients() {
    for (std::size_t i = 0; i < scenario_.clients.size(); ++i) {
      const std::string pointer = fmt::format("/clients/{}", i);
      const ClientPlan& plan = scenario_.clients[i];
      const std::string name = name_of(ClientId{static_cast<std::uint32_t>(i)});
      if (problems_.is_sound(pointer + "/id") && !plan.id.empty() && plan.id != name)
        report(pointer + "/id",
               fmt::format("clients are named in order: this one is \"{}\", not \"{}\"", name, plan.id));
      if (problems_.is_sound(pointer + "/do")) program(plan, pointer + "/do");
      if (problems_.is_sound(pointer + "/do") && problems_.is_sound(pointer + "/repeat"))
        periods(plan, pointer);
      if (card_ != nullptr && problems_.is_sound(pointer + "/params")) params(plan, pointer + "/params");
      if (plan.shares_lock_of) sharing(i, pointer);
    }
  }

  void sharing(std::size_t i, const std::string& pointer) {
    const std::uint32_t owner = scenario_.clients[i].shares_lock_of->value;
    if (owner >= i || scenario_.clients[owner].shares_lock_of)
      report(pointer + "/sharesLockOf", "this is no earlier client with a lock object of its own");
    if (!scenario_.clients[i].params.empty())
      report(pointer + "/params", "the lock object is that of another client, and so are its parameters");
  }

  // The servers, and how many they are, are the same for all.
  void params(const ClientPlan& plan, const std::string& pointer) {
    for (const auto& [name, text] : plan.params) {
      const std::string here = fmt::format("{}/{}", pointer, name);
      if (name == "nodes") report(here, "the number of nodes belongs to \"algorithm\"");
      try {
        Params(card_->parameters).set(name, text);
      } catch (const BadParameter& error) {
        report(here, error.what());
      }
    }
  }

  // Guarded steps need a claim, and a lock need not be reentrant. A write may come too late: after the
  // release.
  void program(const ClientPlan& plan, const std::string& pointer) {
    std::uint32_t holds = 0;
    bool has_released = false;
    for (std::size_t i = 0; i < plan.program.size(); ++i) {
      const ProgramStep::Op op = plan.program[i].op;
      const std::string here = fmt::format("{}/{}", pointer, i);
      using Op = ProgramStep::Op;
      if (op == Op::sleep || op == Op::look_up || op == Op::period) continue;
      const bool acquires = op == ProgramStep::Op::acquire;
      if (acquires && holds > 0)
        report(here, "\"acquire\" while the client holds the lock: release it first, or \"acquire-again\"");
      const bool is_late = op == ProgramStep::Op::write && has_released;
      if (!acquires && holds == 0 && !is_late)
        report(here, fmt::format("\"{}\" without the lock: acquire it first", id_of(op)));
      if (acquires || op == ProgramStep::Op::acquire_again) ++holds;
      if (op == ProgramStep::Op::release && holds > 0) has_released = --holds == 0;
    }
  }

  // They are counted by rounds.
  void periods(const ClientPlan& plan, const std::string& pointer) {
    using Op = ProgramStep::Op;
    const bool has_periods = plan.program.front().op == Op::period;
    for (std::size_t i = 1; i < plan.program.size(); ++i)
      if (plan.program[i].op == Op::period)
        report(fmt::format("{}/do/{}", pointer, i), "\"period\" is the first step of a program");
    if ((has_periods || plan.keying == Keying::period) &&
        (plan.rounds < 1 || plan.rounds > named_periods_max))
      report(pointer + "/repeat", fmt::format("periods are counted: there are 1 to {}", named_periods_max));
    if (!has_periods && plan.keying == Keying::period)
      report(pointer + "/locks", "the program has no periods: its first step is not \"period\"");
    if (!has_periods && plan.rounds != 1 && has_step(plan, Op::job))
      report(pointer + "/repeat", "a job is done in each period: let the program begin with \"period\"");
  }

  void target(std::size_t i) {
    const std::optional<ClientId> client = scenario_.faults[i].target;
    if (!client || !problems_.is_sound("/clients") || client->value < scenario_.clients.size()) return;
    std::string names;
    for (const ClientPlan& plan : scenario_.clients) names += " " + plan.id;
    report(fmt::format("/faults/{}/target", i), fmt::format("no client is called \"{}\"", name_of(*client)),
           {.hint = {}, .allowed = "allowed:" + names});
  }

  // What takes any number of ticks is a question with as many answers.
  void numbers_of_answers() {
    const Timing& timing = scenario_.timing;
    const bool is_fixed = timing.delays == Delays::fixed && !is_sampling(scenario_.explore.strategy);
    if (is_fixed && timing.delay_max - timing.delay_min >= answers_max * timing.tick)
      report("/timing/delay", fmt::format("fixed delays of {} to {} are not less than {} ticks of {} apart",
                                          to_text(timing.delay_min), to_text(timing.delay_max), answers_max,
                                          to_text(timing.tick)));
  }

  void expectation(const Expect& expect) {
    if (expect.property && problems_.is_sound("/check") && !scenario_.check.empty() &&
        !scenario_.check.contains(*expect.property))
      report("/expect/property",
             fmt::format("\"{}\" is not among the properties under \"check\"", id_of(*expect.property)));
    if (!problems_.is_sound("/explore/strategy") || !problems_.is_sound("/expect/verdict")) return;
    const bool samples = is_sampling(scenario_.explore.strategy);
    if (samples && expect.verdict == Verdict::holds)
      report("/expect/verdict", "a random sample never proves that anything holds: expect \"sampled\"");
    if (!samples && expect.verdict == Verdict::sampled)
      report("/expect/verdict", "an exhaustive exploration never says \"sampled\": expect \"holds\"");
  }

  const JsonValue& root_;
  const Scenario& scenario_;
  Problems& problems_;
  const Card* card_;
};

}  // namespace

Parsed parse_scenario(std::string_view text, std::string file_name, const Known& known) {
  Scenario scenario;
  scenario.name = name_from(file_name);
  scenario.clients = default_clients();
  Problems problems(text, std::move(file_name));
  const std::optional<JsonValue> root = parse_json(text, problems);
  if (root && root->kind != JsonValue::Kind::object) {
    problems.add(root->span, std::string(), "a scenario is an object: { … }");
  } else if (root) {
    Reader reader(*root, std::string(), problems, known);
    describe(reader, scenario);
    reader.finish();
    WholeCheck(*root, scenario, problems, known).all();
  }
  if (!problems.empty()) return {.scenario = std::nullopt, .problems = problems.take()};
  return {.scenario = std::move(scenario), .problems = {}};
}

}  // namespace holdfast
