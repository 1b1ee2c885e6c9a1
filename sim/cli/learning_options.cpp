// The options of pages, lessons and games.
#include "sim/cli/commands.hpp"
#include "sim/cli/parser.hpp"

namespace holdfast::cli {
namespace {

void add_report(Parser& parser) {
  const auto [app, options] =
      parser.command<ReportOptions>("report", "Writes the pages of saved results: the matrix and its traces.",
                                    "  holdfast report\n"
                                    "  holdfast report holdfast-out\n"
                                    "  holdfast report holdfast-out --site https://example.org/locks/",
                                    report);
  app->add_option("DIR", options.names, "where results are saved; default: holdfast-out")->expected(0, 1);
  app->add_option("--site", options.site,
                  "the address of the pages: each then names a picture for previews of its link")
      ->type_name("URL");
  parser.add_language(app, options, "the language of the texts");
  add_jobs(app, options);
}

void add_lesson(Parser& parser) {
  const auto [app, options] =
      parser.command<LessonOptions>("lesson", "Claims about locks, and the schedules that refute them.",
                                    "  holdfast lesson\n"
                                    "  holdfast lesson 6 --answers\n"
                                    "  holdfast lesson 6 --format html --language zh > lesson-6.html\n"
                                    "  holdfast lesson 6 --format slides > slides-6.html\n"
                                    "  holdfast lesson --pages lessons",
                                    lesson);
  app->add_option("N", options.names, "a number or name; without it: lists all lessons")->expected(0, 1);
  app->add_option("--pages", options.lessons_out,
                  "writes all lessons as pages, with their runs, an index and a plan for a class")
      ->type_name("DIR");
  app->add_flag("--answers", options.answers,
                "text: with the verdict, its run, and the answers to all questions");
  parser.add_output(app, options, {"text", "markdown", "html", "slides"});
  parser.add_language(app, options, "the language of the texts");
  add_jobs(app, options);
}

void add_exercise(Parser& parser) {
  const auto [app, options] =
      parser.command<ExerciseOptions>("exercise",
                                      "Broken locks in Lua to repair; the explorer grades your "
                                      "file.",
                                      "  holdfast exercise\n"
                                      "  holdfast exercise 3\n"
                                      "  holdfast exercise 3 3-look-then-delete.lua\n"
                                      "  holdfast exercise 3 3-look-then-delete.lua --hint 2\n"
                                      "  holdfast exercise --language zh",
                                      exercise);
  app->add_option("N", options.names,
                  "a number: explains the task, and copies the broken lock here; with a FILE: explores that "
                  "file")
      ->expected(0, 2);
  app->add_option("--hint", options.hints, "of a file that does not pass: how many hints, 1 to 3")
      ->type_name("N")
      ->check(CLI::Range(1, 3));
  parser.add_output(app, options, {"text", "json"});
  parser.add_language(app, options, "the language of the texts; diagrams and files are in English");
  add_jobs(app, options);
}

void add_play(Parser& parser) {
  const auto [app, options] =
      parser.command<PlayOptions>("play", "Break a lock yourself: you are the network and the clock.",
                                  "  holdfast play token\n"
                                  "  holdfast play token --faults pause --fault-budget 1",
                                  play);
  add_name(app, options, "LOCK", "its id; see: holdfast list algorithms");
  add_number(app, "--fault-budget", options.fault_budget, 0, 9, "how many faults you have")->default_str("1");
  parser.add_output(app, options, {"text"});
  parser.add_experiment(app, options);
  add_pause(app, options);
  parser.add_running(app, options);
  add_jobs(app, options);
}

void add_serve(Parser& parser) {
  const auto [app, options] =
      parser.command<ServeOptions>("serve", "The pages as a local web application, with the explorer.",
                                   "  holdfast serve\n"
                                   "  holdfast serve --port 0\n"
                                   "  holdfast serve --listen 0.0.0.0:7007\n"
                                   "Without --listen, nobody but this machine can open the pages.",
                                   serve);
  CLI::Option* const port =
      add_number(app, "--port", options.port, 0, 65'535, "at 127.0.0.1; 0: any that is free")
          ->default_str("7007");
  app->add_option("--listen", options.listen,
                  "instead: so that others in the network can use it, too, such as 0.0.0.0:7007")
      ->type_name("ADDRESS:PORT")
      ->excludes(port);
  add_memory(app, options.memory, "room for the states of all explorations together", "2GiB");
  add_duration(app, "--budget", options.budget,
               "the longest exploration, of real time; what is open then is unknown", "10m");
  parser.add_language(app, options, "the language of the pages");
  add_jobs(app, options, "threads of an exploration; else one for each core");
}

}  // namespace

void add_learning(Parser& parser) {
  add_report(parser);
  add_lesson(parser);
  add_exercise(parser);
  add_play(parser);
  add_serve(parser);
}

}  // namespace holdfast::cli
