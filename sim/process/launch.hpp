// Starts a program under supervision: its system calls are reported here, it has no vDSO, and it lives in a
// pid namespace of its own, which ends when this process does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast::process {

// A descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  int release();
  void close();

 private:
  int number_;
};

struct Start {
  std::vector<std::string> command;      // the first word is looked for in PATH
  std::vector<std::string> environment;  // "NAME=value", all of it
  std::uint64_t seed = 0;                // of what the kernel gives a program by chance
  bool has_random_layout = false;        // of its memory
  std::string directory = {};            // where it begins; empty: where we are
};

struct Launched {
  int pid = 0;
  Descriptor process;   // a pidfd
  Descriptor listener;  // where its system calls are reported, from execve() on
  Descriptor stdio;     // the other end of its standard input and output
  Descriptor errors;    // what it and all that it forks write to stderr
};

// REQUIRES: this thread lives as long as the program does. Throws guest::Unusable: no such program; this
// system cannot supervise.
Launched launch(const Start& start);

// A pair of connected stream sockets; both are closed when programs are executed.
struct Pair {
  Descriptor ours;
  Descriptor theirs;
};
Pair connected_pair();

// The program `pid` waits in execve(). `go_on` lets it; afterwards it has neither a vDSO nor bytes of chance.
// Returns false if it was not executed, but asks for something else. `is_traced`: by an earlier call.
bool execute_without_vdso(int pid, int listener, std::uint64_t seed, bool& is_traced, void (*go_on)(void*),
                          void* context);

}  // namespace holdfast::process
