#include "sim/cli/learning_options.hpp"

#include "sim/cli/usage.hpp"

namespace holdfast::cli {

CLI::App* add_report_command(CLI::App& app, Options& options) {
  CLI::App* command =
      app.add_subcommand("report", "Writes the pages of saved results: the matrix and its traces.");
  command->footer(
      "Examples:\n"
      "  holdfast report\n"
      "  holdfast report holdfast-out");
  command->add_option("DIR", options.names, "where results are saved; else holdfast-out")->expected(0, 1);
  return command;
}

CLI::App* add_lesson_command(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand("lesson", "Claims about locks, and the schedules that refute them.");
  command->footer(
      "Examples:\n"
      "  holdfast lesson\n"
      "  holdfast lesson 6 --answers\n"
      "  holdfast lesson 6 --format html --language zh > lesson-6.html\n"
      "  holdfast lesson 6 --format slides > slides-6.html\n"
      "  holdfast lesson --pages lessons");
  command->add_option("N", options.names, "a number or name; without it: what there is")->expected(0, 1);
  command
      ->add_option("--pages", options.lessons_out,
                   "writes all lessons as pages that lead to each other, and to their runs")
      ->type_name("DIR");
  command->add_flag("--answers", options.answers, "text: with the answers to the questions");
  return command;
}

CLI::App* add_exercise_command(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand("exercise", "Broken locks in Lua to repair; your file is graded.");
  command->footer(
      "Examples:\n"
      "  holdfast exercise\n"
      "  holdfast exercise 3\n"
      "  holdfast exercise 3 3-look-then-delete.lua");
  command
      ->add_option("N", options.names,
                   "a number: explains the task, and copies the broken lock here; with a FILE: explores that")
      ->expected(0, 2);
  return command;
}

CLI::App* add_play_command(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand("play", "Break a lock yourself: you are the network and the clock.");
  command->footer(
      "Examples:\n"
      "  holdfast play token\n"
      "  holdfast play token --faults pause --fault-budget 1");
  command->add_option("ALG", options.names, "its id; see: holdfast list algorithms")->required()->expected(1);
  const auto set = [&options](const std::string& text) {
    options.fault_budget = static_cast<std::uint32_t>(whole_number("--fault-budget", text, 0, 9));
  };
  command->add_option_function<std::string>("--fault-budget", set, "how many faults you have")
      ->type_name("N")
      ->default_str("1");
  return command;
}

}  // namespace holdfast::cli
