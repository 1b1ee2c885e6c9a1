// One run of a program as a session of holdfast: what it is told becomes lines and replies, what it does
// becomes effects.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/guest/program.hpp"
#include "sim/process/program.hpp"
#include "sim/process/wire.hpp"

namespace holdfast::process {

// REQUIRES, of all of it: the keeper's thread.
class ProcessSession final : public guest::Session {
 public:
  // `program` outlives it. `chance`, `late`: see Program::begin().
  ProcessSession(Program& program, std::uint64_t chance, std::size_t late);
  ~ProcessSession() override {
    if (running_.guest) program_.note(*running_.guest);
  }
  ProcessSession(const ProcessSession&) = delete;
  guest::Action tell(const guest::Told& event) override;

 private:
  // What it sent over a connection and was not answered yet.
  struct Line {
    std::unique_ptr<Wire> wire = nullptr;
    std::deque<Request> queue = {};  // that were not sent on
    std::uint32_t sent = 0;          // the id of the one that was; 0: none
    bool is_own = false;             // something was sent on it that belongs to a connection
    bool is_subscribed = false;      // messages may come
    bool listens = false;            // `sent` is no request
  };
  Line& line_of(const Connection& connection);
  void begin(const guest::Told& event);
  void receive(const guest::Told& event);
  void go_on();
  // Answers what needs no server; true: something was.
  bool greet();
  void report_waits();
  void report_connections();
  void send(const Connection& connection, Line& line);
  void report_lines();
  void report_line(const std::string& line);
  void require_sense() const;
  void require_connection(const std::string& said) const;
  guest::Effect& add(guest::Effect::Kind kind);

  Program& program_;
  const std::uint64_t chance_;
  const std::size_t late_;
  Running running_;
  guest::Action action_;
  std::uint32_t ids_ = 0;
  struct Sleep {
    std::uint32_t id;
    Ns until;       // as its wait says
    bool is_dated;  // it began in a step that looked at a clock
  };
  std::map<std::uint32_t, Sleep> sleeps_;  // by the number of a wait
  std::map<std::uint32_t, Line> lines_;    // by the number of a connection
  std::optional<std::string> database_;    // of the requests so far: there is one, whatever its number
  bool is_in_call_ = false;
  int woken_ = 0;
  int given_up_ = 0;  // calls whose callers gave up: their results are dropped
  std::string token_;
  Duration lease_{};
};

}  // namespace holdfast::process
