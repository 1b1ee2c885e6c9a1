// Two runs of one program that are told the same and differ in their chance alone: what differs in what they
// do is a token.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "sim/guest/names.hpp"
#include "sim/guest/program.hpp"

namespace holdfast::guest {

class Twins final : public Session {
 public:
  // `begin` starts the program with a seed for all its chance.
  using Begin = std::function<std::unique_ptr<Session>(std::uint64_t seed)>;
  explicit Twins(const Begin& begin);
  Action tell(const Told& event) override;

 private:
  static constexpr std::size_t count = 2;
  // Of what both said: what differs is a token.
  std::string with_marks(const std::string& one, const std::string& other);
  Told for_twin(const Told& event, std::size_t twin) const;
  void merge(Action& action, const Action& other);

  std::array<std::unique_ptr<Session>, count> twins_;
  std::array<Names, count> texts_;
};

}  // namespace holdfast::guest
