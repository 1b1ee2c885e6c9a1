// The drivers that are shipped: real libraries do what their cards say.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "sim/explore/planted_test.hpp"
#include "sim/process/program.hpp"

namespace holdfast::process {
namespace {

struct Driver {
  std::string_view name;
  std::vector<std::string> words;  // the last one is a file of algorithms/guests, or a path
  const char* is_there;            // a shell command that succeeds where it can run
  std::string_view card = "token";
  std::vector<std::pair<std::string, std::string>> params = {};
  // Without a timeout of its own a program waits as long as something comes; the transcription does so then.
  Duration timeout = 20s;
};

const std::vector<std::string> node{"node", "--no-memory-reducer", "--single-threaded"};

std::vector<std::string> with(std::vector<std::string> words, std::string file) {
  words.push_back(std::move(file));
  return words;
}

const std::vector<Driver> drivers{
    {"Perl", {"perl", "plain.pl"}, "perl -MIO::Socket::INET -e1"},
    {"PerlsRedis", {"perl", "redis.pl"}, "perl -MRedis -e1"},
    {"RedisPy",
     {"/usr/bin/python3", "redis_py.py"},
     "/usr/bin/python3 -c 'import redis; assert redis.__version__.startswith(\"4.3\")'",
     "redis-py",
     {{"blocking", "no"}, {"scripts", "registered"}}},
    {"RedisAsyncio",
     {"/usr/bin/python3", "redis_asyncio.py"},
     "/usr/bin/python3 -c 'import redis; assert redis.__version__.startswith(\"4.3\")'",
     "redis-py",
     {{"blocking", "no"}, {"scripts", "registered"}}},
    {"Hiredis",
     {HOLDFAST_BINARY_DIR "/hiredis_driver"},
     "cc -o " HOLDFAST_BINARY_DIR "/hiredis_driver " HOLDFAST_SOURCE_DIR
     "/algorithms/guests/hiredis.c -lhiredis"},
    {"RedisRb", {"ruby", "redis_rb.rb"}, "ruby -e 'require \"redis\"'", "token", {}, 5s},
    {"Phpredis", {"php", "phpredis.php"}, "php -r 'exit(class_exists(\"Redis\") ? 0 : 1);'"},
    {"Node", with(node, "plain.js"), "node -e 0"},
    {"Ioredis", with(node, "ioredis.js"), "node -e 'require(\"ioredis\")'"}};

void PrintTo(const Driver& it, std::ostream* out) { *out << it.name; }

class ShippedDriver : public testing::TestWithParam<Driver> {};

std::vector<std::string> whole_environment() {
  std::vector<std::string> found{"PATH=/usr/local/bin:/usr/bin:/bin"};
  if (const char* const path = std::getenv("PATH")) found = {std::string("PATH=") + path};
  if (const char* const path = std::getenv("NODE_PATH")) found.push_back(std::string("NODE_PATH=") + path);
  return found;
}

Exploration explored(const Card& card, Fault fault,
                     const std::vector<std::pair<std::string, std::string>>& params, Duration timeout) {
  Comparison comparison = planted::one_attempt();
  comparison.driver_retries = 0;  // the driver is a part of the program
  comparison.given_ttl = 4s;
  comparison.timing.timeout = timeout;
  return planted::explored(card, fault, comparison, Engine::snapshots, params);
}

TEST_P(ShippedDriver, BehavesAsItsCardUnderEveryFault) {
  const Driver& driver = GetParam();
  if (std::system((std::string(driver.is_there) + " >/dev/null 2>&1").c_str()) != 0)
    GTEST_SKIP() << "skipped: this does not succeed: " << driver.is_there;
  std::vector<std::string> words = driver.words;
  if (!words.back().starts_with('/')) words.back() = HOLDFAST_SOURCE_DIR "/algorithms/guests/" + words.back();
  const Program program({.id = std::string(driver.name), .words = words, .summary = "a program"},
                        whole_environment());
  const Card& card = *algorithms::find(driver.card);
  for (const Fault fault : planted::faults_to_explore()) {
    const Exploration real = explored(program.card(), fault, {}, driver.timeout);
    const Exploration transcribed = explored(card, fault, driver.params, driver.timeout);
    ASSERT_EQ(real.properties.size(), transcribed.properties.size());
    for (std::size_t i = 0; i < real.properties.size(); ++i) {
      const PropertyResult& is = real.properties[i];
      const PropertyResult& said = transcribed.properties[i];
      EXPECT_EQ(is.verdict, said.verdict) << id_of(fault) << ", " << id_of(is.property);
      ASSERT_EQ(is.counterexample.has_value(), said.counterexample.has_value());
      if (is.counterexample) {
        EXPECT_EQ(is.counterexample->steps, said.counterexample->steps) << id_of(fault);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Drivers, ShippedDriver, testing::ValuesIn(drivers),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace holdfast::process
