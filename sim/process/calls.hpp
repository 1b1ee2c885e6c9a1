// The system calls of Linux on x86-64, and what becomes of each when a guest makes it.
#pragma once

#include <linux/filter.h>

#include <string>
#include <vector>

namespace holdfast::process {

enum class Treatment {
  native,     // the kernel carries it out unsupervised
  answered,   // by the supervisor: see Guest::answer()
  waited,     // a wait, for time or for a descriptor: the supervisor holds it until it is over
  ignored,    // answered with 0
  missing,    // answered with ENOSYS: programs do without
  read_only,  // answered with EROFS: a guest leaves no file behind
  unknown,    // in no row: it ends the run by its name
};

// Sockets of guests have numbers from here on, so that a filter can tell read() of a socket from that of a
// file.
inline constexpr int first_socket = 500;

Treatment treatment_of(int call);
// "clock_gettime"; "system call 999" if it has no name.
std::string name_of(int call);
// REQUIRES: there is one of this name.
int call_named(std::string_view name);
// Lets native calls pass and asks the supervisor about all others; kills what speaks another architecture's
// numbers.
std::vector<sock_filter> make_filter();

}  // namespace holdfast::process
