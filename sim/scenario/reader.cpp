#include "sim/scenario/reader.hpp"

#include <algorithm>
#include <charconv>
#include <span>

#include "sim/core/redis_settings.hpp"
#include "sim/scenario/nearest.hpp"

namespace holdfast {
namespace {

std::string_view name_of(JsonValue::Kind kind) {
  switch (kind) {
    case JsonValue::Kind::null: return "null";
    case JsonValue::Kind::boolean: return "true or false";
    case JsonValue::Kind::number: return "a number";
    case JsonValue::Kind::text: return "text";
    case JsonValue::Kind::list: return "a list";
    case JsonValue::Kind::object: return "an object";
  }
  return "";
}

Problems::Help help_for(std::string_view word, const std::vector<std::string_view>& words) {
  const std::optional<std::string_view> likely = nearest(word, words);
  return {.hint = likely ? fmt::format("did you mean \"{}\"?", *likely) : std::string(),
          .allowed = fmt::format("allowed: {}", fmt::join(words, " "))};
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

// "0x2a" or "42"; at most 64 bits.
std::optional<std::uint64_t> parse_seed(std::string_view text) {
  const bool is_hex = text.starts_with("0x");
  const std::string_view digits = text.substr(is_hex ? 2 : 0);
  std::uint64_t seed = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), seed, is_hex ? 16 : 10);
  const bool has_capitals =
      std::any_of(digits.begin(), digits.end(), [](char c) { return c >= 'A' && c <= 'F'; });
  if (error != std::errc() || end != digits.data() + digits.size() || has_capitals) return std::nullopt;
  if (digits.size() > (is_hex ? 16u : 19u)) return std::nullopt;
  return seed;
}

// REQUIRES: client_text accepts it.
ClientId client_of(std::string_view text) {
  if (text.size() == 1) return ClientId{static_cast<std::uint32_t>(text[0] - 'A')};
  return ClientId{static_cast<std::uint32_t>((text[1] - '0') * 10 + (text[2] - '0'))};
}

}  // namespace

const JsonValue* Reader::take(std::string_view key, Need need) {
  keys_.push_back(key);
  const JsonValue* value = object_.find(key);
  if (value == nullptr && need == Need::required) {
    const Span brace{object_.span.begin, object_.span.begin + 1};
    problems_.add(brace, pointer_, fmt::format("key \"{}\" is missing here", key));
  }
  return value;
}

const JsonValue* Reader::take_text(std::string_view key, Need need, std::string_view expects) {
  const JsonValue* value = take(key, need);
  if (value == nullptr) return nullptr;
  return expect_kind(*value, pointer_to(pointer_, key), JsonValue::Kind::text, expects) ? value : nullptr;
}

bool Reader::expect_kind(const JsonValue& value, const std::string& pointer, JsonValue::Kind kind,
                         std::string_view expects) {
  if (value.kind == kind) return true;
  problems_.add(value.span, pointer, fmt::format("expected {}, found {}", expects, name_of(value.kind)));
  return false;
}

void Reader::schema_reference(std::string_view key, std::string_view) {
  take_text(key, Need::optional, "text");
}

void Reader::version(std::string_view key, std::int64_t version, std::string_view) {
  const JsonValue* value = take(key, Need::required);
  const std::string pointer = pointer_to(pointer_, key);
  if (value == nullptr || !expect_kind(*value, pointer, JsonValue::Kind::number, "a number")) return;
  if (value->integer != version)
    problems_.add(value->span, pointer,
                  fmt::format("unknown version: this program reads version {}", version));
}

void Reader::text(std::string_view key, std::string& out, const TextRule& rule, std::string_view, Need need) {
  const JsonValue* value = take_text(key, need, rule.expects);
  if (value == nullptr) return;
  if (rule.accepts(value->text)) out = value->text;
  else
    problems_.add(value->span, pointer_to(pointer_, key),
                  fmt::format("expected {}, found {}", rule.expects, in_quotes(value->text)));
}

void Reader::texts(std::string_view key, std::vector<std::string>& out, Bounds bounds, std::string_view) {
  for_each_element(key, bounds, [&](const JsonValue& element, const std::string& pointer) {
    if (expect_kind(element, pointer, JsonValue::Kind::text, "text")) out.push_back(element.text);
  });
}

