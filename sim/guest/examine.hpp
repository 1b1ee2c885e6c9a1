// Is a program in Lua fit to be explored? What to look at, before that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/guest/script_source.hpp"

namespace holdfast::guest {

struct Finding {
  std::uint32_t line = 0;
  std::string what;        // one sentence without a full stop
  bool is_mistake = true;  // else something to know
};

// In the order of lines. Throws BadCard if it is no lock.
std::vector<Finding> examine(const LuaFile& file, const std::string& directory);

}  // namespace holdfast::guest
