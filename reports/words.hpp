// The words of stories: one table for each language. {0}, {1}, … are filled in; what they stand for is said
// at each entry.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

#include "reports/language.hpp"
#include "reports/page_words.hpp"
#include "sim/core/vocabulary.hpp"

namespace holdfast::reports {

struct Words {
  // --- sentences: 0 is the subject, 1 and further what the comment lists ---
  std::string_view at;         // 0: time; begins what is told of a step
  std::string_view space;      // between two sentences
  std::string_view full_stop;  // where a text of others may end one
  std::string_view because;    // 0: sentence, 1: why, in quotes
  std::string_view quoted;     // 0: a text of others
  std::string_view started;    // 1: its_clock, or nothing
  std::string_view its_clock;  // 0: offset
  std::string_view ahead;      // 0: how much
  std::string_view behind;     // 0: how much
  std::string_view acquiring;  // 1: key, 2: to_share, or nothing
  std::string_view to_share;
  std::string_view granted;  // 1: shared, 2: fence, 3: until; each may be nothing
  std::string_view shared;
  std::string_view fence;  // 0: number
  std::string_view until;  // 0: time
  std::string_view refused;
  std::string_view failed;
  std::string_view working;  // 1: how long
  std::string_view wrote;
  std::string_view write_refused;
  std::string_view read;
  std::string_view read_refused;
  std::string_view told_lost;
  std::string_view deadline_passed;
  std::string_view releasing;
  std::string_view released;
  std::string_view not_held;
  std::string_view release_unknown;
  std::string_view acquired_again;
  std::string_view refused_again;
  std::string_view released_again;
  std::string_view cache_hit;
  std::string_view cache_miss;
  std::string_view fetching;  // 1: how long
  std::string_view stored;
  std::string_view period_begun;  // 1: its number
  std::string_view job_begun;     // 1: the number of the period, 2: how long
  std::string_view job_done;      // 1: the number of the period
  std::string_view period_over;   // 1: its number
  std::string_view slept;  // 1: how long
  std::string_view finished;
  std::string_view threw;
  std::string_view sent;            // 1: request, 2: node
  std::string_view executed;        // 0: node, 1: request, 2: whose, 3: answer
  std::string_view executed_waits;  // 0: node, 1: request, 2: whose
  std::string_view pushed_answer;   // 0: node, 1: request, 2: whose, 3: answer
  std::string_view pushed_message;  // 0: node, 1: the client that listens, 2: message
  std::string_view delivered;       // 1: answer
  std::string_view gave_up;         // 1: request
  std::string_view driver_gave_up;  // the same; it sends it again
  std::string_view ignored;
  std::string_view nobody;
  std::string_view own;     // after a key that was of the same client
  std::string_view set_by;  // after a key; 0: whose it was
  std::string_view no_expiry;
  std::string_view alive_until;      // 0: time
  std::string_view key_created;      // 1: key, 2: value, 3: alive_until
  std::string_view key_overwritten;  // 1: key, 2: own or set_by, 3: value, 4: alive_until
  std::string_view key_removed;      // 1: key, 2: own or set_by
  std::string_view key_expired;      // 0: key, 1: set_by
  std::string_view key_lost;         // 0: key, 1: set_by
  std::string_view key_restored;     // the same, 2: whose value it is now, 3: the value
  std::string_view ttl_changed;      // 1: key, 2: own or set_by, 3: alive_until
  std::string_view crashed;
  std::string_view paused;
  std::string_view resumed;       // 1: how long
  std::string_view request_lost;  // 1: request
  std::string_view request_late;
  std::string_view reply_lost;
  std::string_view reply_late;
  std::string_view sent_twice;
  std::string_view met_fault;  // 2: fault
  std::string_view slow_section;
  std::string_view clock_skewed;      // 1: offset
  std::string_view server_clock_set;  // 0: server, 1: offset
  std::string_view restarted;
  std::string_view recovered;
  std::string_view recovered_without;  // 1: how many writes are lost
  std::string_view failed_over;        // 1: how many writes are lost
  std::string_view elected;            // in place of that, where none is
  std::string_view evicted;            // 1: key
  std::string_view session_ended;      // 1: the client's name, or a lease
  std::string_view partitioned;        // 0: one of the next three, 1: client, 2: server, 3: until when
  std::string_view requests;
  std::string_view answers;
  std::string_view messages;
  std::string_view cancelled;
  std::string_view cut_off_message;  // 0: client, 1: request
  std::string_view calm;             // 1: within
  std::string_view stuck;
  std::string_view came_back;  // 1: within
  std::string_view left;
  std::string_view the_end;  // until then, the client that stays away
  std::string_view ended;
  std::string_view some_request;  // where the request is not known
  // What scripts do, by the deed (script_names.hpp); the first has no name.
  std::array<std::string_view, 6> scripts;

