#include "sim/cli/session.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <numeric>
#include <system_error>

#include "sim/cli/checkpoint_files.hpp"
#include "sim/cli/company.hpp"
#include "sim/cli/program.hpp"
#include "sim/process/interruption.hpp"
#include "sim/scenario/nearest.hpp"

namespace holdfast::cli {
namespace {

// When the first signal came, in milliseconds of the steady clock; 0: none has come.
std::atomic<std::int64_t> interrupted_at = 0;
// People who press Ctrl-C twice in a hurry mean it once.
constexpr std::int64_t patience_ms = 1000;

// A terminal, timeout(1), docker, Slurm, Kubernetes and a closed terminal send these. SIGUSR1 is passed on by
// mpirun, which ends its processes a second after the others.
constexpr int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
// What nohup(1) started survives its terminal.
const bool is_nohup = [] {
  struct sigaction now {};
  return sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}();

std::filesystem::path beside_program(const char* place) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return (program.parent_path() / place).lexically_normal();
}

// A supervisor and a closing terminal send several signals, and all mean the same: only a second Ctrl-C does
// not wait until what was found is saved.
void on_interrupt(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);  // which a handler may call
  const std::int64_t ms = std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000 + 1;
  std::int64_t first = 0;
  if (interrupted_at.compare_exchange_strong(first, ms)) return;
  if (signal == SIGINT && ms - first >= patience_ms) std::_Exit(exit_interrupted);
}

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

// mpirun gives its processes terminals of its own, wherever it writes what comes out of them.
bool is_terminal(int descriptor) { return isatty(descriptor) != 0 && company() == nullptr; }

std::size_t width_of(int descriptor) {
  winsize size{};
  if (is_terminal(descriptor) && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  const std::string_view text = environment("COLUMNS");
  std::uint16_t columns = 0;
  std::from_chars(text.data(), text.data() + text.size(), columns);
  return columns > 0 ? columns : 100;
}

// The first of these that says something decides, as in setlocale(3). Where none does, as in most containers,
// terminals show UTF-8 all the same.
bool is_ascii_locale() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const std::string_view value = environment(name); !value.empty())
      return value == "C" || value == "POSIX";
  return false;
}

std::string reason_of_failure() { return std::generic_category().message(errno); }

std::filesystem::path lessons_elsewhere;

constexpr std::size_t file_size_max = 256u << 20;

// Of a time that is guessed nobody wants the seconds when there are many.
std::string time_left(double seconds) {
  return seconds < 90 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

}  // namespace

reports::Terminal terminal_of(const Output& options) {
  reports::Terminal terminal;
  terminal.width = options.width.value_or(static_cast<std::uint32_t>(width_of(STDOUT_FILENO)));
  const bool automatic =
      is_terminal(STDOUT_FILENO) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  terminal.colour = options.color == "always" || (options.color == "auto" && automatic);
  terminal.ascii = options.ascii || is_ascii_locale();
  terminal.brief = is_terminal(STDOUT_FILENO);
  return terminal;
}

reports::Language language_of(const Telling& options) {
  return *from_id<reports::Language>(reports::language_ids, options.language);
}

std::string read_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw UserError(exit_missing_file, fmt::format("{}: no such file", path));
  if (std::filesystem::is_directory(path, error))
    throw UserError(exit_bad_file, fmt::format("{}: is a directory", path));
  std::ifstream in(path, std::ios::binary);
  std::string text;
  std::array<char, 1 << 16> block{};
  while (in.read(block.data(), block.size()),
         in.gcount() > 0) {  // the size of a device or a pipe is not known before
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > file_size_max)
      throw UserError(exit_bad_file, fmt::format("{}: larger than 256 MiB", path));
  }
  if (!in.is_open() || in.bad()) throw UserError(exit_missing_file, fmt::format("{}: cannot be read", path));
  return text;
}

void prepare_directory(const std::string& path, std::string_view option) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || access(path.c_str(), W_OK | X_OK) != 0)
    throw UserError(exit_missing_file,
                    fmt::format("\"{}\": no directory that can be written to: {} ({} DIR)", path,
                                error ? error.message() : reason_of_failure(), option));
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  errno = 0;
  // Two commands may write one file at once; the last one's is there, whole.
  const std::string part = fmt::format("{}.{}-{}.part", path.string(), getpid(), gettid());
  std::ofstream out(part, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (out && std::rename(part.c_str(), path.c_str()) == 0) return;
  const std::string reason = reason_of_failure();
  std::remove(part.c_str());
  throw UserError(exit_missing_file, fmt::format("{}: cannot be written: {}", path.string(), reason));
}

