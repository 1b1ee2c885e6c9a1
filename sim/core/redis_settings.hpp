// Lines of redis.conf that a scenario may have, because the answers that a lock gets depend on them.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace holdfast {

struct RedisSetting {
  std::string_view name;
  std::string_view values;   // in words
  std::string_view pattern;  // of all values, as a regular expression
  bool (*takes)(std::string_view value);
};

inline constexpr std::array<RedisSetting, 2> redis_settings{
    {{"cluster-enabled", "yes or no", "^(yes|no)$",
      [](std::string_view value) { return value == "yes" || value == "no"; }},
     {"notify-keyspace-events", "letters of Ag$lshzxeKEtd, such as KEA", "^[Ag$lshzxeKEtd]*$",
      [](std::string_view value) { return value.find_first_not_of("Ag$lshzxeKEtd") == value.npos; }}}};

inline bool is_redis_setting(std::string_view name, std::string_view value) {
  return std::any_of(redis_settings.begin(), redis_settings.end(), [&](const RedisSetting& each) {
    return each.name == name && each.takes(value);
  });
}

// What to say of one that is none.
inline std::string redis_setting_problem(std::string_view name, std::string_view value) {
  std::string names;
  for (const RedisSetting& each : redis_settings) {
    if (each.name == name)
      return "\"" + std::string(value) + "\" is no value of " + std::string(name) + ": it takes " +
             std::string(each.values);
    names += (names.empty() ? "" : ", ") + std::string(each.name);
  }
  return "\"" + std::string(name) + "\" is no setting that is simulated: " + names;
}

}  // namespace holdfast
