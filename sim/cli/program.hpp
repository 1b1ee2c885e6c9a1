// What main() calls: of holdfast itself, and of programs that add locks of their own to it.
#pragma once

#include <exception>

#include "sim/explore/ranks.hpp"

namespace holdfast::cli {

// Performs the command line and returns the exit code.
int run_program(int argc, char** argv);

// What the program says when this exception ends it, without its name, and the exit code.
Complaint complaint_of(const std::exception_ptr& error);

// Where the scenarios are that come with holdfast, for a program that lies elsewhere.
void set_lessons_directory(const char* path);

}  // namespace holdfast::cli
