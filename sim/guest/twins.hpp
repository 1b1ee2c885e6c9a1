// Runs of one program that are told the same. They differ in their chance alone: what differs in what they
// say is made by chance. The last ones may be told everything later: nothing may differ in what they do.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/guest/names.hpp"
#include "sim/guest/program.hpp"

namespace holdfast::guest {

// What a program does depends on the time that its clocks show, and it was not told.
class TimeMatters : public Unusable {
 public:
  using Unusable::Unusable;
};

// A text that a program makes by chance comes again in another run of it.
class TextsRepeat : public Unusable {
 public:
  using Unusable::Unusable;
};

// Of each twin, the parts of a token that it was granted: a run that begins anew is told of one as its own.
using Granted = std::vector<std::vector<std::string>>;

class Twins final : public Session {
 public:
  // `late`: have the chance of the first. `granted`: is noted where it is empty; outlives it.
  Twins(std::vector<std::unique_ptr<Session>> runs, std::vector<std::unique_ptr<Session>> late,
        Granted& granted);
  // Throws TimeMatters, too.
  Action tell(const Told& event) override;
  // What is made by chance is no memory of all.
  std::optional<std::string> memory() override;

 private:
  struct Run {
    std::unique_ptr<Session> session;
    Names texts = {};
    Action action = {};
  };
  // Of those that are not late, which come first.
  std::size_t count() const { return runs_.size() - late_; }
  // Of what all said: what differs between those that are not late is a mark.
  std::string with_marks(const std::vector<std::string>& said);
  void know_granted(const Told& event);
  void note_granted(const Action& action);
  void require_alike() const;
  void merge(Action& action, std::size_t known);

  std::vector<Run> runs_;
  const std::size_t late_;
  Granted& granted_;
};

// What a run did where twins have done `known`: adds to `texts` the parts that it made. Throws Unusable: it
// did something else.
void follow(const Action& known, const Action& did, Names& texts);

}  // namespace holdfast::guest
