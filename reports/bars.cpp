// Belief against truth: one bar per client for what it believes, one for what the store says.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/canvas.hpp"
#include "reports/sequence.hpp"
#include "reports/timeline.hpp"

namespace holdfast::reports {
namespace {

// One step of the bars.
struct Slice {
  Step step;
  std::set<ClientId> believers;  // at the end of the step, or since some moment in it
  std::set<ClientId> named;      // by the store, at the end of the step
  bool is_clash = false;         // at some moment of the step
};

std::vector<Slice> slices_of(const std::vector<Event>& events, const Cast& cast) {
  std::vector<Slice> slices;
  Standing standing;
  for (const StepView& view : steps_of(events)) {
    Slice slice{view.step, {}, {}, false};
    for (const Event* event : view.events) {
      standing.apply(*event);
      const bool began = std::holds_alternative<Granted>(event->what);
      slice.is_clash = slice.is_clash || standing.is_clashing();
      for (const ClientId client : cast.clients)
        if (standing.believes(client) && (began || standing.is_clashing())) slice.believers.insert(client);
    }
    for (const ClientId client : cast.clients) {
      if (standing.believes(client)) slice.believers.insert(client);
      if (standing.is_named(client, cast.nodes.size())) slice.named.insert(client);
    }
    slices.push_back(slice);
  }
  return slices;
}

constexpr std::size_t left = 14;      // where the bars begin
constexpr std::size_t pitch_max = 5;  // columns of one step

// One block of bars: the slices [begin, end).
struct Block {
  const std::vector<Slice>& slices;
  std::size_t begin;
  std::size_t end;
  std::size_t pitch;

  Canvas ruler() const {
    Canvas row;
    row.put(2, "step");
    std::size_t free_from = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::string number = std::to_string(slices[i].step.value);
      const std::size_t column = left + (i - begin) * pitch;
      if (column < free_from) continue;
      row.put(column, number);
      free_from = column + number.size() + 1;
    }
    return row;
  }
  template <class Test>
  Canvas bar(std::string_view what, const std::string& who, std::string_view glyph, Style style,
             Test is_on) const {
    Canvas row;
    row.put(2, what);
    row.put(12, who);
    for (std::size_t i = begin; i < end; ++i)
      if (is_on(slices[i])) row.put(left + (i - begin) * pitch, repeated(glyph, pitch), style);
    return row;
  }
};

void write_block(const Block& block, const Cast& cast, Page& page) {
  const auto write = [&](const Canvas& row) { page.line(row.text(page.terminal())); };
  write(block.ruler());
  std::string_view what = "believes";
  for (const ClientId client : cast.clients) {
    write(block.bar(what, name_of(client), "▓", Style::strong,
                    [&](const Slice& slice) { return slice.believers.contains(client); }));
    what = "";
  }
  what = "store";
  for (const ClientId client : cast.clients) {
    write(block.bar(what, name_of(client), "█", Style::good,
                    [&](const Slice& slice) { return slice.named.contains(client); }));
    what = "";
  }
  const auto clash =
      std::find_if(block.slices.begin(), block.slices.end(), [](const Slice& s) { return s.is_clash; });
  if (clash == block.slices.end()) return;
  write(block.bar("overlap", "", "▲", Style::bad, [](const Slice& slice) { return slice.is_clash; }));
}

}  // namespace

void draw_bars(const Counterexample& example, std::size_t servers, Page& page) {
  Cast cast = cast_of(example, servers);
  const std::vector<Slice> slices = slices_of(example.events, cast);
  // Clients that never had to do with the lock have no bars.
  std::erase_if(cast.clients, [&](ClientId client) {
    return std::none_of(slices.begin(), slices.end(), [&](const Slice& slice) {
      return slice.believers.contains(client) || slice.named.contains(client);
    });
  });
  if (slices.empty() || cast.clients.empty()) return;
  const std::size_t room = std::max(page.terminal().width, width_min) - left;
  const std::size_t pitch = std::clamp<std::size_t>(room / slices.size(), 2, pitch_max);
  const std::size_t in_block = room / pitch;
  for (std::size_t begin = 0; begin < slices.size(); begin += in_block) {
    if (begin != 0) page.line();
    write_block({slices, begin, std::min(begin + in_block, slices.size()), pitch}, cast, page);
  }
}

}  // namespace holdfast::reports
