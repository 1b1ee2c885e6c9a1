#include "sim/guest/script.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <list>
#include <optional>
#include <system_error>
#include <utility>

#include "sim/core/invariant.hpp"
#include "sim/guest/guest_lock.hpp"
#include "sim/guest/lua_host.hpp"

namespace holdfast::guest {
namespace {

constexpr std::string_view usage =
    "a lock in Lua returns a table with acquire(key) and release(key, token), or a module with new()";

}  // namespace

// Reads what the program returned; it is at index 1 of the stack.
struct Script::Reader {
  Script& script;
  lua_State* L;

  [[noreturn]] void fail(const std::string& why) const {
    throw BadCard(script.source_.main().name + ": " + why);
  }
  bool has_function(const char* name) const {
    lua_getfield(L, 1, name);
    const bool is_one = lua_isfunction(L, -1) != 0;
    lua_pop(L, 1);
    return is_one;
  }
  std::optional<std::string> text(const char* name) const {
    lua_getfield(L, 1, name);
    std::optional<std::string> value;
    if (lua_isstring(L, -1) != 0) value = lua_tostring(L, -1);
    else if (lua_isnil(L, -1) == 0) fail(std::string(name) + " is a text");
    lua_pop(L, 1);
    return value;
  }
  bool is_true(const char* name) const {
    lua_getfield(L, 1, name);
    const bool value = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
    return value;
  }
  // The texts of a list, which is on top of the stack; a text alone is a list of one.
  std::vector<std::string> list() const {
    std::vector<std::string> words;
    if (lua_type(L, -1) == LUA_TSTRING) words.emplace_back(lua_tostring(L, -1));
    if (lua_istable(L, -1) == 0) return words;
    for (int i = 1;; ++i) {
      lua_rawgeti(L, -1, i);
      const bool is_end = lua_isnil(L, -1) != 0;
      if (!is_end && lua_isstring(L, -1) != 0) words.emplace_back(lua_tostring(L, -1));
      lua_pop(L, 1);
      if (is_end) return words;
    }
  }
  std::vector<std::string> list(const char* name) const {
    lua_getfield(L, -1, name);
    const std::vector<std::string> words = list();
    lua_pop(L, 1);
    return words;
  }
  template <class Enum, std::size_t N>
  SetOf<Enum> set(const char* what, const std::array<std::string_view, N>& ids,
                  const std::vector<std::string>& words) const {
    SetOf<Enum> made;
    for (const std::string& word : words) {
      for (std::size_t i = 0; word == "every" && i < N; ++i) made.insert(static_cast<Enum>(i));
      if (word == "every") continue;
      const std::optional<Enum> one = from_id<Enum>(ids, word);
      if (!one) fail("there is no " + std::string(what) + " \"" + word + "\"");
      made.insert(*one);
    }
    return made;
  }