std::optional<Duration> Reader::read_duration(const JsonValue& value, const std::string& pointer, Sign sign) {
  const auto reject = [&](std::string message) {
    problems_.add(value.span, pointer, std::move(message));
    return std::nullopt;
  };
  if (value.kind == JsonValue::Kind::number)
    return reject("a duration is text with a unit, such as \"30ms\" or \"1.5s\"");
  if (!expect_kind(value, pointer, JsonValue::Kind::text, "a duration such as \"30ms\" or \"1.5s\""))
    return std::nullopt;
  std::string_view size = value.text;
  const bool is_negative = size.starts_with('-');
  if (is_negative) size.remove_prefix(1);
  if (is_number(size))
    return reject(fmt::format("a duration needs a unit: {} → \"{}ms\"", in_quotes(value.text),
                              value.text.substr(0, 20)));
  const std::optional<Duration> length = parse_duration(size);
  if (!length)
    return reject(fmt::format(
        "{} is not a duration: a number and us, ms, s, m or h, in whole microseconds, such as \"1.5s\"",
        in_quotes(value.text)));
  if (*length > duration_max)
    return reject(fmt::format("{} is too long: at most a day (\"1440m\")", in_quotes(value.text)));
  if (is_negative && sign != Sign::any) return reject(fmt::format("{} is negative", in_quotes(value.text)));
  if (*length == 0s && sign == Sign::positive)
    return reject(fmt::format("{} is too short: it must be longer than nothing", in_quotes(value.text)));
  return is_negative ? -*length : *length;
}

void Reader::duration(std::string_view key, Duration& out, Sign sign, std::string_view, Need need) {
  const JsonValue* value = take(key, need);
  if (value == nullptr) return;
  const std::optional<Duration> length = read_duration(*value, pointer_to(pointer_, key), sign);
  if (length) out = *length;
}

std::optional<std::int64_t> Reader::read_count(std::string_view key, Bounds bounds) {
  const JsonValue* value = take(key, Need::optional);
  const std::string pointer = pointer_to(pointer_, key);
  const std::string expects = fmt::format("a whole number from {} to {}", bounds.min, bounds.max);
  if (value == nullptr || !expect_kind(*value, pointer, JsonValue::Kind::number, expects))
    return std::nullopt;
  if (value->integer && *value->integer >= bounds.min && *value->integer <= bounds.max) return value->integer;
  problems_.add(value->span, pointer,
                fmt::format("expected {}, found {}", expects, problems_.source(value->span)));
  return std::nullopt;
}

void Reader::seed(std::string_view key, std::uint64_t& out, std::string_view) {
  constexpr std::string_view expects = "a seed as text, such as \"42\" or \"0x2a\"";
  const JsonValue* value = take_text(key, Need::optional, expects);
  if (value == nullptr) return;
  const std::optional<std::uint64_t> seed = parse_seed(value->text);
  if (seed) out = *seed;
  else
    problems_.add(value->span, pointer_to(pointer_, key),
                  fmt::format("expected {}, found {}", expects, in_quotes(value->text)));
}

void Reader::client(std::string_view key, std::optional<ClientId>& out, std::string_view about) {
  std::string text;
  this->text(key, text, client_text, about);
  if (!text.empty()) out = client_of(text);
}

Reader::Word Reader::read_word(const JsonValue& value, const std::string& pointer, std::string_view noun,
                               const std::vector<std::string_view>& words) {
  if (!expect_kind(value, pointer, JsonValue::Kind::text, fmt::format("a {}", noun))) return {};
  const auto found = std::find(words.begin(), words.end(), value.text);
  if (found != words.end()) return {.exact = *found, .meant = *found};
  problems_.add(value.span, pointer, fmt::format("unknown {} {}", noun, in_quotes(value.text)),
                help_for(value.text, words));
  return {.exact = std::nullopt, .meant = nearest(value.text, words)};
}

void Reader::card(std::string_view key, std::string& out, std::string_view) {
  const JsonValue* value = take(key, Need::required);
  if (value == nullptr) return;
  if (value->kind == JsonValue::Kind::text && known_.card(value->text) != nullptr) {
    out = known_.card(value->text)->id;
    return;
  }
  std::vector<std::string_view> ids;
  for (const Card& card : known_.cards) ids.push_back(card.id);
  const Word id = read_word(*value, pointer_to(pointer_, key), "algorithm", ids);
  if (id.meant) out = *id.meant;
}

void Reader::named_texts(std::string_view key, Texts& out, std::string_view) {
  const JsonValue* value = take(key, Need::optional);
  const std::string pointer = pointer_to(pointer_, key);
  if (value == nullptr || !expect_kind(*value, pointer, JsonValue::Kind::object, "an object")) return;
  for (const JsonMember& member : value->members)
    if (expect_kind(member.value, pointer_to(pointer, member.key), JsonValue::Kind::text, "text"))
      out.emplace_back(member.key, member.value.text);
}

