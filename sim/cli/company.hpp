// Whether this process is one of several that search together: as mpirun and srun start them.
#pragma once

#include "sim/cli/options.hpp"
#include "sim/core/lock.hpp"
#include "sim/explore/ranks.hpp"

namespace holdfast::cli {

// Null: it is alone. The first call loads the part of the program that speaks MPI, if somebody has started
// several. Throws UserError: it is not there.
Ranks* company();
// What ranks but the first do in place of their command.
int accompany(Ranks& ranks, int argc, char** argv);
// Throws UserError: a command that shares no search.
void require_shared(const Options& options);
// Throws UserError: a real program, which one process asks.
void require_shareable(const Card& card);
// At the end of the program.
void leave_company(int code);

}  // namespace holdfast::cli
