// holdfast: which distributed lock really holds, under which faults, and what does it cost?
#include "sim/cli/program.hpp"

int main(int argc, char** argv) { return holdfast::cli::run_program(argc, argv); }
