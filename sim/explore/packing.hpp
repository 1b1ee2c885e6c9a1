// Values, one after the other, as bytes that one process sends to another one of the same program: as they
// lie in memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "sim/core/invariant.hpp"

namespace holdfast {

template <class Value>
void pack(std::string& text, const Value& value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}
// Of any length.
template <class Item>
void pack_row(std::string& text, std::span<const Item> row) {
  static_assert(std::is_trivially_copyable_v<Item>);
  pack(text, static_cast<std::uint32_t>(row.size()));
  text.append(reinterpret_cast<const char*>(row.data()), row.size_bytes());
}
inline void pack_text(std::string& text, std::string_view part) {
  pack_row(text, std::span(part.data(), part.size()));
}

class Unpacking {
 public:
  explicit Unpacking(std::string_view text) : left_(text) {}
  bool is_at_end() const { return left_.empty(); }
  template <class Value>
  Value next() {
    Value value;
    copy(&value, sizeof value);
    return value;
  }
  template <class Row>
  void next_row(Row& row) {
    row.resize(next<std::uint32_t>());
    copy(row.data(), row.size() * sizeof(typename Row::value_type));
  }
  std::string next_text() {
    std::string text;
    next_row(text);
    return text;
  }

 private:
  void copy(void* to, std::size_t bytes) {
    INVARIANT(bytes <= left_.size(), "messages are read as they were written");
    if (bytes == 0) return;
    std::memcpy(to, left_.data(), bytes);
    left_.remove_prefix(bytes);
  }

  std::string_view left_;
};

}  // namespace holdfast
