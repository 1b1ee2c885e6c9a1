#include "sim/process/signals.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

namespace holdfast::process {
namespace {

// What signal(7) calls Ign and Stop.
constexpr int without_end[] = {SIGCHLD, SIGURG, SIGWINCH, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};

// The process has nothing to say about it, and it is none that others survive.
bool would_end(int signal, int pid, int tid) {
  if (std::find(std::begin(without_end), std::end(without_end), signal) != std::end(without_end))
    return false;
  std::ifstream status(fmt::format("/proc/{}/task/{}/status", pid, tid));
  for (std::string line; std::getline(status, line);) {
    const bool spares =
        line.starts_with("SigBlk:") || line.starts_with("SigIgn:") || line.starts_with("SigCgt:");
    constexpr int hexadecimal = 16;
    const std::size_t value = std::string_view("SigBlk:\t").size();
    if (spares && (std::stoull(line.substr(value), nullptr, hexadecimal) >> (signal - 1) & 1U) != 0)
      return false;
  }
  return true;
}

}  // namespace

int answer_signal(const Asked& asked, Identity& identity, const Process& process, const Tree& tree) {
  const auto argument = [&](std::size_t i) { return static_cast<std::int32_t>(asked.arguments[i]); };
  const bool is_for_all = asked.call == SYS_kill;
  const int signal = argument(asked.call == SYS_tgkill ? 2 : 1);
  int tid = 0;
  if (is_for_all) {
    if (argument(0) == identity.process()) tid = process.pid();
  } else {
    tid = identity.thread_here(argument(asked.call == SYS_tgkill ? 1 : 0), process);
  }
  if (tid == 0 || signal < 0 || signal >= NSIG) return tree.let(asked), 0;
  // Nothing could wake it again.
  if (signal == SIGSTOP) return tree.answer(asked, 0), 0;
  if (signal != 0 && would_end(signal, process.pid(), is_for_all ? asked.tid : tid)) return signal;
  const bool was_sent = (is_for_all ? kill(process.pid(), signal)
                                    : static_cast<int>(syscall(SYS_tgkill, process.pid(), tid, signal))) == 0;
  if (was_sent) tree.answer(asked, 0);
  else tree.fail(asked, errno);
  return 0;
}

}  // namespace holdfast::process
