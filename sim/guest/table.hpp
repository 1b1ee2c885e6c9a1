// A program that is not here: what it did in each history that was learnt from it.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "sim/guest/histories.hpp"
#include "sim/guest/program.hpp"

namespace holdfast::guest {

class Table final : public Program {
 public:
  // `name`: as messages call it.
  Table(std::string name, TimeToTell time) : name_(std::move(name)), time_(time) {}
  // After `before`, and then told this as text_of() has it, it did that. Not thread-safe.
  Node add(Node before, std::string told, Action action);

  Node root() const override { return &root_; }
  TimeToTell time_to_tell() const override { return time_; }
  TimeToTell needs(Node node, const Told& event) override {
    return node->next.contains(text_of(event)) ? TimeToTell::nothing : time_;
  }
  // Throws Unusable: the file has no such history.
  Node next(Node node, const Told& event) override;
  const Action& action(Node node) const override { return node->action; }
  // The files say what is around the marks; what stands there is invented.
  const Parts& texts(Node node, const Voice& voice) override;
  ProgramRandom::Others others(const std::string& around) const override;
  std::size_t size() const { return histories_.size(); }

 private:
  const std::string name_;
  const TimeToTell time_;
  History root_;
  std::deque<History> histories_;
  mutable std::mutex mutex_;  // of texts, and of:
  mutable std::map<std::string, Granted> others_;
};

}  // namespace holdfast::guest