  void read();
  void read_parameters();
  void read_parameter(const std::string& name);
  void read_claims();
  void be_module();
};

void Script::Reader::read_parameter(const std::string& name) {
  using Kind = Parameter::Kind;
  const std::string_view kept = script.keep(name);
  const std::string_view help = script.keep("a parameter of the script");
  std::vector<Parameter>& parameters = script.card_.parameters;
  if (lua_istable(L, -1) != 0) {
    std::vector<std::string_view> choices;
    for (std::string& word : list()) choices.push_back(script.keep(std::move(word)));
    if (choices.empty()) fail("parameter " + name + " has no values to choose from");
    parameters.push_back({kept, Kind::choice, choices.front(), help, choices});
    return;
  }
  if (lua_isstring(L, -1) == 0)
    fail("parameter " + name + " is a number, a time as \"4s\", or a list of words");
  const bool is_count = lua_type(L, -1) == LUA_TNUMBER;  // which lua_tostring() makes a text
  const std::string value = lua_tostring(L, -1);
  if (!is_count && !parse_duration(value))
    fail("parameter " + name + ": \"" + value + "\" is no time, such as \"4s\"");
  parameters.push_back({kept, is_count ? Kind::count : Kind::duration, script.keep(value), help});
}

void Script::Reader::read_parameters() {
  if (const std::optional<std::string> ttl = text("ttl")) {
    if (!parse_duration(*ttl)) fail("ttl is a time, such as \"4s\": not \"" + *ttl + "\"");
    script.card_.parameters.push_back(
        {"ttl", Parameter::Kind::duration, script.keep(*ttl), "how long the key lasts"});
    script.card_.keeps_ttl = true;
  }
  lua_getfield(L, 1, "parameters");
  std::vector<std::string> names;
  if (lua_istable(L, -1) != 0)
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
      if (lua_type(L, -2) != LUA_TSTRING) fail("parameters are named");
      names.emplace_back(lua_tostring(L, -2));
    }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    lua_getfield(L, -1, name.c_str());
    read_parameter(name);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void Script::Reader::read_claims() {
  lua_getfield(L, 1, "claims");
  for (int i = 1; lua_istable(L, -1) != 0; ++i) {
    lua_rawgeti(L, -1, i);
    if (lua_istable(L, -1) == 0) {
      lua_pop(L, 1);
      break;
    }
    const auto properties = set<Property>("property", property_ids, list("properties"));
    const auto under = set<Fault>("fault", fault_ids, list("under"));
    script.card_.claims.push_back({properties, under});
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

// In the manner of resty.lock: new(name, options), lock(key), unlock(), expire().
void Script::Reader::be_module() {
  using Kind = Parameter::Kind;
  Card& card = script.card_;
  card.store = StoreKind::shared_dict;
  card.beliefs = {Belief::until_release, Belief::deadline_from_request, Belief::deadline_from_reply};
  card.parameters = {
      {"ttl", Kind::duration, "30s", "option exptime"},
      {"timeout", Kind::duration, "5s", "option timeout; 5s is: not given"},
      {"step", Kind::duration, "1ms", "option step; 1ms is: not given"},
      {"ratio", Kind::count, "2", "option ratio"},
      {"max-step", Kind::duration, "500ms", "option max_step"},
      {"expire-every", Kind::duration, "0s", "callers call expire() this often; 0s: never"},
      {"unlock",
       Kind::choice,
       "called",
       "forgotten: callers leave the object to the garbage collector",
       {"called", "forgotten"}},
      {"collect-after", Kind::duration, "1m", "with unlock=forgotten: when the garbage collector runs"},
      {"dictionary",
       Kind::choice,
       "declared",
       "undeclared: lua_shared_dict does not name it",
       {"declared", "undeclared"}}};
  card.waiting = {{"timeout", "3s"}, {"step", "1s"}, {"max-step", "1s"}};
}

void Script::Reader::read() {
  if (lua_istable(L, 1) == 0) fail(std::string(usage));
  Card& card = script.card_;
  const bool is_lock = has_function("acquire") && has_function("release");
  if (!is_lock && !has_function("new")) fail(std::string(usage));
  const std::string summary = text("summary").value_or("a lock in Lua");
  card.summary = script.keep(summary);
  card.source = script.keep(text("source").value_or(script.source_.main().name));
  card.lesson = script.keep(text("lesson").value_or(summary + "."));
  card.protocol = {.acquire = "see the script", .release = "see the script"};
  card.is_guest = true;
  if (!is_lock) return be_module();
  const std::string store = text("store").value_or("redis");
  if (store != "redis" && store != "shared-dict") fail("store is \"redis\" or \"shared-dict\"");
  card.store = store == "redis" ? StoreKind::redis : StoreKind::shared_dict;
  card.is_stateless = script.is_stateless_ = is_true("stateless");
  card.renews = is_true("renews");
  card.has_readers = is_true("readers");
  script.twin_of_ = text("twin_of").value_or("");
  lua_getfield(L, 1, "beliefs");
  const std::vector<std::string> beliefs = list();
  lua_pop(L, 1);
  if (!beliefs.empty()) {
    card.beliefs = set<Belief>("belief", belief_ids, beliefs);
    card.belief = *from_id<Belief>(belief_ids, beliefs.front());
  }
  read_parameters();
  read_claims();
}

Script::Script(LuaFile file, std::string directory) : source_(std::move(file), std::move(directory)) {
  card_.id = source_.main().name;
  try {
    LuaSession first(source_, 0);
    const Action loaded = first.tell(Told{.kind = Told::Kind::begin});
    if (!loaded.effects.empty()) throw Unusable("it sends, sleeps or asks for the time while it is loaded");
    first.inspect([this](lua_State* L) { Reader{*this, L}.read(); });
  } catch (const Unusable& why) {
    throw BadCard(source_.main().name + ": cannot be loaded: " + why.what());
  }
  histories_.push_back(make_histories({}));
  card_.make = [this](const Params& params) -> std::unique_ptr<Lock> {
    return std::make_unique<GuestLock>(*histories_.back(), params, is_stateless_);
  };
}

namespace {

// A call, to a server that answers all with this. No sleep ends.
void call(LuaSession& worker, Told event, const Reply& answer) {
  constexpr int steps_max = 1000;
  event.party = 1;
  Action now = worker.tell(event);
  for (int step = 0; step < steps_max && !now.effects.empty(); ++step) {
    const Effect last = now.effects.back();
    if (last.kind == Effect::Kind::clock) now = worker.tell({.kind = Told::Kind::time, .party = 1});
    else if (last.kind == Effect::Kind::send)
      now = worker.tell({.kind = Told::Kind::reply, .party = 1, .id = last.id, .reply = answer});
    else break;
  }
}

}  // namespace

// Whether nothing is left of a release() that follows its acquire() at once. A program that leaves timers has
// ever longer histories, where clients never end.
bool Script::comes_to_rest() const {
  try {
    for (const Reply& answer : {Reply::ok(), Reply::integer(1)}) {
      LuaSession worker(source_, 0);
      Told begin{.kind = Told::Kind::begin, .number = 16};
      for (const Parameter& each : card_.parameters) {
        begin.words.emplace_back(each.name);
        begin.words.emplace_back(each.kind == Parameter::Kind::duration ? "1000000us" : each.fallback);
      }
      worker.tell(begin);
      const std::optional<std::string> begun = worker.memory();
      call(worker, {.kind = Told::Kind::acquire, .words = {"job", "exclusive"}}, answer);
      call(worker, {.kind = Told::Kind::release, .words = {"job", "token"}}, answer);
      if (!begun || worker.memory() != begun) return false;
    }
    return true;
  } catch (const Unusable&) {
    return false;
  }
}

std::unique_ptr<Histories> Script::make_histories(std::vector<std::uint64_t> chances) const {
  constexpr std::uint64_t seed = 0x686F6C6466617374;
  constexpr std::size_t fresh = 31;
  return std::make_unique<Histories>(
      Histories::Runs{.begin = [this](std::uint64_t chance,
                                      bool) { return std::make_unique<LuaSession>(source_, seed + chance); },
                      .fresh = fresh,
                      .comes_to_rest = comes_to_rest(),
                      .chances = std::move(chances)});
}

bool Script::let_texts_repeat() const {
  std::vector<std::uint64_t> chances = histories_.back()->chances_to_explore();
  if (chances.empty()) return false;
  histories_.push_back(make_histories(std::move(chances)));
  return true;
}

namespace scripts {
namespace {

std::list<Script>& all() {
  static std::list<Script> scripts;
  return scripts;
}

}  // namespace

const Script& load(const std::string& path, const std::string& name) {
  namespace fs = std::filesystem;
  for (const Script& known : all())
    if (known.card().id == name) return known;
  std::ifstream in(path, std::ios::binary);
  if (!in || fs::is_directory(path))
    throw std::system_error(in ? EISDIR : errno, std::generic_category(), path);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const fs::path directory = fs::path(path).parent_path();
  return all().emplace_back(LuaFile{name, std::move(text)}, directory.empty() ? "." : directory.string());
}

const Script* of(const Card& card) {
  for (const Script& known : all())
    if (known.card().id == card.id) return &known;
  return nullptr;
}

bool let_texts_repeat() {
  bool is_news = false;
  for (const Script& each : all()) is_news = each.let_texts_repeat() || is_news;
  return is_news;
}

}  // namespace scripts

}  // namespace holdfast::guest