void Reader::redis_settings(std::string_view key, Texts& out, std::string_view) {
  const JsonValue* value = take(key, Need::optional);
  const std::string pointer = pointer_to(pointer_, key);
  if (value == nullptr || !expect_kind(*value, pointer, JsonValue::Kind::object, "an object")) return;
  for (const JsonMember& member : value->members) {
    const std::string here = pointer_to(pointer, member.key);
    if (!expect_kind(member.value, here, JsonValue::Kind::text, "text")) continue;
    const std::string& text = member.value.text;
    if (is_redis_setting(member.key, text)) out.emplace_back(member.key, text);
    else problems_.add(member.value.span, here, redis_setting_problem(member.key, text));
  }
}

void Reader::params(std::string_view key, const std::string& card_id, Texts& out, std::string_view) {
  const JsonValue* value = take(key, Need::optional);
  const std::string pointer = pointer_to(pointer_, key);
  if (value == nullptr || !expect_kind(*value, pointer, JsonValue::Kind::object, "an object")) return;
  const Card* card = known_.card(card_id);
  if (card == nullptr) return;
  for (const JsonMember& member : value->members)
    read_param(*card, member, pointer_to(pointer, member.key), out);
}

void Reader::read_param(const Card& card, const JsonMember& member, const std::string& pointer, Texts& out) {
  const auto& declared = card.parameters;
  const auto parameter = std::find_if(declared.begin(), declared.end(),
                                      [&](const Parameter& p) { return p.name == member.key; });
  if (parameter == declared.end()) {
    std::vector<std::string_view> names;
    for (const Parameter& each : declared) names.push_back(each.name);
    problems_.add(member.key_span, pointer,
                  fmt::format("the lock \"{}\" has no parameter {}", card.id, in_quotes(member.key)),
                  help_for(member.key, names));
    return;
  }
  if (parameter->kind == Parameter::Kind::duration) {
    if (!read_duration(member.value, pointer, Sign::not_negative)) return;
  } else if (parameter->kind == Parameter::Kind::choice) {
    if (!read_word(member.value, pointer, parameter->name, parameter->choices).exact) return;
  } else if (!expect_kind(member.value, pointer, JsonValue::Kind::text,
                          "a whole number as text, such as \"3\"")) {
    return;
  }
  try {
    Params(declared).set(member.key, member.value.text);
    out.emplace_back(member.key, member.value.text);
  } catch (const BadParameter& error) {
    problems_.add(member.value.span, pointer, error.what());
  }
}

void Reader::store(std::string_view key, const std::string& card_id, StoreKind& out, std::string_view) {
  const JsonValue* value = take(key, Need::optional);
  const Card* card = known_.card(card_id);
  if (card != nullptr) out = card->store;
  if (value == nullptr) return;
  const std::string pointer = pointer_to(pointer_, key);
  const std::optional<std::string_view> id =
      read_word(*value, pointer, "store", {store_kind_ids.begin(), store_kind_ids.end()}).exact;
  if (!id || card == nullptr || *id == id_of(card->store)) return;
  problems_.add(value->span, pointer, fmt::format("the lock \"{}\" does not run on \"{}\"", card->id, *id),
                {.hint = {}, .allowed = fmt::format("allowed: {}", id_of(card->store))});
}

void Reader::belief(std::string_view key, const std::string& card_id, std::optional<Belief>& out,
                    std::string_view) {
  const JsonValue* value = take(key, Need::optional);
  if (value == nullptr) return;
  const std::string pointer = pointer_to(pointer_, key);
  const std::optional<std::string_view> id =
      read_word(*value, pointer, "belief", words_of<Belief>(known_)).exact;
  if (!id) return;
  out = from_id<Belief>(belief_ids, *id);
  const Card* card = known_.card(card_id);
  if (card == nullptr || card->beliefs.contains(*out)) return;
  std::vector<std::string_view> sensible;
  for (const std::string_view each : belief_ids)
    if (card->beliefs.contains(*from_id<Belief>(belief_ids, each))) sensible.push_back(each);
  problems_.add(value->span, pointer,
                fmt::format("belief \"{}\" makes no sense for the lock \"{}\"", *id, card->id),
                {.hint = {}, .allowed = fmt::format("allowed: {}", fmt::join(sensible, " "))});
}

void Reader::finish() {
  if (skips_unknown_keys_) return;
  for (const JsonMember& member : object_.members) {
    if (std::find(keys_.begin(), keys_.end(), member.key) != keys_.end()) continue;
    const std::string message = owner_.empty()
                                    ? fmt::format("unknown key {}", in_quotes(member.key))
                                    : fmt::format("{} has no key {}", owner_, in_quotes(member.key));
    problems_.add(member.key_span, pointer_to(pointer_, member.key), message, help_for(member.key, keys_));
  }
}

}  // namespace holdfast
