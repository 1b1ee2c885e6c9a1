// What a page or a program asks of `holdfast serve`: a lock, faults and bounds, by the names that the options
// of `check` have. It reads no file and runs no program: locks are those that are compiled in.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cli/compare.hpp"
#include "sim/core/lock.hpp"
#include "sim/explore/comparison.hpp"

namespace holdfast::cli {

using Fields = std::map<std::string, std::string, std::less<>>;

// Refused, with a status of HTTP. what() is one line.
class Refused : public std::runtime_error {
 public:
  Refused(int status, const std::string& what) : std::runtime_error(what), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

// An experiment as a request describes it.
struct AskedExperiment {
  Fields fields;  // as they were given; empty ones are left out
  const Card* card = nullptr;
  MatrixOptions options;
};
// Of an object whose values are texts, whole numbers or lists of texts; of "param", also an object. Throws
// Refused.
Fields fields_of(const std::string& json);
// Throws Refused: an unknown lock (404) or field, a value that is none.
AskedExperiment asked_of(const Fields& fields);

// One run of it: all chosen faults at once.
struct AskedRun {
  AskedExperiment asked;
  Scope scope;
  Scenario scenario;
  std::uint32_t faults_max = 1;      // that may strike, together
  std::vector<std::uint32_t> picks;  // of the questions that the run asks, in turn
};
// Beside the fields of an experiment: faults-together, tick, variant and picks ("0.1.2"). Throws Refused.
AskedRun asked_run_of(const Fields& fields);

// The address of a run under one fault, or all of a list, within one of the bounds that an experiment has
// deepened to.
std::string link_to_run(const AskedExperiment& asked, std::string_view faults, const Scope& scope);
inline std::string link_to_run(const AskedExperiment& asked, Fault fault, const Scope& scope) {
  return link_to_run(asked, id_of(fault), scope);
}
// Of a run under all that the experiment asks for, within its first bounds.
std::string link_to_play(const AskedExperiment& asked);
// The same run after these answers. `link` has none yet.
std::string with_picks(const std::string& link, const std::vector<std::uint32_t>& picks, std::size_t count);

}  // namespace holdfast::cli
