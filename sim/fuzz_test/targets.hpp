// What is fed with anything at all: every reader of text that others may have written. Each returns unless
// there is a bug, which ends the program.
#pragma once

#include <array>
#include <string_view>

namespace holdfast::fuzz {

void scenario(std::string_view text);  // a scenario file; what is read is written and read again
void trace(std::string_view text);     // a trace file
void baseline(std::string_view text);  // a baseline file
void words(std::string_view text);     // lines of words, as redis-cli reads them
void address(std::string_view text);   // where a Redis server listens
void resp(std::string_view text);      // what a server answers, as hiredis takes it apart
void shell(std::string_view text);     // commands for the simulated Redis, scripts among them
void request(std::string_view text);   // what a client sends, as the simulated Redis takes it apart
void rule(std::string_view text);      // which fault strikes which commands
void program(std::string_view text);   // a file that says how a program is run
void table(std::string_view text);     // a file of what a program did

struct Target {
  std::string_view name;
  void (*feed)(std::string_view text);
};
inline constexpr std::array targets{
    Target{"scenario", scenario}, Target{"trace", trace},     Target{"baseline", baseline},
    Target{"words", words},       Target{"address", address}, Target{"resp", resp},
    Target{"shell", shell},       Target{"request", request}, Target{"rule", rule},
    Target{"program", program},   Target{"table", table}};

}  // namespace holdfast::fuzz
