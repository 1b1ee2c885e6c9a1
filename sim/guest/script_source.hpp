// The text of a Lua program, and the modules that it requires: read once, so that every run of it is the
// same.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::guest {

// A file of Lua with its text.
struct LuaFile {
  std::string name;  // as places in it are called
  std::string text;
};

// In which lines of a text the word "function" stands once; in the chunk itself, which is line 0, it does.
class FunctionLines {
 public:
  explicit FunctionLines(std::string_view text);
  bool has_one_at(std::size_t line) const { return line < has_one_.size() && has_one_[line]; }

 private:
  std::vector<bool> has_one_{true};
};

class ScriptSource {
 public:
  // `directory`: where its modules are; empty: it has none.
  ScriptSource(LuaFile main, std::string directory)
      : main_(std::move(main)), directory_(std::move(directory)) {}
  const LuaFile& main() const { return main_; }
  // "a.b": DIRECTORY/a/b.lua, or DIRECTORY/a/b/init.lua; nullptr when there is none. Any thread may ask.
  const LuaFile* module(std::string_view name) const;
  // The names of those that were asked for so far.
  std::vector<std::string> modules() const;
  // In this line of the file of this name.
  bool has_one_function(std::string_view name, std::size_t line) const;
  // The name of a file, as one text for the whole process: for places in traces.
  const char* stable_name(std::string_view name) const;

 private:
  const LuaFile main_;
  const std::string directory_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::optional<LuaFile>, std::less<>> modules_;
  mutable std::map<std::string, FunctionLines, std::less<>> functions_;
};

}  // namespace holdfast::guest
