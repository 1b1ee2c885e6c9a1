// One process under supervision: what it is told and says on standard input and output, its connections, its
// waits, and the time that it is shown.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/process/clocks.hpp"
#include "sim/process/identity.hpp"
#include "sim/process/launch.hpp"
#include "sim/process/process.hpp"
#include "sim/process/sockets.hpp"
#include "sim/process/tree.hpp"
#include "sim/process/waits.hpp"

namespace holdfast::process {

// What a guest may do.
struct Permissions {
  int first_port = 0;  // on 127.0.0.1, of the first server
  int servers = 1;
  bool may_fork = false;  // it is a zygote: its processes are guests of their own
};

class Guest {
 public:
  // It begins with the next new process of the tree. `chance`: of the run (core/program_random.hpp); who
  // it is differs by that.
  Guest(Tree& tree, std::uint64_t seed, std::uint64_t chance, GuestClock clock, Permissions permissions);
  // Kills it.
  ~Guest();
  Guest(const Guest&) = delete;

  // For the tree: what it has asked.
  void begin_as(int pid);
  void has_threads() { may_have_threads_ = true; }
  void let_it_fork() { permissions_.may_fork = true; }
  void handle(const Asked& asked);

  // Goes on until all of its threads wait. Throws guest::Unusable.
  void run();
  void tell_line(const std::string& line);
  // The wait is over. Nothing happens if there is none of this number.
  void end_wait(std::uint32_t number);
  // Before anything is told: the time at which it happens, as far as `event` says.
  void begin_step(const guest::Told& event);

  // Whole lines of its standard output since the last call.
  std::vector<std::string> take_lines();
  Sockets& sockets() { return sockets_; }
  const std::list<Wait>& waits() const { return waits_; }
  bool is_finished() const { return is_finished_; }
  std::string last_errors() const { return tree_.last_errors(); }
  // REQUIRES: is_finished().
  std::string end_in_words() const;
  // How often it made each system call that was not native.
  const std::map<int, std::uint64_t>& calls() const { return calls_; }
  // Files that it wanted to write.
  const std::vector<std::string>& written() const { return written_; }
  bool may_have_threads() const { return may_have_threads_; }
  bool has_ioredis() const { return has_ioredis_; }
  // What it has looked at since the step began.
  guest::TimeToTell reads() const { return reads_; }

 private:
  void answer(const Asked& asked);
  void look(const Asked& asked);
  void note_reading(ClockKind kind) {
    reads_ = std::max(reads_, kind == ClockKind::wall ? guest::TimeToTell::wall : guest::TimeToTell::elapsed);
  }
  void begin_wait(const Asked& asked);
  bool end_one_wait();
  bool oversee();
  void open_file(const Asked& asked);
  void give_file(const Asked& asked, const std::string& bytes, bool closes_on_exec);
  void signal_itself(const Asked& asked);
  void begin_process(const Asked& asked);
  void execute(const Asked& asked);
  void begin_timer(const Asked& asked);
  void finish(const Asked& asked);
  [[noreturn]] void refuse(const Asked& asked, std::string_view why) const;
  bool do_threads_rest() const;
  // Waits, in real time, until something is asked; false: it sleeps and nothing can wake it.
  bool await_call(int patience);
  std::string random_bytes(std::size_t size);
  std::string random_uuid();

  Tree& tree_;
  std::uint64_t random_;
  Identity identity_;
  GuestClock clock_;
  Permissions permissions_;
  Process process_;
  bool may_have_threads_ = false;
  bool was_told_ = false;  // a line
  bool has_ioredis_ = false;
  bool is_traced_ = false;
  bool is_finished_ = false;
  int ended_by_ = 0;  // the signal by which it ended itself; 0: none
  bool is_of_go_ = false;
  int overseer_ = 0;  // see oversee(); 0: there is none
  bool may_oversee_ = false;
  Descriptor stdio_;
  Descriptor stdio_of_guest_;  // that it is given with its first call
  std::string out_;
  Sockets sockets_;
  std::list<Wait> waits_;
  std::uint32_t waits_made_ = 0;
  std::map<int, std::uint64_t> calls_;
  std::uint64_t calls_in_step_ = 0;
  guest::TimeToTell reads_ = guest::TimeToTell::nothing;
  std::map<int, std::uint32_t> looks_;  // at a clock, of each thread, since it did something else
  std::vector<std::string> written_;
};

}  // namespace holdfast::process
