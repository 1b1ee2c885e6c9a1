// What comes back from a command: RESP2 values, and one more, `lost`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/command.hpp"
#include "sim/core/units.hpp"

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
  static Reply ok() { return of(Kind::status); }
  static Reply status(std::string text) {
    return text == ok_text ? of(Kind::status) : Reply(Kind::status, std::move(text));
  }
  static Reply bulk(std::string text) { return Reply(Kind::bulk, std::move(text)); }
  static Reply error(std::string text) { return Reply(Kind::error, std::move(text)); }
  static Reply lost() { return of(Kind::lost); }
  static Reply integer(std::int64_t number) {
    Reply reply = of(Kind::integer);
    reply.number_ = number;
    return reply;
  }
  // How long something lasts, or when it was. Where time is dense, nobody may know how many those are.
  static Reply milliseconds(MilliTicks number) {
    Reply reply = of(Kind::integer);
    reply.number_ = number.bits();
    reply.is_unknown_ = number.is_unknown();
    return reply;
  }
  static Reply array(std::vector<Reply> elements);

  Kind kind() const { return kind_; }
  bool is_nil() const { return kind_ == Kind::nil; }
  bool is_lost() const { return kind_ == Kind::lost; }
  bool is_error() const { return kind_ == Kind::error; }
  bool is_ok() const { return kind_ == Kind::status && body_.content == nullptr; }
  bool is(std::int64_t number) const {
    return kind_ == Kind::integer && (is_unknown_ ? milliticks() == number : number_ == number);
  }
  // 0 unless integer. Where that is an unknown time, it is no number.
  std::int64_t number() const { return is_unknown_ ? std::int64_t{milliticks()} : number_; }
  // The same, of milliseconds.
  MilliTicks milliticks() const { return is_unknown_ ? MilliTicks::of_bits(number_) : MilliTicks(number_); }
  Duration milliseconds() const { return Duration(to_ticks(milliticks())); }
  bool is_unknown() const { return is_unknown_; }
  // Empty unless status, bulk or error.
  const std::string& text() const;
  // Empty unless array.
  const std::vector<Reply>& elements() const;

  bool operator==(const Reply& other) const {
    return kind_ == other.kind_ &&
           (is_unknown_ || other.is_unknown_ ? milliticks() == other.milliticks()
                                             : number_ == other.number_) &&
           body_ == other.body_;
  }

 private:
  static inline const std::string ok_text = "OK";
  struct Content;
  // A pointer, because replies lie in the frames of the coroutines that await them and are handed on, and
  // most are a nil, an OK or a number. Those have none, nor has an empty array.
  struct Body {
    Body() = default;
    explicit Body(Content content);
    Body(const Body& other);
    Body(Body&& other) noexcept;
    Body& operator=(Body other) noexcept;
    ~Body();
    bool operator==(const Body& other) const;
    std::unique_ptr<const Content> content;
  };
  static Reply of(Kind kind) {
    Reply reply;
    reply.kind_ = kind;
    return reply;
  }
  Reply(Kind kind, std::string text);

  Kind kind_ = Kind::nil;
  bool is_unknown_ = false;  // the number, which is that of milliseconds
  std::int64_t number_ = 0;
  Body body_;
};

struct Reply::Content {
  std::string text;
  std::vector<Reply> elements;
  bool operator==(const Content&) const = default;
};

inline Reply::Body::Body(Content made) : content(std::make_unique<const Content>(std::move(made))) {}
inline Reply::Body::Body(const Body& other)
    : content(other.content ? std::make_unique<const Content>(*other.content) : nullptr) {}
inline Reply::Body::Body(Body&& other) noexcept = default;
inline Reply::Body& Reply::Body::operator=(Body other) noexcept {
  content = std::move(other.content);
  return *this;
}
inline Reply::Body::~Body() = default;
inline bool Reply::Body::operator==(const Body& other) const {
  return content && other.content ? *content == *other.content : content == other.content;
}

inline Reply::Reply(Kind kind, std::string text) : kind_(kind), body_(Content{std::move(text), {}}) {}
inline Reply Reply::array(std::vector<Reply> elements) {
  Reply reply = of(Kind::array);
  if (!elements.empty()) reply.body_ = Body(Content{{}, std::move(elements)});
  return reply;
}
inline const std::string& Reply::text() const {
  static const std::string none;
  if (body_.content) return body_.content->text;
  return kind_ == Kind::status ? ok_text : none;
}
inline const std::vector<Reply>& Reply::elements() const {
  static const std::vector<Reply> none;
  return body_.content ? body_.content->elements : none;
}

}  // namespace holdfast