std::string in_file_name(std::string_view id) {
  std::string name(id.substr(id.starts_with('/') ? 1 : 0));
  std::replace_if(
      name.begin(), name.end(), [](char letter) { return letter == '/' || letter == ' '; }, '-');
  return name;
}

void set_lessons_directory(const char* path) { lessons_elsewhere = path; }

std::filesystem::path project_directory() { return beside_program(HOLDFAST_PROJECT); }

std::filesystem::path lessons_directory() {
  std::error_code error;
  if (!lessons_elsewhere.empty()) return lessons_elsewhere;
  for (const std::filesystem::path& place :
       {project_directory() / "scenarios/lessons", beside_program("../share/holdfast/scenarios/lessons")})
    if (std::filesystem::is_directory(place, error)) return place;
  throw UserError(exit_missing_file, "the lessons are not where this program was built or installed");
}

std::vector<std::string> lesson_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(lessons_directory()))
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const auto close = nearest(word, candidates);
  return close ? fmt::format(" — did you mean \"{}\"?", *close) : std::string();
}

std::vector<std::string_view> matching(std::string_view option, const std::vector<std::string>& only,
                                       const std::vector<std::string>& except,
                                       const std::vector<std::string_view>& candidates) {
  const auto matches = [](const std::string& glob, std::string_view word) {
    return fnmatch(glob.c_str(), std::string(word).c_str(), 0) == 0;
  };
  for (const auto* globs : {&only, &except})
    for (const std::string& glob : *globs)
      if (std::none_of(candidates.begin(), candidates.end(), [&](auto word) { return matches(glob, word); }))
        throw UserError(exit_usage, fmt::format("{}: \"{}\" matches nothing{} · there are: {}", option, glob,
                                                did_you_mean(glob, candidates), fmt::join(candidates, ", ")));
  std::vector<std::string_view> words;
  for (const std::string_view word : candidates) {
    const auto hit = [&](const std::string& glob) { return matches(glob, word); };
    if (!only.empty() && std::none_of(only.begin(), only.end(), hit)) continue;
    if (std::any_of(except.begin(), except.end(), hit)) continue;
    words.push_back(word);
  }
  if (words.empty()) throw UserError(exit_usage, "--except leaves nothing");
  return words;
}

Session::Session(const Running& options) : limit_(options.budget) {
  const bool terminal = is_terminal(STDERR_FILENO) && environment("TERM") != "dumb";
  if (options.progress == "auto") show_ = terminal ? Show::bar : Show::lines;
  else
    show_ = options.progress == "bar" ? Show::bar : options.progress == "plain" ? Show::lines : Show::nothing;
  if (!options.resume.empty()) checkpoints_ = std::make_unique<CheckpointFiles>(options.resume);
  watch_company(options.resume);
  for (const int signal : ending) std::signal(signal, on_interrupt);
  process::interrupt_when([this] { return is_interrupted(); });
  if (is_nohup) std::signal(SIGHUP, SIG_IGN);
}

Session::~Session() {
  end_progress();
  process::interrupt_when(nullptr);
  for (const int signal : ending) std::signal(signal, SIG_DFL);
  if (is_nohup) std::signal(SIGHUP, SIG_IGN);
}

double Session::seconds() const { return std::chrono::duration<double>(RealClock::now() - begin_).count(); }
bool Session::is_watched() const { return is_terminal(STDOUT_FILENO); }
bool Session::is_interrupted() const { return interrupted_at.load(std::memory_order_relaxed) != 0; }

Budget Session::budget() {
  const auto is_exhausted = [this] {
    show();
    return is_interrupted() || (limit_ && seconds() > std::chrono::duration<double>(*limit_).count());
  };
  return Budget{is_exhausted, [this] { return seconds(); }, checkpoints_.get()};
}

Budget Session::shared_budget() {
  Budget shared = budget();
  shared.ranks = company();
  return shared;
}

void Session::expect_jobs(std::size_t jobs, std::string noun) {
  const std::scoped_lock hold(mutex_);
  jobs_ = jobs;
  done_ = 0;
  transitions_ = 0;
  jobs_begin_ = RealClock::now();
  is_open_ended_ = false;
  noun_ = std::move(noun);
}

