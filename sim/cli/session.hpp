// What a command needs of the outside world: the terminal, real time, Ctrl-C, files.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/language.hpp"
#include "reports/terminal.hpp"
#include "sim/cli/options.hpp"
#include "sim/explore/checkpoints.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast::cli {

// What stdout can show, by --color, --width, --ascii and the environment (NO_COLOR, COLUMNS, LC_ALL).
reports::Terminal terminal_of(const Output& options);
// By --language.
reports::Language language_of(const Telling& options);

// The whole file. Throws UserError: missing, a directory, unreadable, larger than 256 MiB.
std::string read_file(const std::string& path);
// Makes the directory that `option` names, where results are to be saved, before hours are spent on them.
// Throws UserError.
void prepare_directory(const std::string& path, std::string_view option = "-o");
// The file is there whole or not at all. Throws UserError.
void write_file(const std::filesystem::path& path, std::string_view text);

// A lock's id as a part of a file's name: those of scripts are paths.
std::string in_file_name(std::string_view id);

// The sources, if the program lies where it was built.
std::filesystem::path project_directory();
// Where the scenarios that come with holdfast are: in the project, or where it was installed.
std::filesystem::path lessons_directory();
std::vector<std::string> lesson_files();

// The words among `candidates` that match the globs of `only` and none of `except`; all, if `only` is empty.
// Throws UserError for a glob that matches nothing, with the nearest word.
std::vector<std::string_view> matching(std::string_view option, const std::vector<std::string>& only,
                                       const std::vector<std::string>& except,
                                       const std::vector<std::string_view>& candidates);
// " — did you mean "x"?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

// Real time, interruption and progress of one command.
class Session {
 public:
  explicit Session(const Running& options = {});
  ~Session();
  Session(const Session&) = delete;

  // Ends with --budget, and with Ctrl-C, SIGTERM and SIGHUP alike.
  Budget budget();
  // The same, and spaces are explored by all ranks there are, one at a time.
  Budget shared_budget();
  double seconds() const;
  bool is_interrupted() const;
  // stdout is read while it is printed.
  bool is_watched() const;

  // Tells on stderr how far the command is. Its parts come one after the other, each takes about this share
  // of the time, and the bar and the time left are of all of them.
  void expect_parts(std::vector<double> shares);
  void begin_part(std::size_t part);
  void begin_last_part();
  void expect_jobs(std::size_t jobs, std::string noun);
  // The same of jobs of which nobody knows how long the next ones take, or how many there are: no time left
  // is told.
  void expect_any_jobs(std::string noun);
  void note_done(const Effort& effort);
  // Clears the bar, so that results can be printed; it comes again with the next step.
  void end_bar();
  // … and does not.
  void end_progress();

 private:
  void show();
  enum class Length : std::uint8_t { whole, without_speed, shortest };
  std::string progress(Length length) const;
  double share_done() const;
  using RealClock = std::chrono::steady_clock;
  RealClock::time_point begin_ = RealClock::now();
  RealClock::time_point jobs_begin_ = begin_;
  std::vector<double> shares_;  // of the parts; their sum is 1
  std::size_t part_ = 0;        // that has begun
  std::optional<Duration> limit_;
  enum class Show { bar, lines, nothing } show_;
  std::mutex mutex_;
  RealClock::time_point shown_ = begin_;
  bool bar_on_screen_ = false;
  std::string noun_;
  std::size_t jobs_ = 0;
  bool is_open_ended_ = false;
  std::size_t done_ = 0;
  std::uint64_t transitions_ = 0;
  std::unique_ptr<Checkpoints> checkpoints_;  // by --resume
};

}  // namespace holdfast::cli
