// The words of pictures, of explanations and of questions: part of the table of each language; those of
// templates are in page/words.json. {0}, {1}, … are filled in; what they stand for is said at each entry.
#pragma once

#include <array>
#include <string_view>

#include "sim/trace/tape.hpp"

namespace holdfast::reports {

// For one and for many; 0: the number.
using Plural = std::array<std::string_view, 2>;

struct ExplanationWords {
  std::string_view without;  // labels
  std::string_view needs;
  std::string_view since;
  std::string_view fault;         // 0: fault, 1: who, 2: step
  std::string_view comma;         // between all but the last two of a list
  std::string_view last_of_list;  // before the last
  std::string_view but_for;       // 0: without what, 1: same, 2: and or but, 3: any
  std::string_view link_same;     // both come out alike
  std::string_view link_other;    // they do not
  std::string_view same_breaks;
  std::string_view same_holds;
  std::string_view same_open;
  std::string_view any_breaks;  // 0: how many steps
  std::string_view any_holds;   // 0: how many states
  std::string_view any_sampled;
  std::string_view any_open;
  std::string_view always;  // 0: how many states; this and the next two: what cannot be avoided since when
  std::string_view since_step;      // 0: step, 1: how many states
  std::string_view since_at_most;   // the same
  std::string_view least_there_is;  // 0: fault, 1: how long
  std::string_view least;           // 0: fault, 1: how long, 2: what is not enough
};

struct PageWords {
  // --- counts and titles ---
  Plural clients;
  Plural steps;
  Plural states;
  std::string_view no_fault;
  std::string_view is_violated;       // 0: lock and fault, 1: property
  std::string_view nothing_violated;  // 0: lock and fault
  std::string_view belief;            // 0: which
  std::string_view quiet_steps;       // 0: how many
  std::string_view for_ever;          // 0: how many steps
  std::string_view shrunk_from;       // 0: how many steps
  std::string_view replay;
  // --- what can be done ---
  std::string_view copied;
  std::string_view hide_ending;
  std::string_view show_ending;
  std::string_view by_time;  // the strip, instead of by steps
  std::string_view by_steps;
  // --- headings, and the names of parts ---
  std::string_view overview;
  std::string_view part;           // 0: from step, 1: to step, 2: of how many
  std::string_view found;          // 0: number
  std::string_view found_in_part;  // 0: number
  std::string_view column_step;
  std::string_view column_time;
  std::string_view column_what;
  // --- one step ---
  std::string_view position;  // 0: step, 1: of how many
  std::string_view its_clock;
  // --- the strip ---
  std::string_view strip_step;
  std::string_view true_time;
  std::string_view clock_of;       // 0: client
  std::string_view believes;       // 0: client
  std::string_view truth;          // 0: client
  std::string_view truth_of_most;  // the same, of several servers
  std::string_view faults;
  std::string_view lost_request;  // 0: client
  std::string_view late_request;
  std::string_view lost_answer;
  std::string_view late_answer;
  std::string_view band_stopped;
  std::string_view band_absent;
  std::string_view band_slow;
  std::string_view both_believe;
  std::string_view overlap;
  std::string_view resource;
  std::string_view writes;        // to it
  // --- of the picture that moves ---
  std::string_view at_work;  // 0: the holder
  std::string_view fault_strikes;
  std::string_view two_holders;
  std::string_view more_servers;  // 0: how many
  std::string_view inevitable;
  std::string_view point_of_no_return;
  std::string_view every_continuation;
  // --- the legend ---
  std::string_view legend_belief;
  std::string_view legend_truth;
};

// The questions to the player, who is the network and the clock.
struct QuestionWords {
  std::array<std::string_view, site_ids.size()> questions;  // 0: of whom it is asked
  std::string_view as_usual;
  std::string_view as_usual_then;     // 0: what happens
  std::string_view until_then;        // 0: a time, 1: what happens then
  std::string_view strikes;           // 0: a fault, 1: whom
  std::string_view clock_goes_ahead;  // 0: a fault of a clock, 1: whom
  std::string_view clock_goes_back;   // likewise
  std::string_view one_of_them;       // 0: a text that stands several times, 1: which, 2: of how many
  std::string_view time_passes;
  std::string_view otherwise;
  // --- on pages ---
  std::string_view right;
  std::string_view wrong;
  std::string_view score;     // 0: right answers, 1: of how many
  std::string_view shortest;  // 0: steps of this run, 1: of the shortest known
};

}  // namespace holdfast::reports