  // --- labels of pictures ---
  std::string_view label_started;
  std::string_view label_clock;    // 0: offset
  std::string_view label_wants;    // 0: key
  std::string_view label_granted;  // 0: label_fence, or nothing
  std::string_view label_fence;    // 0: number
  std::string_view label_refused;
  std::string_view label_failed;
  std::string_view label_working;  // 0: how long
  std::string_view label_wrote;
  std::string_view label_write_refused;
  std::string_view label_read;
  std::string_view label_read_refused;
  std::string_view label_told_lost;
  std::string_view label_deadline;
  std::string_view label_releasing;
  std::string_view label_released;
  std::string_view label_not_held;
  std::string_view label_unknown;
  std::string_view label_slept;  // 0: how long
  std::string_view label_threw;  // 0: error
  std::string_view label_gave_up;
  std::string_view label_sends_again;
  std::string_view label_ignored;
  std::string_view label_expires;  // 0: key
  std::string_view label_lost;     // 0: key
  std::string_view label_removes;  // 0: key, 1: whose
  std::string_view label_overwrites;
  std::string_view label_expiry;
  std::string_view label_crashed;
  std::string_view label_paused;
  std::string_view label_resumed;  // 0: how long
  std::string_view label_message_lost;
  std::string_view label_message_late;
  std::string_view label_slow;
  std::string_view label_acquired_again;
  std::string_view label_refused_again;
  std::string_view label_released_again;
  std::string_view label_cache_hit;
  std::string_view label_cache_miss;
  std::string_view label_fetching;  // 0: how long
  std::string_view label_stored;
  std::string_view label_period_begun;  // 0: its number
  std::string_view label_job_begun;     // 0: how long
  std::string_view label_job_done;
  std::string_view label_period_over;  // 0: its number
  std::string_view label_restarted;
  std::string_view label_recovered;
  std::string_view label_restored;  // 0: key
  std::string_view label_twice;
  std::string_view label_failed_over;
  std::string_view label_evicted;        // 0: key
  std::string_view label_session_ended;  // 0: session
  std::string_view label_partitioned;    // 0: server
  std::string_view label_cancelled;
  std::string_view label_stuck;
  std::string_view label_came_back;
  std::string_view label_left;
  std::string_view label_waits;
  std::string_view label_calm;

  // --- replies ---
  std::string_view no_answer;
  std::string_view error;  // 0: its text

  // --- lessons ---
  std::string_view lesson;  // 0: number, 1: of how many
  std::string_view claim;
  std::string_view code;
  std::string_view story;
  std::string_view why;
  std::string_view repair;
  std::string_view same_schedule;  // 0: name of the repaired lock
  std::string_view questions;
  std::string_view answer;
  std::string_view ask;            // before the verdict
  std::string_view ask_repair;     // before what repairs it
  std::string_view in_cpp;         // the code that was explored, beside its twin
  std::string_view go_on;          // 0: number of the lesson
  std::string_view violated;       // 0: property, 1: steps
  std::string_view clash;          // 0: earlier step, 1: later step
  std::string_view holds;          // 0: property, 1: states
  std::string_view no_separating;  // 0: name of the repaired lock
  std::string_view try_it;
  std::string_view step;                                         // 0: number
  std::array<std::string_view, property_ids.size()> properties;  // what each is about

  ExplanationWords explained;
  PageWords page;
  QuestionWords asked;
};

const Words& words_of(Language language);
// The tables; see words_<language>.cpp.
extern const Words english;
extern const Words chinese;

template <class... Arguments>
std::string say(std::string_view pattern, const Arguments&... arguments) {
  return fmt::format(fmt::runtime(pattern), arguments...);
}

// "1 step", "1,234 steps".
std::string say_count(const Plural& patterns, std::uint64_t number);

}  // namespace holdfast::reports
