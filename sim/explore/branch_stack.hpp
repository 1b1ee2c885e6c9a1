// The open branches of a search: the last one in is the first one out. Each is kept as what tells it from the
// one above it: a search that gives up a way of a hundred thousand steps leaves that many branches, each of
// which begins like the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <iterator>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/explore/checkpoints.hpp"

namespace holdfast {

// An open branch: the answers that lead there, and the steps before the one that the last of them belongs to;
// all of these, where all children of a state are left. Empty: everything.
struct Branch {
  std::vector<std::uint8_t> picks;
  std::uint32_t steps = 0;
  std::string arrival = {};  // what another rank says of the state in which it begins: Exchange::unpack()
};

class BranchStack {
 public:
  bool empty() const { return kept_.empty(); }
  std::size_t size() const { return kept_.size(); }
  void clear() { *this = BranchStack(); }

  void push(Branch branch) {
    keep_shared(0);
    top_ = std::move(branch.picks);
    kept_.push_back({0, {}, branch.steps, std::move(branch.arrival)});
  }
  // The branch that begins with the first `shared` answers of the uppermost one.
  void push(std::uint32_t shared, std::span<const std::uint8_t> rest, std::uint32_t steps) {
    keep_shared(shared);
    top_.resize(shared);
    top_.insert(top_.end(), rest.begin(), rest.end());
    kept_.push_back({0, {}, steps, {}});
  }
  // All of another one.
  void push(BranchStack above) {
    if (above.empty()) return;
    keep_shared(0);
    top_ = std::move(above.top_);
    std::move(above.kept_.begin(), above.kept_.end(), std::back_inserter(kept_));
  }
  // REQUIRES: it is not empty.
  Branch pop() {
    Branch branch{top_, kept_.back().steps, std::move(kept_.back().arrival)};
    kept_.pop_back();
    if (empty()) return branch;
    Kept& next = kept_.back();
    top_.resize(next.shared);
    top_.insert(top_.end(), next.rest.begin(), next.rest.end());
    next.rest = {};
    return branch;
  }

  // Without what other ranks have said.
  void write(std::ostream& out) const {
    write_value(out, static_cast<std::uint32_t>(size()));
    write_row(out, top_);
    for (const Kept& each : kept_) {
      write_value(out, each.shared);
      write_row(out, each.rest);
      write_value(out, each.steps);
    }
  }
  // In place of what is here. Throws BadCheckpoint.
  void read(std::istream& in) {
    clear();
    auto left = read_value<std::uint32_t>(in);
    top_ = read_row<std::vector<std::uint8_t>>(in);
    for (; left > 0; --left) {
      Kept each;
      each.shared = read_value<std::uint32_t>(in);
      each.rest = read_row<std::vector<std::uint8_t>>(in);
      each.steps = read_value<std::uint32_t>(in);
      kept_.push_back(std::move(each));
    }
  }

 private:
  // The uppermost one will have another above it, with which it shares so many answers.
  void keep_shared(std::uint32_t shared) {
    if (empty()) return;
    kept_.back().shared = shared;
    kept_.back().rest.assign(top_.begin() + shared, top_.end());
  }

  // Its answers: so many of those of the branch above it, and the rest. The uppermost has them in top_.
  struct Kept {
    std::uint32_t shared = 0;
    std::vector<std::uint8_t> rest = {};
    std::uint32_t steps = 0;
    std::string arrival = {};
  };

  std::vector<Kept> kept_;
  std::vector<std::uint8_t> top_;
};

}  // namespace holdfast
