// From the compiler's name of a place in the source to that of traces.
#pragma once

#include <source_location>
#include <string_view>

#include "sim/core/store.hpp"
#include "sim/trace/event.hpp"

namespace holdfast {

// Relative to the project. Compilers name files as they were told to find them: with ccache and a base
// directory, that is relative to the build directory ("../algorithms/token.cpp").
inline SourceLine source_line(const std::source_location& where) {
  const char* file = where.file_name();
  while (std::string_view(file).starts_with("../")) file += 3;
  return {file, where.line()};
}

inline SourceLine source_line(const Call& call) {
  if (const ScriptLine* const line = call.script_line()) return {line->file, line->line};
  return source_line(call.where());
}

}  // namespace holdfast
