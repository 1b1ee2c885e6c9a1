#include "sim/process/guest.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>

#include "sim/guest/program.hpp"
#include "sim/process/calls.hpp"
#include "sim/process/interruption.hpp"
#include "sim/process/signals.hpp"

namespace holdfast::process {
namespace {

using guest::Unusable;

constexpr Ns slack_of_a_wait = 50 * microsecond;
constexpr Ns a_millisecond = 1'000 * microsecond;
// Of one thread, which does nothing else meanwhile that is supervised. Some spin for some microseconds, and
// nobody for as long as the last ones take.
constexpr std::uint32_t looks_without_moving = 1'000;
constexpr std::uint32_t looks_max = 20'000;
constexpr std::uint64_t calls_in_step_max = 2'000'000;
// Of its processor time, in one step: how fast the machine is and what else it does is no fault of the guest.
constexpr Ns patience_max = 20 * second;
// In real time: a guest that does not run at all.
constexpr auto real_patience_max = std::chrono::minutes(10);

// Programs of Go carry this text (Go, debug/buildinfo). Looked for once in each.
bool is_of_go(int pid) {
  static std::map<std::string, bool> known;
  const std::string link = fmt::format("/proc/{}/exe", pid);
  std::array<char, 4096> path{};
  if (readlink(link.c_str(), path.data(), path.size() - 1) < 0) return false;
  const auto [place, is_new] = known.emplace(path.data(), false);
  if (!is_new) return place->second;
  std::ifstream file(link, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return place->second = text.find("\xff Go buildinf:") != text.npos;
}

}  // namespace

Guest::Guest(Tree& tree, std::uint64_t seed, std::uint64_t chance, GuestClock clock, Permissions permissions)
    : tree_(tree),
      random_(seed),
      identity_(chance),
      clock_(clock),
      permissions_(permissions),
      sockets_(permissions.first_port, permissions.servers) {
  tree_.expect(*this);
}

Guest::~Guest() {
  process_.kill_and_wait();
  tree_.forget(*this);
}

void Guest::begin_as(int pid) {
  process_ = Process(pid);
  if (pid == tree_.pid()) {
    stdio_ = tree_.take_stdio();
    return;
  }
  Pair stdio = connected_pair();
  stdio_ = std::move(stdio.ours);
  stdio_of_guest_ = std::move(stdio.theirs);
}

void Guest::refuse(const Asked& asked, std::string_view why) const {
  throw Unusable(fmt::format("it makes the system call {}: {}", name_of(asked.call), why));
}

void Guest::handle(const Asked& asked) {
  ++calls_[asked.call];
  if (asked.call != SYS_clock_gettime && asked.call != SYS_gettimeofday && asked.call != SYS_time)
    looks_.erase(asked.tid);
  if (++calls_in_step_ > calls_in_step_max)
    refuse(asked, fmt::format("{} calls, and it does not come to rest", calls_in_step_max));
  if (stdio_of_guest_.is_open()) {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO}) tree_.give(asked, stdio_of_guest_.get(), stream);
    stdio_of_guest_.close();
  }
  switch (treatment_of(asked.call)) {
    case Treatment::native: return tree_.let(asked);
    case Treatment::ignored: return tree_.answer(asked, 0);
    case Treatment::missing: return tree_.fail(asked, ENOSYS);
    case Treatment::read_only: written_.push_back(name_of(asked.call)); return tree_.fail(asked, EROFS);
    case Treatment::waited: return begin_wait(asked);
    case Treatment::answered: return answer(asked);
    case Treatment::unknown: break;
  }
  refuse(asked, "no row of the table knows it");
}

