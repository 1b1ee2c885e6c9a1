// What a user chose to explore, by --only, --faults, --clients and their like.
#pragma once

#include <string>
#include <vector>

#include "reports/report.hpp"
#include "sim/cli/options.hpp"
#include "sim/core/lock.hpp"
#include "sim/explore/comparison.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast::cli {

// What is explored, for all commands.
using Chosen = GroupsOf<Experiment, Sampling, Space, Seed, Pauses, LockParams>;

unsigned threads_of(const Threads& options);
// These throw UserError for a word that names nothing.
const Card& lock_called(const std::string& id);
std::vector<const Card*> chosen_cards(const Selection& options, std::string_view option = "--only");
// What is compared. Unless they are named, it leaves out those whose sessions are kept alive beside all that
// clients do: they have as many schedules as all others together.
std::vector<const Card*> compared_cards(const Selection& options);
void tell_left_out(const Selection& options);
std::vector<Fault> chosen_faults(const Experiment& options);
Comparison comparison_of(const Chosen& options);
// The usual ones, which deepen; or those chosen by --clients and the like. Not empty.
std::vector<Scope> scopes_of(const Experiment& options, const Comparison& comparison);
// Calls the parameters that the user has chosen as the cards of these locks call them.
void use_names_of_locks(LockParams& params, const std::vector<std::string>& names);
void use_names_of_locks(LockParams& params, const Selection& selection);
// Throws UserError when none of these locks has a parameter that --param names, and BadParameter for a value
// that one of them cannot have.
void require_params(const LockParams& options, const std::vector<const Card*>& cards);
// Tells of which of these locks --driver-retries says nothing.
void tell_who_asks_once(const Experiment& options, const std::vector<const Card*>& cards);
// What --param asks for.
void set_params(const LockParams& options, Scenario& scenario);
// Throws UserError when the chosen workload has nothing to say about this lock.
void require_concerned(const Experiment& options, const Card& card);
// The lock without any fault, to be explored exhaustively by `command`.
Job calm_job(const Locks& lock, const Chosen& options, const Comparison& comparison,
             std::string_view command);
// As comparison_of() for these cards, with the time to live that --param asks for.
reports::MatrixBounds bounds_of(const Chosen& options, const Comparison& comparison,
                                const std::vector<const Card*>& cards);

}  // namespace holdfast::cli
