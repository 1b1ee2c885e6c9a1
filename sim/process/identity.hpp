// Who a guest is: what tells its process, and the machine that it runs on, from those of all other runs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sim/process/process.hpp"
#include "sim/process/tree.hpp"

namespace holdfast::process {

// Each run of a program is a process of its own on a machine of its own, as in reality those are that share
// nothing but a store. A function of the run's chance.
class Identity {
 public:
  explicit Identity(std::uint64_t chance);

  std::int64_t process() const;
  // Of the thread that is `tid` here: the first one has the number of its process.
  std::int64_t thread(int tid, const Process& process);
  // The thread here that has this number, or that the kernel calls so in the guest's namespace; 0: none has.
  int thread_here(std::int64_t number, const Process& process);
  std::string host() const;
  // What a guest reads in the file `path`; nullopt: what is there.
  std::optional<std::string> file(const std::string& path, const Process& process) const;
  // Where `path` leads if it names the guest's own process in /proc; otherwise `path`.
  std::string path_here(const std::string& path, const Process& process) const;

 private:
  std::string bytes_in_hex(std::uint64_t purpose) const;

  std::uint64_t number_;                 // of the run, below 30,000
  std::map<int, std::int64_t> threads_;  // as they are known here
};

// Answers to system calls of the same name.
void answer_uname(const Asked& asked, const Identity& identity, const Process& process, const Tree& tree);
// `uptime`: in seconds.
void answer_sysinfo(const Asked& asked, std::int64_t uptime, const Process& process, const Tree& tree);
// readlink() and readlinkat(): of what names a process by its number.
void answer_readlink(const Asked& asked, Identity& identity, const Process& process, const Tree& tree);

}  // namespace holdfast::process
