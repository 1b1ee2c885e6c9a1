// The model of ZooKeeper and a real one are held to the same lines, and then to each other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "sim/live/zookeeper_client_test.hpp"
#include "sim/stores/zookeeper/tree.hpp"

namespace holdfast::live::jute {
namespace {

StoreProcess& server() {
  static const std::unique_ptr<StoreProcess> one = StoreProcess::start(StoreKind::zookeeper);
  return *one;
}
std::string no_zookeeper() { return StoreProcess::missing(StoreKind::zookeeper); }

// What it answers otherwise, line by line.
std::string differences(Clients& clients, const zookeeper::Fact& fact) {
  using Kind = zookeeper::FactStep::Kind;
  clients.begin_anew();
  zookeeper::Writer writer;
  std::string found;
  const auto expect = [&](const zookeeper::FactStep& step, const std::string& answer) {
    if (answer != step.reply) found += fmt::format("{}, and it is {}\n", step.line, answer);
  };
  for (const zookeeper::FactStep& step : fact.steps) {
    switch (step.kind) {
      case Kind::asks:
        expect(step, writer.of(zookeeper::parse(Command(step.words)), clients.ask(step.session, step.words)));
        break;
      case Kind::is_answered:
        expect(step, zookeeper::Writer::of_events(clients.events_of(step.session)));
        break;
      case Kind::sleeps: std::this_thread::sleep_for(step.time); break;
      case Kind::restarts: clients.restart(); break;
      default: found += step.line;
    }
  }
  return found;
}

// On a machine that is busy, a session may be over before its client comes back to a server that starts.
TEST(ZooKeeperConformance, FactsAreTrueOfARealServer) {
  if (!no_zookeeper().empty()) GTEST_SKIP() << no_zookeeper();
  Clients clients(server());
  for (const zookeeper::Fact& fact : zookeeper::facts()) {
    std::string found = differences(clients, fact);
    for (int tries = 1; tries < 3 && !found.empty(); ++tries) found = differences(clients, fact);
    EXPECT_EQ(found, "") << fact.name;
  }
}

// Z4. A read that shows a change comes after what a watch tells of it, on the same connection.
TEST(ZooKeeperConformance, AnEventComesBeforeTheAnswerThatShowsTheChange) {
  if (!no_zookeeper().empty()) GTEST_SKIP() << no_zookeeper();
  Clients clients(server());
  clients.begin_anew();
  clients.ask('A', {"CONNECT", "a", "4000"});
  clients.ask('B', {"CONNECT", "b", "4000"});
  for (int round = 0; round < 20; ++round) {
    ASSERT_FALSE(clients.ask('A', {"CREATE", "a", "k", "v"}).is_error());
    ASSERT_TRUE(clients.ask('B', {"EXISTS", "b", "k", "WATCH"}).is(1));
    ASSERT_EQ(clients.events_before('B'), 0u);
    ASSERT_TRUE(clients.ask('A', {"DELETE", "a", "k"}).is_ok());
    ASSERT_TRUE(clients.ask('B', {"EXISTS", "b", "k"}).is(0));
    ASSERT_EQ(clients.events_before('B'), 1u);
    clients.events_of('B');
  }
}

// Z6.
TEST(ZooKeeperConformance, ASessionThatGoesOnElsewhereLosesItsOlderConnection) {
  if (!no_zookeeper().empty()) GTEST_SKIP() << no_zookeeper();
  Clients clients(server());
  clients.begin_anew();
  clients.ask('A', {"CONNECT", "a", "4000"});
  EXPECT_FALSE(clients.is_cut('A'));
  EXPECT_TRUE(clients.ask('B', {"RECONNECT", "a"}).is(4000));
  EXPECT_TRUE(clients.is_cut('A'));
  EXPECT_FALSE(clients.is_cut('B'));
}

// Both are asked the same, by two clients that watch.
class Duel {
 public:
  explicit Duel(Clients& real) : real_(real) {
    real_.begin_anew();
    take('A', "CONNECT a 4000");
    take('B', "CONNECT b 4000");
    take('A', "CREATE a d v");
  }

