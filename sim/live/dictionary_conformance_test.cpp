// The simulated shared dictionary against that of a real nginx: random commands in no time, and all that ends
// in real time. Replies are equal byte for byte.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <map>
#include <thread>

#include "sim/live/blocking_client.hpp"
#include "sim/live/nginx_process.hpp"
#include "sim/live/played_servers.hpp"
#include "sim/stores/shdict/dict.hpp"

namespace holdfast::live {
namespace {

using Argv = std::vector<std::string>;

Command to_command(const Argv& argv) {
  Command command;
  for (const std::string& word : argv) command.add(word);
  return command;
}

// Both, side by side. One client, so that nothing but its commands happens.
class DictionaryPair {
 public:
  DictionaryPair() : nginx_(NginxProcess::start("1m")), client_(nginx_->address()) {}
  void clear() {
    client_.send({"FLUSH_ALL"});
    client_.send({"FLUSH_EXPIRED"});
    dict_ = shdict::Dict(1024 * 1024);
  }
  // Empty: they answer alike.
  std::string difference(const Argv& argv, WallTime now) {
    Changes changes;
    const Reply simulated = dict_.execute(to_command(argv), now, changes);
    const Reply real = client_.send(argv);
    ++compared[argv[0]];
    if (simulated == real) return std::string();
    return shown(argv) + ": simulated " + shown(simulated) + ", nginx " + shown(real);
  }
  std::map<std::string, int> compared;

 private:
  std::unique_ptr<NginxProcess> nginx_;
  BlockingClient client_;
  shdict::Dict dict_;
};

#define NEEDS_NGINX() \
  if (const std::string missing = NginxProcess::missing(); !missing.empty()) GTEST_SKIP() << missing

Argv any_command() {
  const std::string key = *rc::gen::element<std::string>("a", "b", "c");
  const std::string value =
      *rc::gen::element<std::string>("true", "false", "7", "-3", "text", "two words", "");
  // Nothing of it ends while the test runs; half a millisecond is for ever.
  const std::string time = *rc::gen::element<std::string>("0", "100", "3600", "0.0005");
  const std::string name = *rc::gen::element<std::string>(
      "ADD", "SAFE_ADD", "SET", "SAFE_SET", "REPLACE", "DELETE", "GET", "GET_STALE", "INCR", "EXPIRE",
      "LPUSH", "RPUSH", "LPOP", "RPOP", "LLEN", "GET_KEYS", "FLUSH_ALL", "FLUSH_EXPIRED");
  if (name == "GET_KEYS") return *rc::gen::element(Argv{name}, Argv{name, "0"}, Argv{name, "1"});
  if (name == "FLUSH_EXPIRED") return *rc::gen::element(Argv{name}, Argv{name, "1"});
  if (name == "FLUSH_ALL") return *rc::gen::inRange(0, 5) == 0 ? Argv{name} : Argv{"GET", key};
  if (name == "EXPIRE") return {name, key, time};
  if (name == "LPUSH" || name == "RPUSH") return {name, key, value};
  if (name == "INCR")
    return *rc::gen::element(Argv{name, key, "2"}, Argv{name, key, "-1", "5"},
                             Argv{name, key, "1", "0", time});
  const bool is_storing = name.find("ADD") != name.npos || name.find("SET") != name.npos || name == "REPLACE";
  if (!is_storing) return {name, key};
  return *rc::gen::element(Argv{name, key, value}, Argv{name, key, value, time});
}

TEST(DictionaryConformance, RandomCommandsAreAnsweredAsByNginx) {
  NEEDS_NGINX();
  DictionaryPair pair;
  rc::check([&] {
    pair.clear();
    const auto count = *rc::gen::inRange(1, 60);
    Argv done;
    for (int i = 0; i < count; ++i) {
      const Argv argv = any_command();
      done.push_back(shown(argv));
      if (const std::string differs = pair.difference(argv, WallTime(1'700'000'000s)); !differs.empty()) {
        for (const std::string& each : done) RC_LOG() << each << "\n";
        RC_FAIL(differs);
      }
    }
  });
  int all = 0;
  for (const auto& [name, count] : pair.compared) all += count;
  std::printf("%d commands compared, of %zu kinds\n", all, pair.compared.size());
}

// In units of 100 ms, with half a unit between what ends and who looks.
TEST(DictionaryConformance, WhatHasEndedIsThereAsInNginx) {
  NEEDS_NGINX();
  DictionaryPair pair;
  pair.clear();
  struct At {
    int units;
    Argv argv;
  };
  const std::vector<At> script{{0, {"ADD", "k", "true", "0.25"}},
                               {0, {"ADD", "k", "true", "0.25"}},
                               {2, {"GET", "k"}},
                               {3, {"GET", "other"}},
                               {3, {"GET_KEYS"}},
                               {3, {"REPLACE", "k", "x"}},
                               {3, {"SET", "a", "1", "0.25"}},
                               {3, {"SET", "b", "2"}},
                               {6, {"GET_STALE", "a"}},
                               {6, {"EXPIRE", "a", "0.25"}},
                               {6, {"GET", "a"}},
                               {9, {"GET_STALE", "a"}},
                               {9, {"INCR", "a", "1"}},
                               {9, {"INCR", "a", "1", "5", "0.25"}},
                               {11, {"INCR", "a", "1"}},
                               {12, {"INCR", "a", "1"}},
                               {12, {"RPUSH", "l", "x"}},
                               {12, {"EXPIRE", "l", "0.25"}},
                               {14, {"RPUSH", "l", "y"}},
                               {15, {"LLEN", "l"}},
                               {15, {"RPUSH", "l", "z"}},
                               {15, {"SAFE_ADD", "b", "3"}},
                               {15, {"FLUSH_EXPIRED"}},
                               {15, {"GET_KEYS", "0"}}};
  const auto begin = std::chrono::steady_clock::now();
  for (const At& each : script) {
    std::this_thread::sleep_until(begin + each.units * 100ms);
    EXPECT_EQ(pair.difference(each.argv, WallTime(1'700'000'000s) + each.units * 100ms), "")
        << "at " << each.units * 100 << " ms";
  }
}

}  // namespace
}  // namespace holdfast::live
