// Pictures of a run as SVG: the sequence of messages from top to bottom, and belief against truth from left
// to right. Every mark carries a class; colours, dark ones and those of print are in page/picture.css.
#pragma once

#include <cstdint>
#include <string>

#include "reports/scene.hpp"

namespace holdfast::reports {

// Rows `begin` to before `end` of a scene.
struct Rows {
  std::size_t begin = 0;
  std::size_t end = 0;
};
inline Rows all_rows(const Scene& scene) { return {0, scene.rows.size()}; }

// `name` distinguishes what several pictures on one page refer to. Standing alone, a picture brings its style
// and background.
struct PictureFrame {
  std::string name = "run";
  std::string title;
  bool stands_alone = false;
};

std::string sequence_picture(const Scene& scene, Rows rows, const PictureFrame& frame);
// All of it, row by row again and again, with a word on what one sees: a lock at work, a fault, two holders.
// It moves without a script, and stands still for readers who want no motion.
std::string living_picture(const Scene& scene, const PictureFrame& frame);
// What the strip of the whole run counts from left to right: all steps equally wide, or true time.
enum class Axis : std::uint8_t { order, time };
// Where there are more steps than columns, marks that fall into one column become one.
std::string overview_picture(const Scene& scene, const PictureFrame& frame, Axis axis = Axis::order);

// "k3": the class that gives the colour of a client.
std::string colour_of(ClientId client);

// Where the overview draws the end of a row, for the page that lays a scrubber under it: of `width` units,
// the first `left` are names.
inline constexpr double overview_width = 1000;
inline constexpr double overview_left = 116;

}  // namespace holdfast::reports
