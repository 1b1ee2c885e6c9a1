// One worker of nginx that runs a Lua program, as far as locks need it: threads.lua and its neighbours in
// openresty/ are what the program sees, this is what they see.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/guest/program.hpp"
#include "sim/guest/script_source.hpp"

struct lua_State;
struct lua_Debug;

namespace holdfast::guest {

class LuaSession final : public Session {
 public:
  // `source` outlives it. `seed`: of all chance in it.
  LuaSession(const ScriptSource& source, std::uint64_t seed);
  ~LuaSession() override;
  LuaSession(const LuaSession&) = delete;

  // Texts of the event and of the action are as they are: without marks.
  Action tell(const Told& event) override;
  void draw_anew() override { random_ = next_random(); }
  std::optional<std::string> memory() override;
  // Reads what the program returned when it was loaded: it is on top of the stack. REQUIRES: it was told to
  // begin.
  void inspect(const std::function<void(lua_State*)>& read);
  // The globals that the program sets, and those that it reads and that are never set; it is not run for
  // that.
  void look_at_globals(const std::function<void(std::uint32_t line, std::string what)>& report);

 private:
  // Functions of the table `host`, see openresty/.
  struct Host;
  static LuaSession& of(lua_State* L);
  static void stop(lua_State* L, lua_Debug*);
  void call(int arguments);
  void load_prelude();
  void push_event(const Told& event);
  std::uint64_t next_random();
  // `level`: of the stack, where it begins to look.
  [[noreturn]] void give_up() const;
  ScriptLine place_in(lua_State* L, int level = 1) const;

  const ScriptSource& source_;
  std::uint64_t random_;
  std::unique_ptr<lua_State, void (*)(lua_State*)> state_;
  Action action_;
  std::string unusable_;          // why; empty: it is not
  bool is_beyond_model_ = false;  // that is why
  bool is_collecting_ = false;
  bool has_dictionary_ = true;
  std::int64_t servers_ = 1;
};

}  // namespace holdfast::guest
