// Whether this process is one of several that search together: as mpirun and srun start them.
#pragma once

#include <string>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/explore/ranks.hpp"

namespace holdfast::cli {

// Null: it is alone. The first call loads the part of the program that speaks MPI, if somebody has started
// several. Throws UserError: it is not there.
Ranks* company();
// What ranks but the first do in place of their command.
int accompany(Ranks& ranks, const std::vector<std::string>& words);
// Throws UserError: a command that shares no search.
void require_shared(const std::string& command);
// Throws UserError: a real program, which one process asks.
void require_shareable(const Card& card);
// From now on, this process ends when another has ended that it needs: rank 0 says which, and how to go on
// with what `saved` holds (--resume DIR; empty: nothing).
void watch_company(const std::string& saved);
// At the end of the program.
void leave_company();

}  // namespace holdfast::cli
