// What the world may and may not do, and what each fault adds: numbered sentences. This is the one source of
// `holdfast explain FAULT`, of the page scenarios/faults.md, and of the reference explorer, which is written
// from it alone. Each sentence that can be tried names a scenario of scenarios/faults that fails when the
// sentence is not so.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/core/vocabulary.hpp"
#include "sim/scenario/scenario.hpp"

namespace holdfast {

struct Sentence {
  // The fault; `none`: what holds in every run.
  Fault fault;
  std::string_view text;
  // A file of scenarios/faults without its ending. Its `expect` says "violated" where the sentence says what
  // may happen, and "holds" or "hollow" where it says what may not.
  std::string_view scenario;
};

// In the order of the faults, `none` first.
std::span<const Sentence> specification();
// Those of one fault. The first has number 1.
std::span<const Sentence> specification_of(Fault fault);
// "pause 3".
std::string name_of(const Sentence& sentence);

// What a situation is, as a noun; and what is said where no run came to it.
struct SituationWords {
  std::string_view what;
  std::string_view never;
};
const SituationWords& words_of(Situation situation);
// Where a fault can hurt: in one of these situations at least. `none`: nothing is asked.
SituationSet hurts_in(Fault fault);
// What a property judges: all of these must have been met before it can be broken.
SituationSet judged_in(Property property);
// Why none of the runs that met this could have broken the property under these faults, as a clause; empty:
// some could. Of a fault with a size it is not asked whether it could hurt: that may be the question.
std::string why_hollow(const Reach& reach, std::span<const FaultRule> faults, Property property);

}  // namespace holdfast
