// What a script of a lock does, by its text: one place decides, for every report.
#pragma once

#include <cstdint>
#include <string_view>

namespace holdfast::reports {

// A name is a promise about every run of the script. A text of another shape has none.
enum class ScriptDeed : std::uint8_t {
  none,
  take,            // creates the key of the lock, and changes nothing if there is one
  take_or_retake,  // the same, but for a key that has the caller already
  remove,          // removes the key if it has the caller's token; changes nothing otherwise
  extend,          // gives the key another end if it has the caller's token; changes nothing otherwise
  look,            // changes nothing
};
ScriptDeed deed_of_script(std::string_view script);

}  // namespace holdfast::reports
