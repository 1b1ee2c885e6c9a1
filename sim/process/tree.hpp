// A program that runs under supervision, and the processes that it forks: their system calls.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/process/launch.hpp"

namespace holdfast::process {

// A system call that waits for an answer.
struct Asked {
  std::uint64_t id = 0;
  int tid = 0;
  int call = 0;
  std::uint64_t arguments[6] = {};
};

class Guest;

// All of it belongs to one thread, which lives as long as it does.
class Tree {
 public:
  explicit Tree(const Start& start);
  // Nothing that it forked is left.
  ~Tree();
  Tree(const Tree&) = delete;

  const Start& start() const { return start_; }
  int pid() const { return launched_.pid; }
  int listener() const { return launched_.listener.get(); }
  Descriptor take_stdio() { return std::move(launched_.stdio); }
  // How the program ended: "it ended with exit code 2", "it was killed by SIGSEGV (Segmentation fault)".
  // REQUIRES: it did.
  std::string end_in_words() const;
  static std::string end_in_words(int signal);
  // The last lines that it wrote to stderr; " (no word on stderr)" if there is none.
  std::string last_errors() const;

  // The guest that the next unknown process is.
  void expect(Guest& guest) { expected_ = &guest; }
  void forget(const Guest& guest);
  // Hands the next system call to its guest; false: none was made.
  bool serve_one();

  void answer(const Asked& asked, std::int64_t value) const { respond(asked, value, 0, 0); }
  void fail(const Asked& asked, int error) const { respond(asked, 0, -error, 0); }
  // The kernel carries it out.
  void let(const Asked& asked) const;
  // The answer is a descriptor, a copy of `descriptor`. `number`: that it gets, if not negative.
  void answer_with(const Asked& asked, int descriptor, int number, bool closes_on_exec) const;
  // Without an answer: it has this descriptor from now on.
  void give(const Asked& asked, int descriptor, int number) const;

 private:
  void respond(const Asked& asked, std::int64_t value, int error, std::uint32_t flags) const;
  Guest& guest_of(int tid);

  const Start start_;
  Launched launched_;
  Guest* expected_ = nullptr;
  std::map<int, Guest*> guests_;  // by thread
};

}  // namespace holdfast::process
