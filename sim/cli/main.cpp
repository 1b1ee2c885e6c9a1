// holdfast: which distributed lock really holds, under which faults, and what does it cost?
#include <cstdio>
#include <exception>
#include <string_view>

#include "sim/cli/commands.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast::cli {
namespace {

struct Command {
  std::string_view name;
  int (*perform)(const Options&);
};
constexpr Command commands[] = {
    {"compare", compare}, {"check", check}, {"run", run_files},   {"validate", validate}, {"replay", replay_trace},
    {"show", show_trace}, {"list", list},   {"explain", explain}, {"redis", redis},       {"version", print_version},
};

int perform(int argc, char** argv) {
  const Options options = parse_command_line(argc, argv);
  for (const Command& command : commands)
    if (command.name == options.command) return command.perform(options);
  return exit_as_expected;  // --help and --version have answered already
}

int complain(int code, const char* what) {
  std::fprintf(stderr, "holdfast: %s\n", what);
  return code;
}

}  // namespace
}  // namespace holdfast::cli

int main(int argc, char** argv) {
  using namespace holdfast;
  try {
    return cli::perform(argc, argv);
  } catch (const cli::UserError& error) {
    return cli::complain(error.code(), error.what());
  } catch (const BadParameter& error) {
    return cli::complain(cli::exit_usage, error.what());
  } catch (const Nondeterminism& error) {
    return cli::complain(cli::exit_bug, error.what());
  } catch (const std::exception& error) {
    return cli::complain(cli::exit_bug, error.what());
  }
}
