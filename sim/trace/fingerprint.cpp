// The fingerprint of a trace: every field of every event, in order, as words of a digest. Fields are found by
// counting, so an event that gains one, or a new event, is covered without an edit here.
#include <tuple>
#include <type_traits>

#include "sim/trace/trace.hpp"

namespace holdfast {

// Stands for a field of any type, while fields are counted. Never made, so never defined.
struct AnyField {
  template <class Field>
  operator Field() const;
};

namespace {

template <class Struct, class... Fields>
constexpr std::size_t field_count() {
  if constexpr (requires { Struct{Fields()..., AnyField()}; })
    return field_count<Struct, Fields..., AnyField>();
  else return sizeof...(Fields);
}

// The fields of a struct as a tuple of references. A count that is wrong does not compile.
template <class Struct>
auto fields_of(const Struct& it) {
  constexpr std::size_t count = field_count<Struct>();
  static_assert(count <= 8, "an event with more fields needs one more line below");
  if constexpr (count == 0) {
    return std::tuple();
  } else if constexpr (count == 1) {
    const auto& [a] = it;
    return std::tie(a);
  } else if constexpr (count == 2) {
    const auto& [a, b] = it;
    return std::tie(a, b);
  } else if constexpr (count == 3) {
    const auto& [a, b, c] = it;
    return std::tie(a, b, c);
  } else if constexpr (count == 4) {
    const auto& [a, b, c, d] = it;
    return std::tie(a, b, c, d);
  } else if constexpr (count == 5) {
    const auto& [a, b, c, d, e] = it;
    return std::tie(a, b, c, d, e);
  } else if constexpr (count == 6) {
    const auto& [a, b, c, d, e, f] = it;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    const auto& [a, b, c, d, e, f, g] = it;
    return std::tie(a, b, c, d, e, f, g);
  } else {
    const auto& [a, b, c, d, e, f, g, h] = it;
    return std::tie(a, b, c, d, e, f, g, h);
  }
}

class Mixer {
 public:
  void mix(const std::string& text) { digester_.add(std::string_view(text)); }
  void mix(Duration length) { mix(static_cast<std::int64_t>(length.count())); }
  void mix(Instant at) { mix(at.time_since_epoch()); }
  // Where code stands is not what happened: an edited comment changes no fingerprint.
  void mix(const SourceLine&) {}
  void mix(const Reply& reply) {
    mix(reply.kind());
    mix(reply.number());
    mix(reply.text());
    mix(reply.elements());
  }
  template <class Value>
  void mix(const std::optional<Value>& value) {
    mix(value.has_value());
    if (value) mix(*value);
  }
  template <class Value>
  void mix(const std::vector<Value>& values) {
    mix(values.size());
    for (const Value& value : values) mix(value);
  }
  void mix(const What& what) {
    mix(what.index());
    std::visit([this](const auto& happened) { mix(happened); }, what);
  }
  // Numbers, enumerators, and structs field by field.
  template <class Value>
  void mix(const Value& value) {
    if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>)
      digester_.add(static_cast<std::uint64_t>(value));
    else std::apply([this](const auto&... fields) { (this->mix(fields), ...); }, fields_of(value));
  }

  Digest finish() const { return digester_.finish(); }

 private:
  Digester digester_;
};

}  // namespace

Digest fingerprint(const std::vector<Event>& events) {
  Mixer mixer;
  for (const Event& event : events) mixer.mix(event);
  return mixer.finish();
}

}  // namespace holdfast
