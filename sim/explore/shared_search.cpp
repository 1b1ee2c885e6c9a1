#include "sim/explore/shared_search.hpp"

#include <algorithm>
#include <utility>

#include "sim/core/awaits.hpp"
#include "sim/trace/source_line.hpp"

namespace holdfast {
namespace {

// What is saved first.
struct Head {
  Knowledge known;
  bool is_at_end;  // no branch is left, or a bound was reached: there are no branches and no states
  bool complete;
  bool memory_full;
  std::uint64_t states;
  std::uint64_t table_bytes;
  std::uint64_t transitions;
  std::uint64_t snapshot_bytes;
  Digest ends;
  Reach reach;
};

}  // namespace

void SharedSearch::add(Exploration part) {
  const std::scoped_lock hold(mutex_);
  found_.transitions += part.transitions;
  found_.ends = sum(found_.ends, part.ends);
  found_.snapshot_bytes = std::max(found_.snapshot_bytes, part.snapshot_bytes);
  found_.reach.insert(part.reach);
  found_.complete &= part.complete;
}

Exploration SharedSearch::found() const {
  Exploration all = found_;
  all.complete &= !is_stopped();
  all.memory_full = memory_full_;
  all.states = std::max(states_before_, seen.size());
  all.table_bytes = std::max(bytes_before_, seen.bytes());
  return all;
}

void SharedSearch::save() {
  const double begin = budget_.seconds();
  budget_.checkpoints->save(scenario_, [this](std::ostream& out) {
    const Exploration all = found();
    const bool is_at_end = branches_.empty() || bound_reached_;
    write_value(out, Head{known_, is_at_end, found_.complete && !bound_reached_, all.memory_full, all.states,
                          all.table_bytes, all.transitions, all.snapshot_bytes, all.ends, all.reach});
    write_value(out, static_cast<std::uint32_t>(violations_.size()));
    for (const auto& [property, violation] : violations_) {
      write_value(out, property);
      write_value(out, violation.steps);
      write_row(out, violation.picks);
    }
    std::vector<SourceLine> awaits = found_.awaits;
    if (const Awaits* const noted = Awaits::noted())
      for (const Where& where : noted->list()) awaits.push_back(source_line(where));
    write_value(out, static_cast<std::uint32_t>(awaits.size()));
    for (const SourceLine& line : awaits) {
      write_row(out, std::string_view(line.file));
      write_value(out, line.line);
    }
    if (is_at_end) return;
    write_value(out, static_cast<std::uint32_t>(branches_.size()));
    for (const Branch& branch : branches_) {
      write_value(out, branch.steps);
      write_row(out, branch.picks);
    }
    seen.write(out);
  });
  // At most a part of the time goes into it.
  const double took = budget_.seconds() - begin;
  due_ = begin + took + std::max(budget_.checkpoints->interval(), 20 * took);
}

bool SharedSearch::restore(Knowledge& known) {
  known_ = known;
  if (!is_saved()) return false;
  const std::unique_ptr<std::istream> in = budget_.checkpoints->load(scenario_);
  if (in == nullptr) return false;
  const auto head = read_value<Head>(*in);
  if (!head.known.covers(known)) return false;  // it was saved before that was learnt
  known = known_ = head.known;
  found_.transitions = head.transitions;
  found_.snapshot_bytes = head.snapshot_bytes;
  found_.ends = head.ends;
  found_.reach = head.reach;
  for (auto left = read_value<std::uint32_t>(*in); left > 0; --left) {
    const auto property = read_value<Property>(*in);
    Violation violation;
    violation.steps = read_value<std::uint32_t>(*in);
    violation.picks = read_row<std::vector<std::uint8_t>>(*in);
    violations_.emplace(property, std::move(violation));
  }
  for (auto left = read_value<std::uint32_t>(*in); left > 0; --left) {
    const char* const file = budget_.checkpoints->keep(read_row<std::string>(*in));
    found_.awaits.push_back({file, read_value<std::uint32_t>(*in)});
  }
  branches_.clear();
  found_.complete = head.complete;
  if (head.is_at_end) {
    memory_full_ = head.memory_full;
    states_before_ = head.states;
    bytes_before_ = head.table_bytes;
    return true;
  }
  for (auto left = read_value<std::uint32_t>(*in); left > 0; --left) {
    Branch branch;
    branch.steps = read_value<std::uint32_t>(*in);
    branch.picks = read_row<std::vector<std::uint8_t>>(*in);
    branches_.push_back(std::move(branch));
  }
  seen.read(*in);
  return true;
}

}  // namespace holdfast
