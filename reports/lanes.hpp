// The geometry of the sequence diagram: one lane per client and node, and what is drawn on and between them.
#pragma once

#include <string>
#include <vector>

#include "reports/canvas.hpp"
#include "reports/timeline.hpp"

namespace holdfast::reports {

// One lane: a column of the drawing, and the room to its right.
struct Lane {
  std::string name;
  Actor actor;
  std::size_t column = 0;
  std::size_t room = 0;  // columns up to the next lane, or to the end of the drawing
};

// Lanes from left to right: half of the clients, the nodes, the other clients. Empty when they do not fit
// between the columns `left` and `right`.
std::vector<Lane> lanes_of(const Cast& cast, std::size_t left, std::size_t right);

// Draws into rows. Labels are printable. `standing` is how things stand at that moment: it gives the lanes
// their strokes.
class Lanes {
 public:
  explicit Lanes(std::vector<Lane> lanes) : lanes_(std::move(lanes)) {}

  struct Stroke {
    const Standing& standing;
    std::vector<Canvas>& rows;
  };
  // A message arrives: an arrow from lane to lane, its label in the gap beside the client.
  void arrow(Stroke stroke, Actor from, Actor to, const std::string& label) const;
  // A message leaves, and arrives later or (`is_lost`) never.
  void stub(Stroke stroke, Actor from, Actor to, const std::string& label, bool is_lost) const;
  // Something happens on one lane. `mark` replaces the stroke of the lane unless empty.
  void point(Stroke stroke, Actor on, std::string_view mark, const std::string& label, bool is_fault) const;
  // An event that concerns all lanes.
  void banner(Stroke stroke, const std::string& text) const;
  Canvas header() const;

 private:
  struct Gap {
    std::size_t left;
    std::size_t right;
  };
  std::size_t index_of(Actor actor) const;
  std::string stroke_of(const Lane& lane, const Standing& standing) const;
  Canvas empty_row(const Standing& standing) const;
  void tee(Canvas& row, std::size_t lane, bool to_the_right, const Standing& standing) const;
  // Puts the label into the gap of the row, or, if it is too long, into rows of its own before it.
  void label_arrow(Stroke stroke, Canvas& row, Gap gap, const std::string& label, bool is_fault) const;

  std::vector<Lane> lanes_;
};

}  // namespace holdfast::reports
