// The memory and the descriptors of another process.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/process/launch.hpp"

namespace holdfast::process {

class Process {
 public:
  Process() = default;
  explicit Process(int pid);
  int pid() const { return pid_; }
  // A pidfd.
  int descriptor() const { return descriptor_.get(); }
  // What cannot be read is zero; what cannot be written, the process will find out.
  void read(std::uint64_t at, void* to, std::size_t size) const;
  void write(std::uint64_t at, const void* from, std::size_t size) const;
  template <class T>
  T value_at(std::uint64_t at) const {
    T value{};
    read(at, &value, sizeof value);
    return value;
  }
  template <class T>
  void put(std::uint64_t at, const T& value) const {
    write(at, &value, sizeof value);
  }
  // A path, at most 4,095 bytes.
  std::string text_at(std::uint64_t at) const;
  // A copy of one of its descriptors.
  Descriptor borrow(int number) const;
  // All of its threads but those in `waiting` sleep in the kernel.
  template <class IsWaiting>
  bool does_sleep(const IsWaiting& is_waiting) const {
    bool all = true;
    for_each_thread([&](int tid, char state) { all = all && (state == 'S' || is_waiting(tid)); });
    return all;
  }
  void kill_and_wait() const;
  // That all of its threads have used, in nanoseconds; 0: it has not begun, or is gone.
  std::int64_t processor_time() const;

 private:
  template <class See>
  void for_each_thread(const See& see) const;
  int pid_ = 0;
  Descriptor descriptor_;
};

// The state of a thread as /proc/PID/task/TID/stat has it; '\0': there is none.
char state_of(int pid, int tid);
std::vector<int> threads_of(int pid);

template <class See>
void Process::for_each_thread(const See& see) const {
  for (const int tid : threads_of(pid_))
    if (const char state = state_of(pid_, tid); state != '\0') see(tid, state);
}

}  // namespace holdfast::process
