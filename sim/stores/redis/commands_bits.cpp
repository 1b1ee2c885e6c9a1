// Commands on the bits of strings: SETBIT GETBIT BITCOUNT BITFIELD BITFIELD_RO. Bit 0 is the highest of the
// first byte.
#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "sim/stores/redis/families.hpp"
#include "sim/stores/redis/numbers.hpp"

namespace holdfast::redis {
namespace {

constexpr int bits_per_byte = 8;

bool bit_of(std::string_view text, std::int64_t place) {
  const auto byte = static_cast<std::size_t>(place / bits_per_byte);
  if (byte >= text.size()) return false;
  return ((static_cast<unsigned char>(text[byte]) >> (7 - place % bits_per_byte)) & 1) != 0;
}

void put_bit(std::string& text, std::int64_t place, bool is_set) {
  char& byte = text[static_cast<std::size_t>(place / bits_per_byte)];
  const auto mask = static_cast<unsigned char>(1 << (7 - place % bits_per_byte));
  const auto before = static_cast<unsigned char>(byte);
  byte = static_cast<char>(is_set ? before | mask : before & ~mask);
}

// "12"; with `width`, "#2" is the third number of so many bits.
std::optional<std::int64_t> to_place(std::string_view text, std::int64_t width) {
  const bool counts_numbers = width > 0 && text.starts_with('#');
  const std::optional<std::int64_t> number = to_integer(counts_numbers ? text.substr(1) : text);
  std::int64_t place = 0;
  if (!number || __builtin_mul_overflow(*number, counts_numbers ? width : 1, &place)) return std::nullopt;
  if (place < 0 || place / bits_per_byte >= static_cast<std::int64_t>(longest_string)) return std::nullopt;
  return place;
}
Reply no_place() { return error("bit offset is not an integer or out of range"); }

// A value that reaches as far as the last bit that a command writes.
struct Room {
  std::string text;
  Entry* there = nullptr;  // null: no such key
  bool has_grown = false;
};
Room room_until(const Invocation& in, const std::string* text, std::int64_t last) {
  const auto size = static_cast<std::size_t>(last / bits_per_byte) + 1;
  Room room{text == nullptr ? std::string() : *text, in.keys.find(in.key()), false};
  room.has_grown = room.text.size() < size;
  if (room.has_grown) room.text.resize(size);
  return room;
}
void put_back(Invocation& in, Room room) {
  if (room.there == nullptr) return in.keys.put(in.key(), std::move(room.text), no_expiry, in.changes);
  room.there->value = std::move(room.text);
  in.keys.touch(in.key(), in.changes);
}

}  // namespace

Reply getbit(Invocation& in) {
  const std::optional<std::int64_t> place = to_place(in.argv[2], 0);
  if (!place) return no_place();
  bool is_wrong_type = false;
  const std::string* text = bytes_at(in, is_wrong_type);
  if (is_wrong_type) return wrong_type();
  return Reply::integer(text != nullptr && bit_of(*text, *place));
}

// Redis documentation, SETBIT: the answer is the bit that was there.
Reply setbit(Invocation& in) {
  const std::optional<std::int64_t> place = to_place(in.argv[2], 0);
  if (!place) return no_place();
  const std::optional<std::int64_t> bit = to_integer(in.argv[3]);
  if (!bit || *bit < 0 || *bit > 1) return error("bit is not an integer or out of range");
  bool is_wrong_type = false;
  const std::string* text = bytes_at(in, is_wrong_type);
  if (is_wrong_type) return wrong_type();
  Room room = room_until(in, text, *place);
  const bool before = bit_of(room.text, *place);
  if (!room.has_grown && before == (*bit == 1)) return Reply::integer(before);
  put_bit(room.text, *place, *bit == 1);
  put_back(in, std::move(room));
  return Reply::integer(before);
}

// Redis documentation, BITCOUNT: both ends belong to it; below zero they count from the end. A key that is
// not there is answered before anything else is looked at.
Reply bitcount(Invocation& in) {
  bool is_wrong_type = false;
  const std::string* text = bytes_at(in, is_wrong_type);
  if (is_wrong_type) return wrong_type();
  if (text == nullptr) return Reply::integer(0);
  if (in.argc() == 3 || in.argc() > 5) return syntax_error();
  auto size = static_cast<std::int64_t>(text->size());
  std::int64_t begin = 0;
  std::int64_t end = size - 1;
  std::int64_t unit = bits_per_byte;
  if (in.argc() > 2) {
    const std::optional<std::int64_t> first = to_integer(in.argv[2]);
    const std::optional<std::int64_t> last = to_integer(in.argv[3]);
    if (!first || !last) return not_an_integer();
    if (*first < 0 && *last < 0 && *first > *last) return Reply::integer(0);
    if (in.argc() == 5 && is_word(in.argv[4], "bit")) unit = 1;
    else if (in.argc() == 5 && !is_word(in.argv[4], "byte")) return syntax_error();
    size = size * bits_per_byte / unit;
    begin = std::max<std::int64_t>(0, *first < 0 ? size + *first : *first);
    end = std::min(size - 1, std::max<std::int64_t>(0, *last < 0 ? size + *last : *last));
  }
  std::int64_t count = 0;
  if (begin <= end)
    for (std::int64_t place = begin * unit; place < (end + 1) * unit; ++place) count += bit_of(*text, place);
  return Reply::integer(count);
}

namespace {

enum class Beyond : std::uint8_t { wraps, stays_at_limit, fails };

// One of the numbers that BITFIELD reads or writes.
struct Field {
  enum class Way : std::uint8_t { get, set, add };
  Way way = Way::get;
  bool is_signed = false;
  int width = 0;  // in bits
  std::int64_t place = 0;
  std::int64_t operand = 0;
  Beyond beyond = Beyond::wraps;
};

// Wide enough for the sum of any two numbers.
using Wide = __int128;

Wide read_field(std::string_view text, const Field& field) {
  Wide number = 0;
  for (int i = 0; i < field.width; ++i) number = number * 2 + (bit_of(text, field.place + i) ? 1 : 0);
  const bool is_negative = field.is_signed && bit_of(text, field.place);
  return is_negative ? number - (Wide{1} << field.width) : number;
}
void write_field(std::string& text, const Field& field, Wide number) {
  for (int i = 0; i < field.width; ++i)
    put_bit(text, field.place + i, ((number >> (field.width - 1 - i)) & 1) != 0);
}

// The number that is kept where `wanted` may not fit; nullopt: none.
std::optional<Wide> fitted(const Field& field, Wide wanted) {
  const Wide range = Wide{1} << field.width;
  const Wide least = field.is_signed ? -range / 2 : 0;
  const Wide most = least + range - 1;
  if (wanted >= least && wanted <= most) return wanted;
  if (field.beyond == Beyond::fails) return std::nullopt;
  if (field.beyond == Beyond::stays_at_limit) return wanted > most ? most : least;
  Wide rest = (wanted - least) % range;
  if (rest < 0) rest += range;
  return least + rest;
}

// "i16", "u8". False: it is none.
bool read_width(std::string_view text, Field& field) {
  if (!text.starts_with('i') && !text.starts_with('u')) return false;
  field.is_signed = text.front() == 'i';
  const std::optional<std::int64_t> width = to_integer(text.substr(1));
  constexpr int widest = 64;
  if (!width || *width < 1 || *width > (field.is_signed ? widest : widest - 1)) return false;
  field.width = static_cast<int>(*width);
  return true;
}

bool read_beyond(std::string_view word, Beyond& beyond) {
  if (is_word(word, "wrap")) beyond = Beyond::wraps;
  else if (is_word(word, "sat")) beyond = Beyond::stays_at_limit;
  else if (is_word(word, "fail")) beyond = Beyond::fails;
  else return false;
  return true;
}

// The width, the place and the operand of `field`, from argv[at] on. nullopt with `problem` set.
std::optional<std::size_t> read_field_words(const Invocation& in, std::size_t at, Field& field,
                                            Reply& problem) {
  if (!read_width(in.argv[at], field)) {
    problem =
        error("Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.");
    return std::nullopt;
  }
  const std::optional<std::int64_t> place = to_place(in.argv[at + 1], field.width);
  if (!place) problem = no_place();
  if (!place) return std::nullopt;
  field.place = *place;
  if (field.way == Field::Way::get) return at + 2;
  const std::optional<std::int64_t> operand = to_integer(in.argv[at + 2]);
  if (!operand) problem = not_an_integer();
  if (!operand) return std::nullopt;
  field.operand = *operand;
  return at + 3;
}

// nullopt with `problem` set.
std::optional<std::vector<Field>> read_fields(const Invocation& in, Reply& problem) {
  std::vector<Field> fields;
  Beyond beyond = Beyond::wraps;
  for (std::size_t at = 2; at < in.argc();) {
    const std::size_t rest = in.argc() - at - 1;
    const std::string_view word = in.argv[at];
    if (is_word(word, "overflow") && rest >= 1) {
      if (!read_beyond(in.argv[at + 1], beyond)) problem = error("Invalid OVERFLOW type specified");
      if (problem.is_error()) return std::nullopt;
      at += 2;
      continue;
    }
    Field field;
    field.beyond = beyond;
    if (is_word(word, "get") && rest >= 2) field.way = Field::Way::get;
    else if (is_word(word, "set") && rest >= 3) field.way = Field::Way::set;
    else if (is_word(word, "incrby") && rest >= 3) field.way = Field::Way::add;
    else problem = syntax_error();
    if (problem.is_error()) return std::nullopt;
    const std::optional<std::size_t> next = read_field_words(in, at + 1, field, problem);
    if (!next) return std::nullopt;
    at = *next;
    fields.push_back(field);
  }
  return fields;
}

// What one field answers. Notes whether it changed anything.
Reply do_field(const Field& field, Room& room, bool& has_changed) {
  const Wide before = read_field(room.text, field);
  if (field.way == Field::Way::get) return Reply::integer(static_cast<std::int64_t>(before));
  Wide wanted = field.operand;
  if (field.way == Field::Way::add) wanted += before;
  // Of a number without a sign, less than nothing is more than it can hold.
  else if (!field.is_signed && wanted < 0) wanted += Wide{1} << 64;
  const std::optional<Wide> after = fitted(field, wanted);
  if (!after) return Reply::nil();
  write_field(room.text, field, *after);
  has_changed = has_changed || room.has_grown || before != *after;
  return Reply::integer(static_cast<std::int64_t>(field.way == Field::Way::set ? before : *after));
}

}  // namespace

Reply bitfield(Invocation& in) {
  Reply problem;
  const std::optional<std::vector<Field>> fields = read_fields(in, problem);
  if (!fields) return problem;
  std::int64_t last = -1;
  for (const Field& field : *fields)
    if (field.way != Field::Way::get) last = std::max(last, field.place + field.width - 1);
  if (last >= 0 && in.row.run == bitfield_ro) return error("BITFIELD_RO only supports the GET subcommand");
  bool is_wrong_type = false;
  const std::string* text = bytes_at(in, is_wrong_type);
  if (is_wrong_type) return wrong_type();
  Room room = room_until(in, text, std::max<std::int64_t>(last, 0));
  room.has_grown = room.has_grown && last >= 0;
  bool has_changed = false;
  std::vector<Reply> answers;
  for (const Field& field : *fields) answers.push_back(do_field(field, room, has_changed));
  // Room is made even where all fields fail.
  if (has_changed || room.has_grown) put_back(in, std::move(room));
  return Reply::array(std::move(answers));
}

Reply bitfield_ro(Invocation& in) { return bitfield(in); }

}  // namespace holdfast::redis
