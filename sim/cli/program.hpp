// What main() calls: of holdfast itself, and of programs that add locks of their own to it.
#pragma once

namespace holdfast::cli {

// Performs the command line and returns the exit code.
int run_program(int argc, char** argv);

// Where the scenarios are that come with holdfast, for a program that lies elsewhere.
void set_lessons_directory(const char* path);

}  // namespace holdfast::cli
