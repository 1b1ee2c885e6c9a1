// A game against a lock: the player answers every question of a run, and can take answers back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/check/result.hpp"
#include "sim/explore/run.hpp"

namespace holdfast::cli {

// A question that was answered on the way.
struct Answered {
  Choice question;         // `picked` is the answer
  Action action = {};      // of a question about the next step: what was picked
  std::size_t events = 0;  // that came before
  Instant at = {};
};

// What a run that followed some answers came to.
struct Position {
  std::optional<Choice> question;  // what it asks next; empty: the run is over
  std::vector<Event> events;       // up to there
  std::vector<Finding> findings;
  std::uint32_t steps = 0;
  Instant at = {};
  std::vector<Action> actions = {};  // of a question about the next step: what each answer is
  std::vector<Answered> way = {};
  StoreKind store = StoreKind::redis;  // of the lock
  bool fits = true;  // each answer was one of those that there were, and the run asked for all of them
};

class Game {
 public:
  // `faults_max`: beyond so many, what is asked about faults is answered calmly. The run ends when one of
  // `goals` is violated. `scenario` and `card` must outlive the game.
  Game(const Scenario& scenario, const Card& card, std::uint32_t faults_max, PropertySet goals)
      : subject_(scenario, card), faults_max_(faults_max), goals_(goals) {}

  Position position() { return position_after(answers_); }
  // What happens right after an answer, up to the next question.
  std::vector<Event> outlook(std::uint32_t answer, std::size_t events_before);
  void answer(std::uint32_t picked) { answers_.push_back(picked); }
  // False when there is nothing to take back.
  bool take_back();
  // The run so far as a counterexample, for a trace file.
  Counterexample recorded();

 private:
  Position position_after(const std::vector<std::uint32_t>& answers, Tape* tape = nullptr);

  Subject subject_;
  std::uint32_t faults_max_;
  PropertySet goals_;
  std::vector<std::uint32_t> answers_;  // only to questions that were put to the player
};

}  // namespace holdfast::cli
