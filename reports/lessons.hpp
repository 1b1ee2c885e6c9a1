// What the words of the vocabulary mean, for readers who are new to the subject.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace holdfast::reports {

struct Lesson {
  std::string_view id;
  std::string_view summary;  // one line, begins with a capital, ends without a full stop
  std::string_view text;     // three to eight sentences
  std::string_view next;     // a command to try
};

// One for each word, in the order of the vocabulary.
std::span<const Lesson> fault_lessons();
std::span<const Lesson> property_lessons();
std::span<const Lesson> belief_lessons();
std::span<const Lesson> verdict_lessons();
std::span<const Lesson> workload_lessons();
// Words that readers meet before those: lock, lease, fence; and services that are not simulated.
std::span<const Lesson> term_lessons();
// What else a word is called: "ttl" is a lease. Nothing: it has no other name.
std::string_view usual_name(std::string_view name);
// The names by which usual_name() finds it, but for signs.
std::vector<std::string_view> other_names_of(std::string_view id);

}  // namespace holdfast::reports
