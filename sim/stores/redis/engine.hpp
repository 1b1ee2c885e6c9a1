// What the Lua engine is made of; seen by the files that implement it only.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <lua.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/stores/redis/scripts.hpp"

namespace holdfast::redis {

// A Lua error jumps over C++ frames. So what a function of the library needs beyond plain numbers and
// pointers is kept here, never in its frame.
class Engine {
 public:
  explicit Engine(Scripts::Limits limits);
  ~Engine();
  Engine(const Engine&) = delete;

  const Script* compile(std::string_view body, Reply& problem);
  const Script* find(std::string_view sha) const;
  Reply run(const Script& script, WordsView keys, WordsView args, Scripts::Host& host);

  // The engine that owns this state.
  static Engine& of(lua_State* L);
  // Work that counts like so many instructions; raises the error that stops the script when too much was
  // done.
  void charge(lua_State* L, std::size_t instructions);
  // Work on so many bytes counts like one.
  static constexpr std::size_t bytes_per_instruction = 16;
  // Whether the run has used up its instructions and is on its way out.
  bool is_stopped() const { return is_stopped_; }
  // Around every call from C into Lua: LuaJIT nests such calls, and coroutines, on the stack of the process.
  // Raises Lua's own error when they are too deep. leave() takes what enter() gave; errors need no leave().
  int enter(lua_State* L);
  void leave(int depth) { depth_ = depth; }
  // The next number of the generator of math.random(), below 2^31 (drand48, as in Redis).
  std::uint32_t next_random();
  void seed_random(std::uint32_t seed) { random_ = (std::uint64_t{seed} << 16) + 0x330E; }
  bool is_seeded = false;  // by the script

  // The run in progress.
  Scripts::Host* host = nullptr;
  int resp = 2;                    // what redis.setresp() chose
  std::int64_t objects_named = 0;  // by tostring()
  // Where time is dense: it was given an unknown time (library_times.cpp), and one within a text.
  bool has_times = false;
  bool has_marks = false;
  // Scratch of the library.
  Command argv;
  Reply reply;
  struct Key {
    int type;
    double number;
    std::string_view text;
    int place;
  };
  std::vector<Key> keys;

 private:
  struct Compiled {
    Script script;
    std::string body;
    int function = LUA_NOREF;
    std::uint32_t generation = 0;  // of the state in which `function` is
  };

  void open();
  void close();
  // Leaves the compiled function on the stack, or an error message; true when it is a function.
  bool load(std::string_view body);
  void push_function(Compiled& compiled);
  void set_words(const char* name, WordsView words);
  void begin_limits();
  void end_limits();
  void note_obstacles(const Compiled& compiled, bool has_failed) const;
  Reply failure(const Script& script);

  static void* allocate(void* engine, void* block, std::size_t old_size, std::size_t new_size);
  static void count(lua_State* L, lua_Debug*);
  [[noreturn]] void stop(lua_State* L);

  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  Scripts::Limits limits_;
  lua_State* state_ = nullptr;
  std::uint32_t generation_ = 0;
  std::size_t bytes_used_ = 0;
  std::size_t bytes_allowed_ = unlimited;
  std::int64_t instructions_left_ = 0;
  int depth_ = 0;
  bool is_out_of_memory_ = false;
  bool is_stopped_ = false;
  std::uint64_t random_ = 0;
  // Scripts stay where they are: servers keep pointers to them.
  std::deque<Compiled> compiled_;
  std::unordered_map<std::string_view, Compiled*> by_body_;
  std::map<std::string_view, Compiled*> by_sha_;
};

// sandbox.cpp. The stack of a state that nothing runs in, from the bottom.
namespace slot {
inline constexpr int error_handler = 1;
inline constexpr int globals = 2;  // where KEYS and ARGV go
inline constexpr int last = 2;
}  // namespace slot
// Fills these slots.
void build_sandbox(lua_State* L);
// Replaces the table on top by one that shows the same and cannot be written to.
void protect_table(lua_State* L);
// Pushes the table behind the protected table at `index`; pushes nothing and returns false if it is an
// ordinary value.
bool push_behind(lua_State* L, int index);
// Tells the host when the name is that of a library of redis-server 7.0.15 that is not here.
void note_if_absent(lua_State* L, std::string_view name);
// Raises Redis' error for a write to a protected table by a library function.
int refuse_write(lua_State* L);
// Raises the error value {err = "ERR " .. text}.
int raise(lua_State* L, const char* text);

// library_*.cpp. Each puts functions into the table on top.
void add_base_functions(lua_State* L);
void add_coroutine_functions(lua_State* L);
void add_string_functions(lua_State* L);
void add_pattern_functions(lua_State* L);
void add_table_functions(lua_State* L);
void add_math_functions(lua_State* L);
void add_redis_functions(lua_State* L);
// Replace what is there already.
void add_time_functions(lua_State* L);
void add_time_functions_of_math(lua_State* L);
// Pushes an array of the keys of the table at `index`: numbers in rising order, then texts in rising order,
// then the rest. Returns how many.
int push_sorted_keys(lua_State* L, int index);

// Two wrappers around a function of LuaJIT, their upvalue. Errors are not blamed on them.
int call_deeper(lua_State* L);   // counts how deep calls nest
int call_charged(lua_State* L);  // charges for the size of the arguments, too

// library_times.cpp
// A number of milliseconds, which perhaps nobody knows.
void push_time(lua_State* L, MilliTicks time);
// A text, which may stand for a time, or contain one.
void push_text(lua_State* L, std::string_view text);
// Pushes what makes a time, of a state that has none yet.
void push_type_of_times(lua_State* L);
bool is_time(lua_State* L, int index);
// Adds the time there as a word. False: there is none.
bool add_time(lua_State* L, int index, Command& command);
// nullopt: there is none.
std::optional<Reply> time_reply(lua_State* L, int index);
// tostring() of the first argument. 0: it is no time.
int push_time_as_text(lua_State* L);

// lua_values.cpp
// Pushes a command's reply as Redis gives it to a script.
void push_reply(lua_State* L, const Reply& reply, int resp);
// Pushes {err = …} for an error reply or text that begins with a dash, {err = "ERR " .. text} for other text.
void push_error(lua_State* L, std::string_view text);
// The value on top as Redis gives it to a client; takes it off the stack.
Reply pop_reply(lua_State* L, int resp);
// What Redis makes of a Lua number.
std::int64_t to_reply_integer(double number);

}  // namespace holdfast::redis
