// holdfast: find out how a distributed lock fails, before production does.
#include "sim/cli/program.hpp"

int main(int argc, char** argv) { return holdfast::cli::run_program(argc, argv); }
