// The simulated server against a real one: random commands, and a list of tricky ones. Replies are equal byte
// for byte, but for what known_differences lists.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "sim/live/command_generator_test.hpp"
#include "sim/live/no_server_test.hpp"
#include "sim/live/server_pair_test.hpp"
#include "sim/stores/redis/words.hpp"

namespace holdfast::redis {
namespace {

constexpr const char* directory = HOLDFAST_SOURCE_DIR "/sim/stores/redis/";

// The command whose reply comes back: the one that a script of random::passing_scripts() passes on, or the
// outer one.
Argv words_of(const Argv& argv) {
  const std::string name = to_lower(argv[0]);
  const auto& passing = random::passing_scripts();
  if (!name.starts_with("eval") || argv.size() < 3 ||
      std::find(passing.begin(), passing.end(), argv[1]) == passing.end())
    return argv;
  const std::size_t first = 3 + std::strtoull(argv[2].c_str(), nullptr, 10);  // after the keys
  return first < argv.size() ? Argv(argv.begin() + static_cast<std::ptrdiff_t>(first), argv.end()) : argv;
}
std::string name_of(const Argv& argv) { return to_lower(words_of(argv)[0]); }

// It keeps a real server busy for years.
bool is_endless(const Argv& argv) {
  constexpr std::int64_t many = 1000;
  const Argv words = words_of(argv);
  return words.size() == 3 && to_lower(words[0]) == "srandmember" && std::atoll(words[2].c_str()) < -many &&
         words[2] != "-9223372036854775808";
}

// What known_differences says of bytes that LuaJIT takes for letters, and of SYNC, a word of FLUSHALL that
// may come to stand where a command does.
bool is_known_to_differ(const Argv& argv) {
  const std::string name = to_lower(argv[0]);
  if (name_of(argv) == "sync" || is_endless(argv)) return true;
  const std::size_t place = name == "script" ? 2 : 1;
  if ((!name.starts_with("eval") && name != "script") || argv.size() <= place) return false;
  return std::any_of(argv[place].begin(), argv[place].end(), [](char letter) { return letter < 0; });
}

struct Count {
  std::int64_t compared = 0;
  std::int64_t ambiguous = 0;
  std::int64_t not_simulated = 0;
  std::map<std::string, std::int64_t> by_name;
};

// Who waits for an answer sends nothing: then somebody else does, and if all wait, this one gives up.
std::size_t sender(ServerPair& servers, std::size_t wanted) {
  for (std::size_t i = 0; i < ServerPair::connections; ++i) {
    const std::size_t connection = (wanted + i) % ServerPair::connections;
    if (!servers.is_waiting(connection)) return connection;
  }
  servers.disconnect(wanted);
  return wanted;
}

// Where the two servers differ; empty: nowhere.
std::string difference(ServerPair& servers, const std::vector<random::Exchange>& exchanges, Count& count) {
  servers.reset();
  std::vector<random::Sent> commands;
  for (const random::Exchange& exchange : exchanges)
    commands.insert(commands.end(), exchange.begin(), exchange.end());
  for (const auto& [wanted, argv] : commands) {
    if (argv.empty()) servers.disconnect(wanted);
    if (argv.empty() || is_known_to_differ(argv)) continue;
    const std::size_t connection = sender(servers, wanted);
    const ServerPair::Outcome outcome = servers.run(argv, name_of(argv), connection);
    if (outcome.is_ambiguous) {
      // The two servers may differ from here on.
      ++count.ambiguous;
      return {};
    }
    const CommandRow* row = find_row(Command(argv).argv());
    if (row != nullptr) ++count.by_name[std::string(row->name)];
    // What follows from a choice of the real server is its own affair.
    if (outcome.is_not_simulated) {
      ++count.not_simulated;
      return {};
    }
    ++count.compared;
    if (outcome.real.is_lost()) servers.restart();
    if (outcome.agree) continue;
    return show(argv) + " on " + std::to_string(connection) + "\n  real:  " + show(outcome.real) +
           "\n  model: " + show(outcome.model);
  }
  return {};
}

// A difference that does not come again is one of time: waits end late in a real server that waits itself.
void compare(ServerPair& servers, const std::vector<random::Exchange>& exchanges, Count& count) {
  const std::string first = difference(servers, exchanges, count);
  if (first.empty()) return;
  const std::string second = difference(servers, exchanges, count);
  if (!second.empty()) RC_FAIL(second);
  ++count.ambiguous;
  std::cout << "once, but not again: " << first << "\n";
}

// What a test file says, one command per line; empty lines and lines that begin with # mean nothing.
std::vector<Argv> read_commands(const std::string& file) {
  std::ifstream in(directory + file);
  EXPECT_TRUE(in) << file;
  std::vector<Argv> commands;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::optional<Argv> argv = split_words(line);
    EXPECT_TRUE(argv && !argv->empty()) << file << ": " << line;
    if (argv) commands.push_back(*argv);
  }
  return commands;
}

void expect_same(ServerPair& servers, const Argv& argv) {
  const ServerPair::Outcome outcome = servers.run(argv);
  ASSERT_FALSE(outcome.is_ambiguous) << show(argv);
  EXPECT_TRUE(outcome.agree) << show(argv) << "\n  real:  " << show(outcome.real)
                             << "\n  model: " << show(outcome.model);
  if (outcome.real.is_lost()) servers.restart();
}

// RC_PARAMS="max_success=6000" asks for a million of them.
TEST(Conformance, RandomCommandsGetTheSameReplies) {
  const std::unique_ptr<ServerPair> servers = ServerPair::start();
  if (!servers) GTEST_SKIP() << live::no_server;
  Count count;
  const bool holds = rc::check("same replies", [&] {
    constexpr int size = 300;
    const auto exchanges =
        rc::gen::container<std::vector<random::Exchange>>(random::exchange(ServerPair::connections));
    compare(*servers, *rc::gen::resize(size, exchanges), count);
  });
  EXPECT_TRUE(holds);
  std::cout << "compared " << count.compared << " random commands, " << count.ambiguous << " left out, "
            << count.not_simulated << " sequences ended by what is not simulated\n";
  EXPECT_LT(count.ambiguous, count.compared / 20 + 10) << "the machine is too slow to say much";
  for (const CommandRow& row : all_commands())
    EXPECT_GT(count.by_name[std::string(row.name)], 0) << row.name << " was never tried";
}

// With every number of words, most of them wrong.
TEST(Conformance, EveryCommandRefusesTheSameArities) {
  const std::unique_ptr<ServerPair> servers = ServerPair::start();
  if (!servers) GTEST_SKIP() << live::no_server;
  constexpr std::size_t most = 8;
  std::int64_t compared = 0;
  for (const CommandRow& row : all_commands()) {
    Argv argv = random::name_words(row.name);
    for (servers->reset(); argv.size() <= most; argv.push_back("a"), ++compared) {
      servers->reset();
      expect_same(*servers, argv);
    }
  }
  std::cout << "compared " << compared << " commands\n";
}

TEST(Conformance, TheTableHasRedisOwnAritiesAndFlags) {
  const std::unique_ptr<ServerPair> servers = ServerPair::start();
  if (!servers) GTEST_SKIP() << live::no_server;
  for (const CommandRow& row : all_commands()) {
    const Reply info = servers->real_reply({"COMMAND", "INFO", std::string(row.name)});
    ASSERT_EQ(info.elements().at(0).elements().size(), 10u) << row.name;
    const std::vector<Reply>& parts = info.elements()[0].elements();
    const auto has_flag = [&](const char* name) {
      const std::vector<Reply>& flags = parts[2].elements();
      return std::find(flags.begin(), flags.end(), Reply::status(name)) != flags.end();
    };
    EXPECT_EQ(parts[1].number(), row.arity) << row.name;
    EXPECT_EQ(has_flag("noscript"), (row.flags & flag::noscript) != 0) << row.name;
    // PUBLISH may be replicated; Redis does not show that.
    EXPECT_EQ(has_flag("write") || row.name == "publish", (row.flags & flag::write) != 0) << row.name;
  }
}

// A command is simulated, or named when a lock sends it, or refused by the server, too: nothing is left.
TEST(Conformance, TheTwoTablesAreExactlyTheServersCommands) {
  const std::unique_ptr<ServerPair> servers = ServerPair::start();
  if (!servers) GTEST_SKIP() << live::no_server;
  std::vector<std::string> real;  // "OBJECT ENCODING"
  const Reply listed = servers->real_reply({"COMMAND", "LIST"});
  for (const Reply& name : listed.elements()) {
    std::string& added = real.emplace_back(name.text());
    for (char& letter : added) letter = letter == '|' ? ' ' : static_cast<char>(std::toupper(letter));
  }
  std::vector<std::string> ours;
  for (const CommandRow& row : all_commands()) {
    std::string& added = ours.emplace_back(row.name);
    for (char& letter : added) letter = letter == '|' ? ' ' : static_cast<char>(std::toupper(letter));
  }
  for (const std::string_view name : all_not_simulated()) ours.emplace_back(name);
  std::sort(real.begin(), real.end());
  std::sort(ours.begin(), ours.end());
  EXPECT_EQ(ours, real);
  EXPECT_GT(real.size(), 300u);
}

// What a script finds: the libraries that are missing are those that the engine tells of.
TEST(Conformance, ScriptsFindTheSameNamesButForThreeLibraries) {
  const std::unique_ptr<ServerPair> servers = ServerPair::start();
  if (!servers) GTEST_SKIP() << live::no_server;
  const ServerPair::Outcome found = servers->run(
      {"EVAL",
       "local r = {} for k, v in pairs(_G) do r[#r + 1] = k if type(v) == 'table' and k ~= '_G' then "
       "for f in pairs(v) do r[#r + 1] = k .. '.' .. f end end end table.sort(r) return r",
       "0"},
      "");
  const auto names_in = [](const Reply& received) {
    std::vector<std::string> names;
    for (const Reply& name : received.elements()) names.push_back(name.text());
    return names;
  };
  std::vector<std::string> real = names_in(found.real);
  EXPECT_GT(real.size(), 100u);
  std::erase_if(real, [](const std::string& name) {
    return name.starts_with("cjson") || name.starts_with("cmsgpack") || name.starts_with("struct");
  });
  EXPECT_EQ(names_in(found.model), real);
}

TEST(Conformance, TrickyCommandsGetTheSameReplies) {
  const std::unique_ptr<ServerPair> servers = ServerPair::start();
  if (!servers) GTEST_SKIP() << live::no_server;
  servers->reset();
  const std::vector<Argv> commands = read_commands("conformance_commands.txt");
  for (const Argv& argv : commands) expect_same(*servers, argv);
  std::cout << "compared " << commands.size() << " commands\n";
}

// Messages in the same order, too: to who listens, to who is served, and the answer.
TEST(Conformance, WhoListensHearsTheSameOfKeys) {
  const std::unique_ptr<ServerPair> servers = ServerPair::start();
  if (!servers) GTEST_SKIP() << live::no_server;
  servers->reset();
  std::vector<Argv> lines = read_commands("conformance_notices.txt");
  std::size_t heard = 0;
  for (Argv& argv : lines) {
    const std::size_t connection = std::strtoull(argv.front().c_str(), nullptr, 10);
    argv.erase(argv.begin());
    const ServerPair::Outcome outcome = servers->run(argv, to_lower(argv[0]), connection);
    EXPECT_EQ(outcome.real, outcome.model)
        << show(argv) << "\n  real:  " << show(outcome.real) << "\n  model: " << show(outcome.model);
    heard += show(outcome.real).find("__keyevent@0__:") != std::string::npos;
  }
  EXPECT_GT(heard, 100u);
  std::cout << "compared " << lines.size() << " commands, " << heard << " of which told of keys\n";
}

TEST(Conformance, TrickyScriptsGetTheSameReplies) {
  // Each runs on empty servers.
  const std::unique_ptr<ServerPair> servers = ServerPair::start();
  if (!servers) GTEST_SKIP() << live::no_server;
  const std::vector<Argv> scripts = read_commands("conformance_scripts.txt");
  for (Argv argv : scripts) {
    servers->reset();
    argv.insert(argv.begin(), "EVAL");
    if (argv.size() == 2) argv.push_back("0");
    expect_same(*servers, argv);
  }
  std::cout << "compared " << scripts.size() << " scripts\n";
}

struct Difference {
  const char* why;
  std::vector<const char*> lines;  // the replies to the last one differ
};

// Every way in which the simulated server is known to differ. A row that no longer differs fails the test.
const std::vector<Difference> known_differences{
    {"DBSIZE of Redis counts keys that have died until it comes across them", {"SET a b PXAT 1", "DBSIZE"}},
    {"commands that no lock here needs are unknown", {"BITPOS a 1"}},
    {"of CONFIG only notify-keyspace-events is known", {"CONFIG GET databases"}},
    {"there is no other database than 0", {"SET a b", "SELECT 1", "GET a"}},
    {"a walk through as many keys as COUNT, or more, would take several steps, which depend on a hash table",
     {"MSET a 1 b 2 c 3", "SCAN 0 COUNT 1"}},
    {"SPOP and SRANDMEMBER take the first of several members, Redis any",
     {"SADD a 1 2 3 4 5 6 7 8 9 x y z", "SRANDMEMBER a 11"}},
    {"a set of bits is there after BITFIELD has failed, in both, but only here has a watched key changed by "
     "it",
     {"WATCH a", "BITFIELD a OVERFLOW FAIL INCRBY u8 0 300", "MULTI", "PING", "EXEC"}},
    {"SCRIPT HELP and SCRIPT DEBUG are unknown", {"SCRIPT HELP"}},
    {"of CLIENT only ID is known, and of PUBSUB only what is not sharded", {"CLIENT GETNAME"}},
    {"OBJECT is unknown: how a value is kept is not modelled", {"SET a b", "OBJECT ENCODING a"}},
    {"other commands that answer at random are unknown", {"SET a b", "RANDOMKEY"}},
    {"increments by decimals are unknown: their digits depend on the machine", {"INCRBYFLOAT a 0.1"}},
    {"fields of a hash come in rising order; in Redis, as long as there are few, in the order of their "
     "arrival",
     {"HSET a z 1 y 2", "HGETALL a"}},
    {"members of a set come in rising order, in Redis numbers as numbers and texts in no order",
     {"SADD a 10 9", "SMEMBERS a"}},
    {"UNSUBSCRIBE without names goes in rising order, in Redis in no order",
     {"PSUBSCRIBE b a", "PUNSUBSCRIBE"}},
    {"after redis.setresp(3) maps, sets and numbers with decimals still look as they do before",
     {"EVAL 'redis.setresp(3) redis.call(\"hset\", \"a\", \"b\", \"c\") return #redis.call(\"hgetall\", "
      "\"a\")' 0"}},
    {"error() with a table without a text `err` crashes Redis", {"EVAL 'error({})' 0"}},
    {"the library cjson is absent", {"EVAL 'return cjson.encode({1})' 0"}},
    {"the library cmsgpack is absent", {"EVAL 'return cmsgpack.pack(1)' 0"}},
    {"the library struct is absent", {"EVAL 'return struct.pack(\"B\", 1)' 0"}},
    {"pairs() gives texts in rising order, Redis in the order of its hash table",
     {"EVAL 'local r = {} for k in pairs({a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8}) do r[#r+1] = k end return r' 0"}},
    {"math.random() begins with the same seed in every run; in Redis it goes on where the last script ended",
     {"EVAL 'return math.random(1000000)' 0", "EVAL 'return math.random(1000000)' 0"}},
    {"tostring() of an object shows its number, not its address", {"EVAL 'return tostring({})' 0"}},
    {"LuaJIT knows no table `arg` in functions with `...`",
     {"EVAL 'return (function(...) return #arg end)(1, 2)' 0"}},
    {"LuaJIT takes bytes above 127 for letters", {"EVAL 'local \xc3\xa4 = 1 return \xc3\xa4' 0"}},
    {"LuaJIT reads negative numbers of other bases", {"EVAL 'return tonumber(\"-f\", 16)' 0"}},
    {"LuaJIT words some errors of compilation differently", {"EVAL 'break' 0"}},
    {"LuaJIT knows goto", {"EVAL 'goto x ::x:: return 1' 0"}},
    {"LuaJIT knows \\x in texts", {"EVAL 'return \"\\x41\"' 0"}},
    {"LuaJIT knows 64-bit literals", {"EVAL 'return 1LL' 0"}},
    {"LuaJIT knows binary literals", {"EVAL 'return 0b1' 0"}},
};

TEST(Conformance, KnownDifferencesStillDiffer) {
  const std::unique_ptr<ServerPair> servers = ServerPair::start();
  if (!servers) GTEST_SKIP() << live::no_server;
  for (const Difference& difference : known_differences) {
    servers->reset();
    ServerPair::Outcome outcome;
    for (const char* line : difference.lines) {
      const std::optional<Argv> argv = split_words(line);
      ASSERT_TRUE(argv.has_value()) << line;
      outcome = servers->run(*argv, "");
    }
    EXPECT_NE(outcome.real, outcome.model) << difference.why << ": no longer true";
    std::cout << difference.why << "\n    real:  " << show(outcome.real).substr(0, 150)
              << "\n    model: " << show(outcome.model).substr(0, 150) << "\n";
    if (outcome.real.is_lost()) servers->restart();
  }
}

}  // namespace
}  // namespace holdfast::redis
