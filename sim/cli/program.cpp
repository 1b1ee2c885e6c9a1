#include "sim/cli/program.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <system_error>

#include "reports/terminal.hpp"
#include "sim/cli/as_installed.hpp"
#include "sim/cli/company.hpp"
#include "sim/cli/parser.hpp"
#include "sim/cli/told.hpp"
#include "sim/core/beyond_model.hpp"
#include "sim/core/interruption.hpp"
#include "sim/explore/checkpoints.hpp"
#include "sim/explore/explore.hpp"
#include "sim/guest/script.hpp"
#include "sim/guest/twins.hpp"
#include "sim/process/program.hpp"

namespace holdfast::cli {
namespace {

// A standard stream that was closed must not become the file that is opened next. /dev/null, read-only:
// writing to stdout then fails as it should.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", O_RDONLY) != stream) std::_Exit(exit_bug);
}

// `code`, unless stdout could not take all of the results.
int after_writing(int code) {
  errno = 0;
  if (std::cout.flush() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  // What failed before was not told why: once more.
  if (errno == 0) {
    std::cout.clear();
    std::cout.put('\n').flush();
  }
  const int reason = errno;
  struct stat out {};
  // A pipe fails only when its reader has read enough: end as if SIGPIPE were not ignored.
  if (fstat(STDOUT_FILENO, &out) == 0 && (S_ISFIFO(out.st_mode) || S_ISSOCK(out.st_mode)))
    return 128 + SIGPIPE;
  tell("holdfast: stdout: cannot be written{}{}\n", reason == 0 ? "" : ": ",
       reason == 0 ? "" : std::strerror(reason));
  return exit_missing_file;
}

int perform(int argc, char** argv) {
  algorithms::require_sound();
  add_as_installed();
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (Ranks* const ranks = company(); ranks != nullptr && ranks->rank() != 0) return accompany(*ranks, words);
  Parser parser;
  add_commands(parser);
  const Performance chosen = parser.parse(words);
  if (!chosen) return exit_as_expected;
  require_shared(parser.name());
  return chosen();
}

// What a program has said may be anything: a terminal does nothing but show it.
std::string shown(std::string_view text) {
  std::string safe;
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(end)) {
    end = std::min(text.find('\n'), text.size() - 1) + 1;
    const bool is_line = text[end - 1] == '\n';
    safe += reports::printable({}, text.substr(0, end - (is_line ? 1 : 0))) + (is_line ? "\n" : "");
  }
  return safe;
}

int run(int argc, char** argv) {
  try {
    keep_standard_streams();
    // A program that looks at the clock in earnest is told what it shows, from the beginning.
    for (;;) {
      try {
        return after_writing(perform(argc, argv));
      } catch (const guest::TimeMatters& why) {
        if (!process::programs::tell_more_time()) throw;
        tell("holdfast: {}; it is told the time from here on, and everything begins anew\n",
             shown(why.what()));
      } catch (const guest::TextsRepeat& why) {
        const bool is_script = guest::scripts::let_texts_repeat();
        if (!process::programs::let_texts_repeat() && !is_script) throw;
        tell("holdfast: {}; it is explored with texts that repeat, and everything begins anew\n",
             shown(why.what()));
      }
    }
  } catch (...) {
    const Complaint complaint = complaint_of(std::current_exception());
    tell("holdfast: {}\n", shown(complaint.text));
    return complaint.code;
  }
}

}  // namespace

Complaint complaint_of(const std::exception_ptr& error) {
  const auto a_bug = [](const std::exception& what) {
    return Complaint{exit_bug, std::string("a bug in holdfast: ") + what.what()};
  };
  try {
    std::rethrow_exception(error);
  } catch (const UserError& what) {
    return {what.code(), what.what()};
  } catch (const Interrupted& what) {
    return {exit_interrupted, what.what()};
  } catch (const BadCard& what) {
    return {exit_bad_file, what.what()};
  } catch (const BadCheckpoint& what) {
    return {exit_bad_file, std::string("the search that --resume names cannot be read: ") + what.what()};
  } catch (const BeyondModel& what) {
    return {exit_inconclusive, what.what() + std::string("; nothing is said of this lock")};
  } catch (const UnusableLock& what) {
    return {exit_bad_file, what.what()};
  } catch (const BadParameter& what) {
    return {exit_usage, what.what()};
  } catch (const RankFailed& what) {
    return {what.code(), what.what()};
  } catch (const Nondeterminism& what) {
    return {exit_bug, what.what()};
  } catch (const std::system_error& what) {
    return what.code().value() == ENOMEM ? Complaint{exit_missing_file, what.what()} : a_bug(what);
  } catch (const std::bad_alloc&) {
    return {exit_missing_file, "no memory left, or a limit on addresses (ulimit -v) is too low"};
  } catch (const std::exception& what) {
    return a_bug(what);
  }
}

int run_program(int argc, char** argv) {
  const int code = run(argc, argv);
  leave_company();
  return code;
}

}  // namespace holdfast::cli
