#include "sim/stores/zookeeper/request.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <utility>

namespace holdfast::zookeeper {
namespace {

using Kind = Request::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 9> verbs{{{"CONNECT", Kind::connect},
                                                                  {"RECONNECT", Kind::reconnect},
                                                                  {"PING", Kind::ping},
                                                                  {"CLOSE", Kind::close},
                                                                  {"CREATE", Kind::create},
                                                                  {"DELETE", Kind::remove},
                                                                  {"EXISTS", Kind::exists},
                                                                  {"GET", Kind::get},
                                                                  {"CHILDREN", Kind::children}}};

bool is_read(Kind kind) { return kind == Kind::exists || kind == Kind::get || kind == Kind::children; }

// A path is not empty, and no part of it is.
bool is_path(std::string_view text) {
  return !text.empty() && text.front() != '/' && text.back() != '/' && text.find("//") == text.npos;
}

bool read_number(std::string_view text, std::int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Whether these are the words after the verb.
bool read(const WordsView& words, Request& it) {
  std::size_t at = 1;
  const auto takes = [&](std::string_view word) {
    const bool is_next = at < words.size() && words[at] == word;
    at += is_next ? 1 : 0;
    return is_next;
  };
  if (words.size() < 2) return false;
  it.session = words[at++];
  if (it.kind == Kind::connect) return words.size() == 3 && read_number(words[at], it.milliseconds);
  const bool has_path = it.kind == Kind::create || it.kind == Kind::remove || is_read(it.kind);
  if (!has_path) return words.size() == at;
  if (words.size() == at) return false;
  it.path = words[at++];
  if (it.kind == Kind::create) {
    if (words.size() == at) return false;
    it.data = words[at++];
    it.is_ephemeral = takes("EPHEMERAL");
    it.is_sequential = takes("SEQUENTIAL");
  }
  if (it.kind == Kind::exists) it.tells_czxid = takes("CZXID");
  if (is_read(it.kind)) it.watches = takes("WATCH");
  return words.size() == at && is_path(it.path);
}

}  // namespace

Request parse(const Command& words) {
  Request request;
  const WordsView all = words.argv();
  for (const auto& [text, kind] : verbs)
    if (all.size() > 0 && all[0] == text) request.kind = kind;
  if (request.kind == Kind::unknown || !read(all, request)) return Request();
  return request;
}

}  // namespace holdfast::zookeeper
