// The words of pages, of explanations and of questions: part of the table of each language. {0}, {1}, … are
// filled in; what they stand for is said at each entry.
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
  std::string_view what_breaks;       // 0: lock and fault
  std::string_view also;
  std::string_view replay;
  // --- what can be done ---
  std::string_view to_the_run;
  std::string_view all_verdicts;
  std::string_view copy_command;
  std::string_view copy_link;
  std::string_view copy_picture;
  std::string_view copied;
  std::string_view hide_ending;
  std::string_view show_ending;
  std::string_view first;
  std::string_view back;
  std::string_view next;
  std::string_view to_violation;
  std::string_view by_time;  // the strip, instead of by steps
  std::string_view by_steps;
  std::string_view keys;
  std::string_view lens;  // what is drawn of a long run around the step
  // --- headings, and the names of parts ---
  std::string_view belief_and_truth;
  std::string_view overview;
  std::string_view whole_run;
  std::string_view what_happened;
  std::string_view messages;
  std::string_view diagram;
  std::string_view last_steps;  // 0: of how many, 1: how many
  std::string_view part;        // 0: from step, 1: to step, 2: of how many
  std::string_view part_hint;
  std::string_view step_by_step;
  std::string_view how_to_fix;
  std::string_view kept_by;       // 0: property, 1: fault, 2: locks
  std::string_view kept_by_none;  // 0: property, 1: fault
  std::string_view repair_shown;  // before a command
  std::string_view all_events;
  std::string_view event_table;
  std::string_view filter;
  std::string_view filter_hint;
  std::string_view found;          // 0: number
  std::string_view found_in_part;  // 0: number
  std::string_view column_step;
  std::string_view column_time;
  std::string_view column_who;
  std::string_view column_event;
  std::string_view column_what;
  std::string_view where_from;
  std::string_view scenario;
  std::string_view trace_file;
  std::string_view fingerprint;
  std::string_view choices;
  std::string_view scenario_file;
  // --- one step ---
  std::string_view step;      // 0: number
  std::string_view position;  // 0: step, 1: of how many
  std::string_view at;        // 0: time
  std::string_view no_return;
  std::string_view client;
  std::string_view believes_it_holds;
  std::string_view store_names_it;
  std::string_view most_name_it;  // of several servers
  std::string_view its_clock;
  std::string_view stopped;
  std::string_view not_running;
  std::string_view yes;
  std::string_view no;
  std::string_view no_key;
  std::string_view key;
  std::string_view value;
  std::string_view written_by;
  std::string_view lives_for;
  std::string_view in_node;  // 0: node
  std::string_view somebody;
  std::string_view ever;
  std::string_view left_of;  // 0: time left, 1: of how much
  std::string_view code_at;
  std::string_view script;  // 0: place
  // --- the strip ---
  std::string_view strip_step;
  std::string_view true_time;
  std::string_view clock_of;  // 0: client
  std::string_view believes;  // 0: client
  std::string_view truth;     // 0: client
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
  std::string_view inevitable;
  std::string_view point_of_no_return;
  std::string_view every_continuation;
  // --- the legend ---
  std::string_view legend_belief;
  std::string_view legend_truth;
  std::string_view legend_clash;
  std::string_view legend_absent;
  std::string_view legend_request;
  std::string_view legend_answer;
  std::string_view legend_late;
  std::string_view legend_fault;
};

// The questions to the player, who is the network and the clock.
struct QuestionWords {
  std::array<std::string_view, site_ids.size()> questions;  // 0: of whom it is asked
  std::string_view as_usual;
  std::string_view as_usual_then;  // 0: what happens
  std::string_view until_then;   // 0: a time, 1: what happens then
  std::string_view strikes;      // 0: a fault, 1: whom
  std::string_view one_of_them;  // 0: a text that stands several times, 1: which, 2: of how many
  std::string_view time_passes;
  std::string_view otherwise;
  // --- on pages ---
  std::string_view heading;
  std::string_view begin;
  std::string_view rules;
  std::string_view end;
  std::string_view take_back;
  std::string_view go_on;
  std::string_view right;
  std::string_view wrong;
  std::string_view score;     // 0: right answers, 1: of how many
  std::string_view shortest;  // 0: steps of this run, 1: of the shortest known
};

}  // namespace holdfast::reports
