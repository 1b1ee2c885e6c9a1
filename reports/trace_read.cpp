// Reads trace files, strictly.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>
#include <variant>

#include "reports/event_fields.hpp"
#include "reports/explanation.hpp"
#include "reports/names_read.hpp"
#include "reports/story.hpp"
#include "reports/trace_json.hpp"
#include "sim/scenario/json_positions.hpp"
#include "sim/scenario/nearest.hpp"
#include "sim/trace/trace.hpp"

namespace holdfast::reports {
namespace {

using SourceFiles = std::set<std::string, std::less<>>;

std::optional<std::string> bytes_of(std::string_view hex) {
  std::string bytes;
  if (hex.size() % 2 != 0) return std::nullopt;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const std::optional<unsigned char> byte = number_in<unsigned char>(hex.substr(i, 2), 16);
    if (!byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
  }
  return bytes;
}

// An event of this kind, its fields at their defaults. False when there is no such kind.
template <std::size_t index = 0>
bool make(std::string_view kind, What& what) {
  if constexpr (index < std::variant_size_v<AnyEvent>) {
    if (event_kinds()[index] != kind) return make<index + 1>(kind, what);
    what.emplace<index>();
    return true;
  }
  return false;
}

// Fills values from JSON; a value that does not fit becomes a problem at its place.
class TraceReader {
 public:
  using Kind = JsonValue::Kind;
  TraceReader(std::string_view text, Problems& problems) : text_(text), problems_(problems) {}

  // One object: operator() for each of its keys, then finish().
  class Object {
   public:
    Object(TraceReader& reader, const JsonValue& value, std::string pointer)
        : reader_(reader), value_(value), pointer_(std::move(pointer)) {
      if (value.kind != Kind::object) reader_.expected(value, pointer_, "an object");
    }
    template <class Field>
    void operator()(const char* name, Field& field) {
      if (const JsonValue* value = find(name)) reader_.read(*value, pointer_to(pointer_, name), field);
    }
    // As operator(), but the key may be missing.
    template <class Field>
    void optional(const char* name, std::optional<Field>& field) {
      names_.push_back(name);
      if (const JsonValue* value = value_.find(name))
        reader_.read(*value, pointer_to(pointer_, name), field.emplace());
    }
    const JsonValue* find(const char* name) {
      names_.push_back(name);
      const JsonValue* value = value_.find(name);
      if (value == nullptr && value_.kind == Kind::object)
        reader_.problems_.add({value_.span.begin, value_.span.begin + 1}, pointer_,
                              fmt::format("key \"{}\" is missing here", name));
      return value;
    }
    void finish() {
      for (const JsonMember& member : value_.members)
        if (std::find(names_.begin(), names_.end(), member.key) == names_.end())
          reader_.unknown(member.key_span, pointer_to(pointer_, member.key), "key", member.key, names_);
    }

   private:
    TraceReader& reader_;
    const JsonValue& value_;
    std::string pointer_;
    std::vector<std::string_view> names_;
  };

  void expected(const JsonValue& value, const std::string& pointer, std::string_view what) {
    problems_.add(value.span, pointer, fmt::format("expected {}", what));
  }
  void unknown(Span span, const std::string& pointer, std::string_view noun, std::string_view word,
               std::span<const std::string_view> words) {
    const std::optional<std::string_view> likely = nearest(word, words);
    problems_.add(span, pointer, fmt::format("unknown {} {}", noun, in_quotes(word)),
                  {.hint = likely ? fmt::format("did you mean \"{}\"?", *likely) : "",
                   .allowed = fmt::format("allowed: {}", fmt::join(words, " "))});
  }