  // False: they differ.
  bool take(std::mt19937& dice) {
    static const std::vector<std::string> requests{"CREATE ? d v",
                                                   "CREATE ? d/x v EPHEMERAL",
                                                   "CREATE ? d/n- v SEQUENTIAL",
                                                   "CREATE ? d/n- v EPHEMERAL SEQUENTIAL",
                                                   "CREATE ? d/x/y v",
                                                   "CREATE ? e v EPHEMERAL",
                                                   "CREATE ? e/z -",
                                                   "DELETE ? d/x",
                                                   "DELETE ? d/n-0000000000",
                                                   "DELETE ? d/n-0000000001",
                                                   "DELETE ? d/n-0000000002",
                                                   "DELETE ? e",
                                                   "EXISTS ? d CZXID",
                                                   "EXISTS ? d/n-0000000001 CZXID",
                                                   "EXISTS ? d/x",
                                                   "EXISTS ? d WATCH",
                                                   "EXISTS ? d/x WATCH",
                                                   "EXISTS ? d/n-0000000001 WATCH",
                                                   "GET ? d",
                                                   "GET ? d/x WATCH",
                                                   "GET ? e WATCH",
                                                   "CHILDREN ? d",
                                                   "CHILDREN ? d WATCH",
                                                   "CHILDREN ? e WATCH",
                                                   "CHILDREN ? d/x WATCH",
                                                   "EXISTS ? e WATCH",
                                                   "DELETE ? d/x",
                                                   "DELETE ? e",
                                                   "PING ?",
                                                   "CLOSE a"};
    const bool is_first = dice() % 2 == 0;
    std::string line = requests[dice() % requests.size()];
    // Once in a while: who closes its session begins another.
    if (line == "CLOSE a") return dice() % 4 != 0 || (take('A', line) && take('A', "CONNECT a 4000"));
    line[line.find('?')] = is_first ? 'a' : 'b';
    return take(is_first ? 'A' : 'B', line);
  }
  bool take(char client, const std::string& line) {
    ++asked;
    const std::vector<std::string> words = zookeeper::words_in(line);
    const zookeeper::Request request = zookeeper::parse(Command(words));
    const Reply here = model_.execute({client == 'A' ? 1u : 2u}, Command(words), now_, changes_, pushes_);
    if (request.kind == zookeeper::Request::Kind::close) model_.end({1});
    const std::string expected = here_.of(request, here);
    const std::string got = there_.of(request, real_.ask(client, words));
    story += fmt::format("{}: {} => {}\n", client, line, got);
    if (got != expected) story += fmt::format("   the model says {}\n", expected);
    if (client == 'A' && request.kind == zookeeper::Request::Kind::close) forget_events(1);
    return got == expected;
  }
  bool compare_events(char client) {
    std::vector<Reply> events;
    for (const Push& push : pushes_)
      if (push.connection.value == (client == 'A' ? 1u : 2u)) events.push_back(push.message);
    told += events.size();
    const std::string expected = zookeeper::Writer::of_events(events);
    const std::string got = zookeeper::Writer::of_events(real_.events_of(client));
    story += fmt::format("{} <= {}\n", client, got);
    if (got != expected) story += fmt::format("   the model says {}\n", expected);
    return got == expected;
  }

  std::size_t asked = 0;
  std::size_t told = 0;
  std::string story;

 private:
  // With the connection goes what was told on it.
  void forget_events(std::uint32_t connection) {
    std::erase_if(pushes_, [&](const Push& each) { return each.connection.value == connection; });
  }

  Clients& real_;
  zookeeper::Tree model_{200ms};
  zookeeper::Writer here_;
  zookeeper::Writer there_;
  const WallTime now_{1'700'000'000s};
  Changes changes_;
  Pushes pushes_;
};

TEST(ZooKeeperConformance, GeneratedSequencesAreAnsweredAlike) {
  if (!no_zookeeper().empty()) GTEST_SKIP() << no_zookeeper();
  constexpr std::size_t sequences = 25;
  constexpr std::size_t steps = 40;
  Clients clients(server());
  std::size_t asked = 0;
  std::size_t told = 0;
  for (std::uint32_t seed = 1; seed <= sequences; ++seed) {
    std::mt19937 dice(seed);
    Duel duel(clients);
    std::size_t step = 0;
    while (step < steps && duel.take(dice)) ++step;
    const bool is_alike = step == steps && duel.compare_events('A') && duel.compare_events('B');
    EXPECT_TRUE(is_alike) << "seed " << seed << "\n" << duel.story;
    asked += duel.asked;
    told += duel.told;
  }
  fmt::print("{} requests, {} events of watches, {} sequences\n", asked, told, sequences);
  EXPECT_GT(asked, 900u);
  EXPECT_GT(told, 60u);
}

}  // namespace
}  // namespace holdfast::live::jute