void Session::expect_any_jobs(std::string noun) {
  expect_jobs(1, std::move(noun));
  const std::scoped_lock hold(mutex_);
  is_open_ended_ = true;
}

void Session::expect_parts(std::vector<double> shares) {
  const std::scoped_lock hold(mutex_);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  shares_ = std::move(shares);
  part_ = 0;
}

void Session::begin_part(std::size_t part) {
  const std::scoped_lock hold(mutex_);
  part_ = std::max(part_, part);
}

void Session::begin_last_part() {
  if (!shares_.empty()) begin_part(shares_.size() - 1);
}

// Of all that the command has to do. REQUIRES: mutex_ is held.
double Session::share_done() const {
  const double of_part = jobs_ == 0 ? 0 : static_cast<double>(done_) / static_cast<double>(jobs_);
  if (part_ >= shares_.size()) return shares_.empty() ? of_part : 1;
  return std::accumulate(shares_.begin(), shares_.begin() + static_cast<std::ptrdiff_t>(part_), 0.0) +
         shares_[part_] * of_part;
}

void Session::note_done(const Effort& effort) {
  {
    const std::scoped_lock hold(mutex_);
    ++done_;
    transitions_ += effort.transitions;
  }
  show();
}

void Session::end_progress() {
  end_bar();
  const std::scoped_lock hold(mutex_);
  jobs_ = 0;
}

void Session::end_bar() {
  const std::scoped_lock hold(mutex_);
  if (bar_on_screen_) std::fputs("\r\x1b[K", stderr);
  bar_on_screen_ = false;
}

// In ASCII, independent of stdout. REQUIRES: mutex_ is held.
std::string Session::progress(Length length) const {
  const double spent = std::chrono::duration<double>(RealClock::now() - jobs_begin_).count();
  if (is_open_ended_) return fmt::format("{} {}, {:.0f} s", done_, noun_, seconds());
  std::string state = fmt::format("{}/{} {}, {:.0f} s", done_, jobs_, noun_, seconds());
  const double share = share_done();
  if (share <= 0) return state;
  if (transitions_ > 0 && length == Length::whole) {
    const double steps = static_cast<double>(transitions_);
    state += fmt::format(", {:.1f} M steps at {:.2f} M/s", steps / 1e6, steps / 1e6 / spent);
  }
  const double left = (shares_.empty() ? spent : seconds()) / share * (1 - share);
  // Without room for all, the remaining time is the most useful.
  const std::string rest = "about " + time_left(left) + " left";
  if (length == Length::shortest) return fmt::format("{}/{}, {}", done_, jobs_, rest);
  // The jobs are counted anew in each part; the share is of all.
  if (!shares_.empty()) state += fmt::format(", {:.0f} % of all", 100 * share);
  return fmt::format("{}, {}", state, rest);
}

void Session::show() {
  if (show_ == Show::nothing) return;
  const std::scoped_lock hold(mutex_);
  const RealClock::time_point now = RealClock::now();
  if (jobs_ == 0 ||
      now - shown_ < (show_ == Show::bar ? RealClock::duration(100ms) : RealClock::duration(10s)))
    return;
  shown_ = now;
  std::string state = progress(Length::whole);
  if (show_ == Show::lines) {
    std::fputs((state + "\n").c_str(), stderr);
    return;
  }
  // One line that does not wrap: what has no room is left out, the speed first, then words, then the bar.
  constexpr std::size_t length = 20;
  const std::size_t width = width_of(STDERR_FILENO) - 1;
  const std::size_t room = is_open_ended_ || width < length + 3 ? width : width - length - 3;
  for (const Length shorter : {Length::without_speed, Length::shortest})
    if (state.size() > room) state = progress(shorter);
  const auto filled = std::min(length, static_cast<std::size_t>(length * share_done()));
  if (state.size() <= room && !is_open_ended_)
    state = fmt::format("[{}{}] {}", std::string(filled, '#'), std::string(length - filled, ' '), state);
  // A terminal that was closed takes nothing: the search ends all the same, and saves what it knows.
  std::fputs(("\r\x1b[K" + state.substr(0, width)).c_str(), stderr);
  bar_on_screen_ = true;
  std::fflush(stderr);
}

}  // namespace holdfast::cli
