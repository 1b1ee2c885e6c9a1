// Runs of one program that are told the same. Two of them differ in their chance alone: what differs in what
// they do is a token. A third may be told everything later: nothing may differ in what it does.
#pragma once

#include <memory>
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

class Twins final : public Session {
 public:
  // `late`: has the chance of `one`; may be nullptr.
  Twins(std::unique_ptr<Session> one, std::unique_ptr<Session> other,
        std::unique_ptr<Session> late = nullptr);
  // Throws TimeMatters, too.
  Action tell(const Told& event) override;

 private:
  struct Run {
    std::unique_ptr<Session> session;
    Names texts = {};
    Action action = {};
  };
  // Of what all said: what differs between the first two is a token.
  std::string with_marks(std::vector<std::string> said);
  void require_alike() const;
  void merge(Action& action);

  std::vector<Run> runs_;
};

}  // namespace holdfast::guest
