// The questions of a run in words: for the player, and for the reader of a game on a page.
#pragma once

#include <string>
#include <vector>

#include "reports/language.hpp"
#include "reports/trace_page.hpp"
#include "sim/cli/game.hpp"

namespace holdfast::cli {

std::string question_in_words(const Choice& question, StoreKind store, reports::Language language);
// What comes of each answer: what happens up to the next question.
std::vector<std::string> options_in_words(Game& game, const Position& now, reports::Language language);

// Every question that a run was asked, with what came of the answer and what would have come of the others.
// It ends when `goal` is violated. None for a run of more questions than a reader would answer. `faults_max`:
// what is asked about faults beyond so many is no question, because the player of the game was not asked
// either.
std::vector<reports::Move> moves_of(const Scenario& scenario, const Card& card, const Tape& tape,
                                    std::uint32_t faults_max, Property goal, reports::Language language);

}  // namespace holdfast::cli
