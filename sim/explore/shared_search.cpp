#include "sim/explore/shared_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/core/awaits.hpp"
#include "sim/trace/source_line.hpp"

namespace holdfast {
namespace {

// What is saved first.
struct Head {
  std::uint32_t ranks;
  std::uint32_t generation;
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

// By this process, or another rank: by file and line.
std::vector<SourceLine> awaits_of(const Exploration& found) {
  std::vector<SourceLine> awaits = found.awaits;
  if (const Awaits* const noted = Awaits::noted())
    for (const Where& where : noted->list()) awaits.push_back(source_line(where));
  return awaits;
}

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
  all.gave_up = gave_up_;
  all.states = std::max(states_before_, seen.size() + states_elsewhere_);
  all.table_bytes = std::max(bytes_before_, seen.bytes() + bytes_elsewhere_);
  return all;
}

// Two files of each rank but 0 take turns, so that one of them belongs to what rank 0 has saved.
std::string SharedSearch::part() const {
  if (budget_.ranks == nullptr || budget_.ranks->rank() == 0) return "";
  return fmt::format("rank-{}-of-{}-{}", budget_.ranks->rank(), budget_.ranks->count(),
                     generation_ % 2 == 0 ? "even" : "odd");
}

void SharedSearch::save(bool is_at_end) {
  const double begin = budget_.seconds();
  budget_.checkpoints->save(scenario_, part(), [&](std::ostream& out) {
    const Exploration all = found();
    const std::uint32_t ranks = budget_.ranks == nullptr ? 1 : budget_.ranks->count();
    write_value(
        out, Head{ranks, generation_, known_, is_at_end, found_.complete && !bound_reached_, all.memory_full,
                  all.states, all.table_bytes, all.transitions, all.snapshot_bytes, all.ends, all.reach});
    write_value(out, static_cast<std::uint32_t>(violations_.size()));
    for (const auto& [property, violation] : violations_) {
      write_value(out, property);
      write_value(out, violation.steps);
      write_row(out, violation.picks);
    }
    const std::vector<SourceLine> awaits = awaits_of(found_);
    write_value(out, static_cast<std::uint32_t>(awaits.size()));
    for (const SourceLine& line : awaits) {
      write_row(out, std::string_view(line.file));
      write_value(out, line.line);
    }
    if (is_at_end) return;
    branches_.write(out);
    seen.write(out);
  });
  // At most a part of the time goes into it.
  const double took = budget_.seconds() - begin;
  due_ = begin + took + std::max(budget_.checkpoints->interval(), 20 * took);
}

bool SharedSearch::restore(Knowledge& known) {
  known_ = known;
  if (!is_saved()) return false;
  const std::unique_ptr<std::istream> in = budget_.checkpoints->load(scenario_, part());
  const auto head = in == nullptr ? Head{} : read_value<Head>(*in);
  const bool is_part = budget_.ranks != nullptr && budget_.ranks->rank() != 0;
  if (is_part && (in == nullptr || head.generation != generation_))
    throw BadCheckpoint("what another rank has saved last is missing (" + part() + ")");
  if (in == nullptr) return false;
  const std::uint32_t ranks = budget_.ranks == nullptr ? 1 : budget_.ranks->count();
  if (head.ranks != ranks && !head.is_at_end)
    throw BadCheckpoint(head.ranks == 1
                            ? "one process has saved it: go on without mpirun"
                            : fmt::format("{0} ranks have saved it: go on with mpirun -n {0}", head.ranks));
  generation_ = head.generation;
  if (!head.known.covers(known)) return false;  // it was saved before that was learnt
  is_resumed_ = !head.is_at_end;
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
  branches_.read(*in);
  seen.read(*in);
  return true;
}

// --- of one of several ranks ---

void SharedSearch::pack_result(std::string& text) const {
  pack(text, seen.size());
  pack(text, seen.bytes());
  pack(text, memory_full_);
  pack(text, bound_reached_);
  pack(text, found_.complete);
  pack(text, found_.transitions);
  pack(text, found_.snapshot_bytes);
  pack(text, found_.ends);
  pack(text, found_.reach);
  pack(text, learnt_);
  pack_text(text, beyond_model_);
  pack(text, static_cast<std::uint32_t>(violations_.size()));
  for (const auto& [property, violation] : violations_) {
    pack(text, property);
    pack(text, violation.steps);
    pack_row(text, std::span(violation.picks));
  }
  const std::vector<SourceLine> awaits = awaits_of(found_);
  pack(text, static_cast<std::uint32_t>(awaits.size()));
  for (const SourceLine& line : awaits) {
    pack_text(text, line.file);
    pack(text, line.line);
  }
}

void SharedSearch::add_result(Unpacking& from) {
  const std::scoped_lock hold(mutex_);
  if (results_ == 0) states_elsewhere_ = 0;
  ++results_;
  states_elsewhere_ += from.next<std::uint64_t>();
  bytes_elsewhere_ += from.next<std::uint64_t>();
  memory_full_ |= from.next<bool>();
  bound_reached_ |= from.next<bool>();
  found_.complete &= from.next<bool>();
  found_.transitions += from.next<std::uint64_t>();
  found_.snapshot_bytes = std::max(found_.snapshot_bytes, from.next<std::uint64_t>());
  found_.ends = sum(found_.ends, from.next<Digest>());
  found_.reach.insert(from.next<Reach>());
  learnt_.insert(from.next<Knowledge>());
  if (std::string what = from.next_text(); !what.empty()) beyond_model_ = std::move(what);
  for (auto left = from.next<std::uint32_t>(); left > 0; --left) {
    const auto property = from.next<Property>();
    Violation violation;
    violation.steps = from.next<std::uint32_t>();
    from.next_row(violation.picks);
    violations_.try_emplace(property, std::move(violation));
  }
  for (auto left = from.next<std::uint32_t>(); left > 0; --left) {
    const char* const file = budget_.ranks->keep(from.next_text());
    found_.awaits.push_back({file, from.next<std::uint32_t>()});
  }
}

}  // namespace holdfast