void Guest::answer(const Asked& asked) {
  switch (asked.call) {
    case SYS_clock_gettime:
    case SYS_gettimeofday:
    case SYS_time: look(asked); return answer_clock(asked, clock_, process_, tree_);
    case SYS_clock_getres:
    case SYS_getrusage:
    case SYS_times: return answer_use(asked, process_, tree_);
    case SYS_getrandom: {
      const std::string bytes = random_bytes(std::min<std::uint64_t>(asked.arguments[1], 65'536));
      process_.write(asked.arguments[0], bytes.data(), bytes.size());
      return tree_.answer(asked, static_cast<std::int64_t>(bytes.size()));
    }
    case SYS_getpid: return tree_.answer(asked, identity_.process());
    case SYS_gettid: return tree_.answer(asked, identity_.thread(asked.tid, process_));
    case SYS_getppid: return tree_.answer(asked, 0);
    case SYS_uname: return answer_uname(asked, identity_, process_, tree_);
    case SYS_sysinfo:
      note_reading(ClockKind::steady);
      return answer_sysinfo(asked, clock_.shown(ClockKind::steady) / second, process_, tree_);
    case SYS_readlink:
    case SYS_readlinkat: return answer_readlink(asked, identity_, process_, tree_);
    case SYS_kill:
    case SYS_tkill:
    case SYS_tgkill: return signal_itself(asked);
    case SYS_socket: return sockets_.open(asked, tree_);
    case SYS_connect: return sockets_.connect(asked, tree_, process_);
    case SYS_getsockname:
    case SYS_getpeername: return sockets_.tell_name(asked, tree_, process_);
    case SYS_getsockopt: return sockets_.tell_option(asked, tree_, process_);
    case SYS_open:
    case SYS_openat:
    case SYS_creat: return open_file(asked);
    case SYS_clone:
    case SYS_fork:
    case SYS_vfork: return begin_process(asked);
    case SYS_execve: return execute(asked);
    case SYS_setitimer:
    case SYS_getitimer:
    case SYS_alarm:
    case SYS_timer_create: return begin_timer(asked);
    default: return finish(asked);  // exit_group
  }
}

// A thread that asks again and again waits for the clock to move, and none stands still.
void Guest::look(const Asked& asked) {
  if (const std::optional<ClockKind> kind = clock_of(asked)) note_reading(*kind);
  const std::uint32_t looks = ++looks_[asked.tid];
  if (looks > looks_without_moving) clock_.slack += microsecond;
  if (looks > looks_max)
    refuse(asked, fmt::format("{} times, and nothing else: it waits for its clock in a loop; let it sleep",
                              looks_max));
}

void Guest::begin_wait(const Asked& asked) {
  const Limit limit = limit_of(asked, process_);
  Wait wait{.number = waits_made_ + 1, .asked = asked};
  Ns span = limit.time;
  if (limit.kind == Limit::Kind::wall || limit.kind == Limit::Kind::steady) {
    const ClockKind kind = limit.kind == Limit::Kind::wall ? ClockKind::wall : ClockKind::steady;
    span = clock_.until(kind, limit.time);
    note_reading(kind);
  }
  if (is_of_go_ && asked.call == SYS_nanosleep) overseer_ = asked.tid;
  if (limit.kind != Limit::Kind::never && asked.tid != overseer_) {
    wait.span = span;
    wait.until = clock_.time() + span;
    wait.is_over = span <= 0;
  }
  if (try_to_end(wait, process_, tree_)) return;
  ++waits_made_;
  waits_.push_back(wait);
}

bool Guest::end_one_wait() {
  const auto ended = std::find_if(waits_.begin(), waits_.end(),
                                  [&](const Wait& wait) { return try_to_end(wait, process_, tree_); });
  if (ended == waits_.end()) return false;
  waits_.erase(ended);
  return true;
}

void Guest::begin_process(const Asked& asked) {
  constexpr std::uint64_t thread = 0x00010000;  // CLONE_THREAD
  if (asked.call == SYS_clone && (asked.arguments[0] & thread) != 0) {
    may_have_threads_ = true;
    return tree_.let(asked);
  }
  if (!permissions_.may_fork)
    refuse(asked, "it begins another process; is the command a wrapper? Name the program itself");
  tree_.let(asked);
}

void Guest::execute(const Asked& asked) {
  if (was_told_ || process_.pid() != tree_.pid()) refuse(asked, "another program, once it is at work");
  struct Context {
    const Tree& tree;
    const Asked& asked;
  } context{tree_, asked};
  const bool was_executed = execute_without_vdso(
      process_.pid(), tree_.listener(), random_, is_traced_,
      [](void* it) {
        const auto& [tree, call] = *static_cast<Context*>(it);
        tree.let(call);
      },
      &context);
  if (was_executed) is_of_go_ = is_of_go(process_.pid());
}

// Timers that only take turns between threads, or count processor time, which is never used, never fire.
void Guest::begin_timer(const Asked& asked) {
  const auto& [first, second_one, third, fourth, fifth, sixth] = asked.arguments;
  if (asked.call == SYS_timer_create) {
    // struct sigevent (Linux, sigevent(7)): value, signal, notify.
    const int signal = second_one == 0 ? SIGALRM : process_.value_at<std::array<int, 4>>(second_one)[2];
    if (signal != SIGVTALRM && signal != SIGPROF) refuse(asked, "a timer that rings is not supervised");
    process_.put(third, 1);
    return tree_.answer(asked, 0);
  }
  const bool rings = asked.call == SYS_alarm ? first != 0
                     : asked.call == SYS_setitimer && first == ITIMER_REAL && second_one != 0
                         ? process_.value_at<itimerval>(second_one).it_value.tv_sec != 0 ||
                               process_.value_at<itimerval>(second_one).it_value.tv_usec != 0
                         : false;
  if (rings) refuse(asked, "a timer that rings is not supervised");
  tree_.answer(asked, 0);
}

// Its connections close while it ends: what comes after that can be relied on.
void Guest::finish(const Asked& asked) {
  is_finished_ = true;
  waits_.clear();
  tree_.let(asked);
  constexpr int patience = 5'000;
  pollfd end{process_.descriptor(), POLLIN, 0};
  poll(&end, 1, patience);
}

std::string Guest::end_in_words() const {
  return ended_by_ == 0 ? tree_.end_in_words() : Tree::end_in_words(ended_by_);
}

void Guest::signal_itself(const Asked& asked) {
  ended_by_ = answer_signal(asked, identity_, process_, tree_);
  if (ended_by_ == 0) return;
  is_finished_ = true;
  waits_.clear();
  process_.kill_and_wait();
}

bool Guest::do_threads_rest() const {
  const auto waits = [&](int tid) {
    return std::any_of(waits_.begin(), waits_.end(), [&](const Wait& wait) { return wait.asked.tid == tid; });
  };
  if (!may_have_threads_ && waits(process_.pid())) return true;
  return process_.pid() != 0 && process_.does_sleep(waits);
}

bool Guest::await_call(int patience) {
  std::array<pollfd, 2> events{pollfd{tree_.listener(), POLLIN, 0}, pollfd{process_.descriptor(), POLLIN, 0}};
  if (poll(events.data(), process_.pid() == 0 ? 1 : 2, patience) <= 0) return false;
  if (process_.pid() != 0 && (events[1].revents & POLLIN) != 0 && (events[0].revents & POLLIN) == 0) {
    is_finished_ = true;
    waits_.clear();
  }
  return true;
}

void Guest::run() {
  calls_in_step_ = 0;
  looks_.clear();
  const auto begin = std::chrono::steady_clock::now();
  const Ns used_before = process_.processor_time();
  for (int patience = 0; !is_finished_;) {
    if (tree_.serve_one()) {
      if (is_interrupted()) throw Interrupted();
      patience = 0;
      continue;
    }
    if (do_threads_rest()) {
      // What another thread did meanwhile may have ended a wait; and it may just have asked.
      if (tree_.serve_one() || end_one_wait() || oversee()) continue;
      return;
    }
    if (is_interrupted()) throw Interrupted();
    if (process_.processor_time() - used_before > patience_max)
      throw Unusable(fmt::format("it computes for {} s of processor time, and neither asks nor rests{}",
                                 patience_max / second, last_errors()));
    if (std::chrono::steady_clock::now() - begin > real_patience_max)
      throw Unusable(
          fmt::format("it neither asks nor rests for {} min{}", real_patience_max.count(), last_errors()));
    await_call(patience);
    patience = std::min(patience + 1, 20);
  }
}

// A thread of Go's runtime naps, looks after the others, and naps again, for ever. Its naps are no waits of
// the program: once in each step, when all others rest, it looks.
bool Guest::oversee() {
  const auto nap = std::find_if(waits_.begin(), waits_.end(),
                                [&](const Wait& wait) { return wait.asked.tid == overseer_; });
  if (nap == waits_.end() || !std::exchange(may_oversee_, false)) return false;
  nap->is_over = true;
  return end_one_wait();
}

void Guest::tell_line(const std::string& line) {
  was_told_ = true;
  const std::string text = line + "\n";
  if (send(stdio_.get(), text.data(), text.size(), MSG_NOSIGNAL) < 0)
    throw Unusable("it does not read its standard input" + last_errors());
}

void Guest::end_wait(std::uint32_t number) {
  const auto found =
      std::find_if(waits_.begin(), waits_.end(), [&](const Wait& wait) { return wait.number == number; });
  if (found == waits_.end()) return;
  found->is_over = true;
  const Ns before = clock_.time();
  if (clock_.told == guest::TimeToTell::nothing) clock_.now += std::max<Ns>(0, found->until - before);
  clock_.settle(before);
  clock_.slack += slack_of_a_wait;
}

void Guest::begin_step(const guest::Told& event) {
  may_oversee_ = true;
  const Ns before = clock_.time();
  if (event.elapsed >= 0) clock_.now = event.elapsed * microsecond;
  if (event.wall >= 0) clock_.wall = event.wall * microsecond;
  if (event.elapsed >= 0) clock_.set_by = event.set_by * microsecond;
  reads_ = guest::TimeToTell::nothing;
  Ns late = clock_.late_by_step;
  // What would be over by then would have woken it.
  for (const Wait& wait : waits_)
    if (wait.span && clock_.told == guest::TimeToTell::nothing)
      late = std::min(late, wait.until - clock_.time() - a_millisecond);
  clock_.late += std::max<Ns>(0, late);
  clock_.settle(before);
}

std::vector<std::string> Guest::take_lines() {
  std::array<char, 4096> bytes{};
  for (ssize_t count = 0; (count = ::read(stdio_.get(), bytes.data(), bytes.size())) > 0;)
    out_.append(bytes.data(), static_cast<std::size_t>(count));
  std::vector<std::string> lines;
  for (std::size_t end = 0; (end = out_.find('\n')) != out_.npos; out_.erase(0, end + 1)) {
    lines.push_back(out_.substr(0, end));
    if (!lines.back().empty() && lines.back().back() == '\r') lines.back().pop_back();
  }
  return lines;
}

}  // namespace holdfast::process