  void read(const JsonValue& value, const std::string& pointer, std::int64_t& out) {
    if (value.integer) out = *value.integer;
    else expected(value, pointer, "a whole number");
  }
  template <class Number>
    requires(std::is_unsigned_v<Number> && !std::is_same_v<Number, bool>)
  void read(const JsonValue& value, const std::string& pointer, Number& out) {
    const std::int64_t number = value.integer.value_or(-1);
    const std::uint64_t most = std::numeric_limits<Number>::max();
    if (number >= 0 && static_cast<std::uint64_t>(number) <= most) out = static_cast<Number>(number);
    else expected(value, pointer, fmt::format("a whole number from 0 to {}", most));
  }
  void read(const JsonValue& value, const std::string& pointer, bool& out) {
    if (value.kind == Kind::boolean) out = text_[value.span.begin] == 't';
    else expected(value, pointer, "true or false");
  }
  void read(const JsonValue& value, const std::string& pointer, std::string& out) {
    if (value.kind == Kind::text) {
      out = value.text;
      return;
    }
    const JsonValue* hex = value.find("hex");
    const std::optional<std::string> bytes =
        hex && value.members.size() == 1 ? bytes_of(hex->text) : std::nullopt;
    if (bytes) out = *bytes;
    else expected(value, pointer, "text, or its bytes as {\"hex\": \"…\"}");
  }
  void read(const JsonValue& value, const std::string& pointer, Duration& out) {
    std::int64_t count = 0;
    read(value, pointer, count);
    out = Duration(count);
  }
  void read(const JsonValue& value, const std::string& pointer, Instant& out) {
    if (value.kind == Kind::null) {
      out = never;
      return;
    }
    Duration since_start{};
    read(value, pointer, since_start);
    out = Instant(since_start);
  }
  void read(const JsonValue& value, const std::string& pointer, MessageId& out) {
    read(value, pointer, out.value);
  }
  void read(const JsonValue& value, const std::string& pointer, Step& out) {
    read(value, pointer, out.value);
  }
  void read(const JsonValue& value, const std::string& pointer, ClientId& out) {
    take(value, pointer, "a client, such as \"A\"", client_called(value.text), out);
  }
  void read(const JsonValue& value, const std::string& pointer, NodeId& out) {
    take(value, pointer, "a node, such as \"redis-1\"", node_called(value.text), out);
  }
  void read(const JsonValue& value, const std::string& pointer, Actor& out) {
    take(value, pointer, "who acts: \"time\", a client such as \"A\", or a node such as \"redis-1\"",
         actor_called(value.text), out);
  }
  void read(const JsonValue& value, const std::string& pointer, Acquisition& out) {
    out = {};
    if (value.kind == Kind::null) return;
    const std::string_view text = value.text;
    const std::size_t hash = text.find('#');
    std::optional<Acquisition> acquisition;
    if (hash != std::string_view::npos) {
      const auto client = client_called(text.substr(0, hash));
      const auto number = number_in<std::uint32_t>(text.substr(hash + 1));
      if (client && number) acquisition = {*client, *number};
    }
    take(value, pointer, "an acquisition, such as \"A#1\", or null", acquisition, out);
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void read(const JsonValue& value, const std::string& pointer, Enum& out) {
    const auto& words = ids_of<Enum>();
    if (value.kind != Kind::text) return expected(value, pointer, "a word");
    if (const std::optional<Enum> found = from_id<Enum>(words, value.text)) out = *found;
    else unknown(value.span, pointer, "word", value.text, words);
  }
  void read(const JsonValue& value, const std::string& pointer, SourceLine& out) {
    out = {};
    if (value.kind == Kind::null) return;
    const std::string_view text = value.text;
    const std::size_t colon = text.rfind(':');
    const auto line =
        colon == std::string_view::npos ? std::nullopt : number_in<std::uint32_t>(text.substr(colon + 1));
    if (!line) return expected(value, pointer, "a source line, such as \"algorithms/token.cpp:19\", or null");
    out = {source_files->emplace(text.substr(0, colon)).first->c_str(), *line};
  }
  void read(const JsonValue& value, const std::string& pointer, Reply& out) {
    out = Reply::nil();
    if (value.kind == Kind::null) return;
    if (value.kind == Kind::number) {
      std::int64_t number = 0;
      read(value, pointer, number);
      out = Reply::integer(number);
    } else if (value.kind == Kind::list) {
      std::vector<Reply> elements;
      read(value, pointer, elements);
      out = Reply::array(std::move(elements));
    } else if (const JsonValue* status = value.find("status")) {
      out = Reply::status(text_in(*status, pointer));
    } else if (const JsonValue* error = value.find("error")) {
      out = Reply::error(text_in(*error, pointer));
    } else if (value.find("lost") != nullptr) {
      out = Reply::lost();
    } else {
      out = Reply::bulk(text_in(value, pointer));
    }
  }
  template <class Value>
  void read(const JsonValue& value, const std::string& pointer, std::optional<Value>& out) {
    if (value.kind == Kind::null) out.reset();
    else read(value, pointer, out.emplace());
  }
  template <class Value>
  void read(const JsonValue& value, const std::string& pointer, std::vector<Value>& out) {
    if (value.kind != Kind::list) return expected(value, pointer, "a list");
    for (std::size_t i = 0; i < value.elements.size(); ++i)
      read(value.elements[i], pointer_to(pointer, std::to_string(i)), out.emplace_back());
  }
  void read(const JsonValue& value, const std::string& pointer, Choice& out) {
    const std::size_t size = value.elements.size();
    if (size != 4 && size != 5 && size != 7)
      return expected(value, pointer, "a choice: [site, actor, options, picked], of a step also its action");
    read(value.elements[0], pointer + "/0", out.site);
    Actor actor;
    read(value.elements[1], pointer + "/1", actor);
    if ((out.site == Site::step) != (size > 4)) return expected(value, pointer, "a step with its action");
    (out.site == Site::step ? out.action.actor : out.actor) = actor;
    if (size > 4) read_action(value.elements[4], pointer + "/4", out.action);
    std::uint32_t way = 0;
    if (size > 5) read(value.elements[5], pointer + "/5", way);
    out.action.how = how_of_number(out.action, way);
    if (size > 5) read(value.elements[6], pointer + "/6", out.action.nth);
    read(value.elements[2], pointer + "/2", out.options);
    read(value.elements[3], pointer + "/3", out.picked);
    if (out.picked >= out.options)
      expected(value.elements[3], pointer + "/3", fmt::format("less than {} options", out.options));
  }
  // The kind of an action, or the fault that strikes.
  void read_action(const JsonValue& value, const std::string& pointer, Action& out) {
    if (const auto fault = from_id<Fault>(fault_ids, value.text); fault && *fault != Fault::none) {
      out.kind = Action::Kind::strike;
      out.fault = *fault;
    } else if (const auto kind = from_id<Action::Kind>(action_ids, value.text)) {
      out.kind = *kind;
    } else {
      unknown(value.span, pointer, "action", value.text, {action_ids.begin(), action_ids.end()});
    }
  }
  void read(const JsonValue& value, const std::string& pointer, Finding& out) {
    Object object(*this, value, pointer);
    object("property", out.property);
    object("from", out.from);
    object("to", out.to);
    object("because", out.because);
    object.finish();
  }
  // A part of an explanation.
  template <class Part>
    requires requires(Object& object, Part& part) { describe(object, part); }
  void read(const JsonValue& value, const std::string& pointer, Part& out) {
    Object object(*this, value, pointer);
    describe(object, out);
    object.finish();
  }
  void read(const JsonValue& value, const std::string& pointer, Event& out) {
    Object object(*this, value, pointer);
    object("step", out.step);
    object("at_us", out.at);
    object("actor", out.actor);
    const JsonValue* kind = object.find("event");
    if (kind == nullptr) return;
    if (!make(kind->text, out.what))
      return unknown(kind->span, pointer + "/event", "event", kind->text, event_kinds());
    std::visit([&](auto& what) { describe(object, what); }, out.what);
    object.finish();
  }
  void read(const JsonValue& value, const std::string& pointer, Digest& out) {
    const std::string_view hex = value.text;
    const auto high = hex.size() == 32 ? number_in<std::uint64_t>(hex.substr(0, 16), 16) : std::nullopt;
    const auto low = hex.size() == 32 ? number_in<std::uint64_t>(hex.substr(16), 16) : std::nullopt;
    if (high && low) out = {*high, *low};
    else expected(value, pointer, "a fingerprint: 32 hexadecimal digits");
  }

  std::shared_ptr<SourceFiles> source_files = std::make_shared<SourceFiles>();

 private:
  template <class Value>
  void take(const JsonValue& value, const std::string& pointer, std::string_view what,
            const std::optional<Value>& found, Value& out) {
    if (value.kind == Kind::text && found) out = *found;
    else expected(value, pointer, what);
  }
  std::string text_in(const JsonValue& value, const std::string& pointer) {
    std::string text;
    read(value, pointer, text);
    return text;
  }

  std::string_view text_;
  Problems& problems_;
};

// The object that begins at `begin`, with its end. REQUIRES: the text is JSON.
Span object_at(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (in_text && text[i] == '\\') ++i;
    else if (text[i] == '"') in_text = !in_text;
    else if (!in_text && text[i] == '{') ++depth;
    else if (!in_text && text[i] == '}' && --depth == 0) return {begin, i + 1};
  }
  return {begin, text.size()};
}

// The text with everything outside `span` blanked, so that places in it stay where they are.
std::string only(std::string_view text, Span span) {
  std::string masked(text);
  for (std::size_t i = 0; i < masked.size(); ++i)
    if ((i < span.begin || i >= span.end) && masked[i] != '\n') masked[i] = ' ';
  return masked;
}

}  // namespace

ParsedTrace parse_trace(std::string_view text, const std::string& file_name, const Known& known) {
  Problems problems(text, file_name);
  TraceFile trace;
  Parsed scenario;
  if (const std::optional<JsonValue> root = parse_json(text, problems)) {
    TraceReader reader(text, problems);
    TraceReader::Object object(reader, *root, "");
    if (const JsonValue* schema = object.find("schema"); schema && schema->text != "holdfast/trace/1")
      reader.expected(*schema, "/schema",
                      schema->text.starts_with("holdfast/trace/")
                          ? "\"holdfast/trace/1\": a newer holdfast wrote this file"
                          : "\"holdfast/trace/1\": no other kind of file is a trace");
    object("version", trace.version);
    object("steps", trace.example.steps);
    object("steps_original", trace.example.steps_original);
    object("fingerprint", trace.example.fingerprint);
    const JsonValue* described = object.find("scenario");
    object("findings", trace.example.findings);
    object.optional("explanation", trace.example.explanation);
    object.optional("loop", trace.example.loop);
    if (trace.example.loop && trace.example.loop->begin >= trace.example.steps)
      reader.expected(*root->find("loop"), "/loop", "a loop that begins before the last step");
    object.optional("game", trace.game);
    object("tape", trace.example.tape);
    object("events", trace.example.events);
    object.finish();
    if (described && described->kind == JsonValue::Kind::object)
      scenario = parse_scenario(only(text, object_at(text, described->span.begin)), file_name, known);
    else if (described) reader.expected(*described, "/scenario", "a scenario: { … }");
    trace.source_files = reader.source_files;
    if (problems.empty() && fingerprint(trace.example.events) != trace.example.fingerprint)
      reader.expected(*root->find("fingerprint"), "/fingerprint",
                      "the fingerprint of these events: the file was changed after it was written");
  }
  ParsedTrace parsed;
  parsed.problems = problems.take();
  for (Problem& problem : scenario.problems) {
    problem.pointer = "/scenario" + problem.pointer;
    parsed.problems.push_back(std::move(problem));
  }
  const auto place = [](const Problem& problem) {
    return std::tie(problem.line, problem.column, problem.pointer, problem.message);
  };
  std::sort(parsed.problems.begin(), parsed.problems.end(),
            [&](const Problem& one, const Problem& other) { return place(one) < place(other); });
  if (!parsed.problems.empty() || !scenario.scenario) return parsed;
  trace.scenario = std::move(*scenario.scenario);
  trace.example.store = trace.scenario.runs_on;
  parsed.trace = std::move(trace);
  return parsed;
}

}  // namespace holdfast::reports
