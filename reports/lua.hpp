// Scripts of locks, for reading: one line each of what the server does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::reports {

struct ScriptLine {
  std::string text;
  bool is_command = false;  // calls a command of the store
};

// A script of several lines as it is; one that was written on a single line is broken where Lua's statements
// and blocks begin and end. Nothing but white space is added or left out.
std::vector<ScriptLine> script_lines(std::string_view script);

}  // namespace holdfast::reports
