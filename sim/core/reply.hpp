// What comes back from a command: RESP2 values, and one more, `lost`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/command.hpp"

namespace holdfast {

class Reply {
 public:
  enum class Kind : std::uint8_t {
    nil,      // null bulk string or null array
    status,   // "+OK"
    integer,  // ":1"
    bulk,     // "$5\r\nhello"
    array,    // "*2"
    error,    // "-ERR …"; text() holds everything after the dash
    lost,     // no answer in time: the command may have been carried out, may still be, or never will be
  };

  Reply() = default;
  static Reply nil() { return Reply(); }
  static Reply ok() { return status("OK"); }
  static Reply status(std::string text) { return Reply(Kind::status, std::move(text)); }
  static Reply bulk(std::string text) { return Reply(Kind::bulk, std::move(text)); }
  static Reply error(std::string text) { return Reply(Kind::error, std::move(text)); }
  static Reply lost() { return Reply(Kind::lost, std::string()); }
  static Reply integer(std::int64_t number) {
    Reply reply;
    reply.kind_ = Kind::integer;
    reply.number_ = number;
    return reply;
  }
  static Reply array(std::vector<Reply> elements) {
    Reply reply;
    reply.kind_ = Kind::array;
    if (!elements.empty()) reply.elements_ = Elements(std::move(elements));
    return reply;
  }

  Kind kind() const { return kind_; }
  bool is_nil() const { return kind_ == Kind::nil; }
  bool is_lost() const { return kind_ == Kind::lost; }
  bool is_error() const { return kind_ == Kind::error; }
  bool is_ok() const { return kind_ == Kind::status && text_ == "OK"; }
  bool is(std::int64_t number) const { return kind_ == Kind::integer && number_ == number; }
  // 0 unless integer.
  std::int64_t number() const { return number_; }
  // Empty unless status, bulk or error.
  const std::string& text() const { return text_; }
  // Empty unless array.
  const std::vector<Reply>& elements() const;

  bool operator==(const Reply&) const = default;

 private:
  // A pointer, because few replies have elements, and replies lie in the frames of whoever awaits them. Null:
  // there are none.
  struct Elements {
    Elements() = default;
    explicit Elements(std::vector<Reply> elements);
    Elements(const Elements& other);
    Elements(Elements&& other) noexcept;
    Elements& operator=(Elements other) noexcept;
    ~Elements();
    bool operator==(const Elements& other) const;
    std::unique_ptr<const std::vector<Reply>> list;
  };
  Reply(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}

  Kind kind_ = Kind::nil;
  std::int64_t number_ = 0;
  std::string text_;
  Elements elements_;
};

inline Reply::Elements::Elements(std::vector<Reply> elements)
    : list(std::make_unique<const std::vector<Reply>>(std::move(elements))) {}
inline Reply::Elements::Elements(const Elements& other)
    : list(other.list ? std::make_unique<const std::vector<Reply>>(*other.list) : nullptr) {}
inline Reply::Elements::Elements(Elements&& other) noexcept = default;
inline Reply::Elements& Reply::Elements::operator=(Elements other) noexcept {
  list = std::move(other.list);
  return *this;
}
inline Reply::Elements::~Elements() = default;
inline bool Reply::Elements::operator==(const Elements& other) const {
  return list && other.list ? *list == *other.list : list == other.list;
}

inline const std::vector<Reply> no_elements;
inline const std::vector<Reply>& Reply::elements() const {
  return elements_.list ? *elements_.list : no_elements;
}

}  // namespace holdfast
