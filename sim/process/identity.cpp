#include "sim/process/identity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

namespace holdfast::process {
namespace {

// Every number of a process has as many digits. Linux counts up to 4,194,304 (proc(5), pid_max).
constexpr std::uint64_t first_process = 1'000'000;
constexpr std::uint64_t threads_max = 100;
constexpr std::uint64_t numbers = 30'000;
constexpr std::uint64_t first_host = 10'000;
// When it began, in hundredths of a second since its machine did (proc(5), starttime): before it is told
// anything, which is after 1,000 s.
constexpr std::uint64_t first_start = 60'000;

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// As the guest's namespace calls it; 0: it is gone.
std::int64_t number_in_namespace(int pid, int tid) {
  std::istringstream status(text_of(fmt::format("/proc/{}/task/{}/status", pid, tid)));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("NSpid:")) return std::stoll(line.substr(line.find_last_of(" \t") + 1));
  return 0;
}

// Nothing that it says of use differs between two runs (proc(5), /proc/pid/stat): from the field after the
// name on.
std::string stat_with(const std::string& text, std::int64_t process, std::uint64_t start) {
  const std::size_t begin = text.find('(');
  const std::size_t end = text.rfind(')');
  if (begin == text.npos || end == text.npos) return text;
  std::istringstream rest(text.substr(end + 1));
  std::vector<std::string> fields{std::istream_iterator<std::string>(rest), {}};
  constexpr std::size_t first_field = 3;
  for (std::size_t field = first_field; field < first_field + fields.size(); ++field) {
    std::string& value = fields[field - first_field];
    if (field == 5 || field == 6) value = std::to_string(process);  // group and session
    else if (field == 22) value = std::to_string(start);
    else if (field != 3 && (field < 17 || field > 20)) value = "0";
  }
  return fmt::format("{} {} {}\n", process, text.substr(begin, end + 1 - begin), fmt::join(fields, " "));
}

std::string status_with(const std::string& text, std::int64_t process) {
  std::istringstream lines(text);
  std::string changed;
  for (std::string line; std::getline(lines, line); changed += '\n') {
    const std::string name = line.substr(0, line.find(':'));
    const bool is_number = name == "Pid" || name == "Tgid" || name.starts_with("NS");
    const bool is_use = name.starts_with("Vm") || name.starts_with("Rss") || name.ends_with("ctxt_switches");
    if (is_number) changed += fmt::format("{}:\t{}", name, process);
    else if (name == "PPid") changed += "PPid:\t0";
    else if (is_use) changed += name + ":\t0" + (name.ends_with("switches") ? "" : " kB");
    else changed += line;
  }
  return changed;
}

}  // namespace

// Another for each of the first runs of the first clients (core/program_random.hpp).
Identity::Identity(std::uint64_t chance) {
  constexpr std::uint64_t clients = 128;
  number_ = (chance % (std::uint64_t{1} << 32) + (chance >> 32) * clients) % numbers;
}

std::int64_t Identity::process() const {
  return static_cast<std::int64_t>(first_process + number_ * threads_max);
}

std::string Identity::host() const { return fmt::format("host{}", first_host + number_); }

// Threads are numbered when one is first asked about, in the order in which they began.
std::int64_t Identity::thread(int tid, const Process& process) {
  if (threads_.empty()) threads_[process.pid()] = this->process();
  if (const auto known = threads_.find(tid); known != threads_.end()) return known->second;
  std::vector<int> all = threads_of(process.pid());
  std::sort(all.begin(), all.end());
  for (const int each : all)
    threads_.try_emplace(each, this->process() + static_cast<std::int64_t>(threads_.size()));
  return threads_.try_emplace(tid, this->process() + static_cast<std::int64_t>(threads_.size()))
      .first->second;
}

int Identity::thread_here(std::int64_t number, const Process& process) {
  for (const int tid : threads_of(process.pid()))
    if (thread(tid, process) == number || number_in_namespace(process.pid(), tid) == number) return tid;
  return 0;
}

// SplitMix64, twice.
std::string Identity::bytes_in_hex(std::uint64_t purpose) const {
  std::string hex;
  for (std::uint64_t half = 1; half <= 2; ++half) {
    std::uint64_t word = (number_ * 8 + purpose * 2 + half) * 0x9E3779B97F4A7C15;
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
    word = (word ^ word >> 27) * 0x94D049BB133111EB;
    hex += fmt::format("{:016x}", word ^ word >> 31);
  }
  return hex;
}

std::optional<std::string> Identity::file(const std::string& path, const Process& process) const {
  enum Purpose : std::uint64_t { machine, boot };
  if (path == "/etc/hostname" || path == "/proc/sys/kernel/hostname") return host() + "\n";
  if (path == "/etc/machine-id" || path == "/var/lib/dbus/machine-id") return bytes_in_hex(machine) + "\n";
  if (path == "/proc/sys/kernel/random/boot_id") {
    std::string id = bytes_in_hex(boot);
    for (const std::size_t at : {8, 13, 18, 23}) id.insert(at, "-");
    return id + "\n";
  }
  if (path.starts_with("/sys/class/net/") && path.ends_with("/address"))
    return fmt::format("02:00:00:00:{:02x}:{:02x}\n", number_ >> 8, number_ & 0xFF);
  const std::string here = path_here(path, process);
  const std::string own = fmt::format("/proc/{}/", process.pid());
  if (here == own + "stat") return stat_with(text_of(here), this->process(), first_start + number_);
  if (here == own + "status") return status_with(text_of(here), this->process());
  return std::nullopt;
}

std::string Identity::path_here(const std::string& path, const Process& process) const {
  for (const std::string& own : {std::string("/proc/self/"), fmt::format("/proc/{}/", this->process())})
    if (path.starts_with(own)) return fmt::format("/proc/{}/{}", process.pid(), path.substr(own.size()));
  return path;
}

void answer_uname(const Asked& asked, const Identity& identity, const Process& process, const Tree& tree) {
  utsname names{};
  uname(&names);
  const std::string host = identity.host();
  std::memset(names.nodename, 0, sizeof names.nodename);
  std::memcpy(names.nodename, host.data(), std::min(host.size(), sizeof names.nodename - 1));
  process.put(asked.arguments[0], names);
  tree.answer(asked, 0);
}

// How much memory is free differs from call to call: half of it.
void answer_sysinfo(const Asked& asked, std::int64_t uptime, const Process& process, const Tree& tree) {
  struct sysinfo now {};
  sysinfo(&now);
  struct sysinfo shown {};
  shown.uptime = uptime;
  shown.totalram = now.totalram;
  shown.freeram = now.totalram / 2;
  shown.mem_unit = now.mem_unit;
  shown.procs = 1;
  process.put(asked.arguments[0], shown);
  tree.answer(asked, 0);
}

void answer_readlink(const Asked& asked, Identity& identity, const Process& process, const Tree& tree) {
  const std::size_t first = asked.call == SYS_readlinkat ? 1 : 0;
  const std::string path = process.text_at(asked.arguments[first]);
  std::string target;
  if (path == "/proc/self") target = std::to_string(identity.process());
  else if (path == "/proc/thread-self")
    target = fmt::format("{}/task/{}", identity.process(), identity.thread(asked.tid, process));
  else return tree.let(asked);
  target.resize(std::min<std::size_t>(target.size(), asked.arguments[first + 2]));
  process.write(asked.arguments[first + 1], target.data(), target.size());
  tree.answer(asked, static_cast<std::int64_t>(target.size()));
}

}  // namespace holdfast::process
