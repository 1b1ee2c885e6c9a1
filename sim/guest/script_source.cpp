#include "sim/guest/script_source.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <utility>

namespace holdfast::guest {
namespace {

std::optional<LuaFile> read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) return std::nullopt;
  return LuaFile{path, std::move(text)};
}

}  // namespace

const LuaFile* ScriptSource::module(std::string_view name) const {
  if (directory_.empty()) return nullptr;
  const std::scoped_lock hold(mutex_);
  auto known = modules_.find(name);
  if (known == modules_.end()) {
    std::string path(name);
    std::replace(path.begin(), path.end(), '.', '/');
    path = directory_ + "/" + path;
    std::optional<LuaFile> file = read(path + ".lua");
    if (!file) file = read(path + "/init.lua");
    known = modules_.emplace(std::string(name), std::move(file)).first;
  }
  return known->second ? &*known->second : nullptr;
}

std::vector<std::string> ScriptSource::modules() const {
  const std::scoped_lock hold(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, file] : modules_) names.push_back(name);
  return names;
}

FunctionLines::FunctionLines(std::string_view text) {
  constexpr std::string_view word = "function";
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t first = line.find(word);
    has_one_.push_back(first != line.npos && line.find(word, first + word.size()) == line.npos);
    begin = end + 1;
  }
}

bool ScriptSource::has_one_function(std::string_view name, std::size_t line) const {
  const std::scoped_lock hold(mutex_);
  if (const auto known = functions_.find(name); known != functions_.end())
    return known->second.has_one_at(line);
  const std::string* text = name == main_.name ? &main_.text : nullptr;
  for (const auto& [module, file] : modules_)
    if (file && file->name == name) text = &file->text;
  if (text == nullptr) return false;
  return functions_.emplace(name, FunctionLines(*text)).first->second.has_one_at(line);
}

const char* ScriptSource::stable_name(std::string_view name) const {
  if (name == main_.name) return main_.name.c_str();
  const std::scoped_lock hold(mutex_);
  for (const auto& [module, file] : modules_)
    if (file && file->name == name) return file->name.c_str();
  return main_.name.c_str();
}

}  // namespace holdfast::guest
