// The model of etcd and a real one are held to the same lines, and then to each other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

#include "sim/live/etcd_client_test.hpp"
#include "sim/stores/etcd/keyspace.hpp"

namespace holdfast::live {
namespace {

StoreProcess& etcd_server() {
  static const std::unique_ptr<StoreProcess> one = StoreProcess::start(StoreKind::etcd);
  return *one;
}
std::string no_etcd() { return StoreProcess::missing(StoreKind::etcd); }

std::string text_of(const std::vector<Reply>& events, const etcd::Writer& writer) {
  std::string text;
  for (const Reply& each : events) text += (text.empty() ? "" : " ") + writer.of_event(each);
  return text.empty() ? "nothing" : text;
}

TEST(EtcdConformance, FactsAreTrueOfARealServer) {
  if (!no_etcd().empty()) GTEST_SKIP() << no_etcd();
  EtcdClients clients(etcd_server());
  for (const etcd::Fact& fact : etcd::facts()) {
    SCOPED_TRACE(fact.name);
    clients.begin_anew();
    const std::int64_t base = clients.revision();
    const etcd::Writer writer(base);
    for (const etcd::FactStep& step : fact.steps) {
      using Kind = etcd::FactStep::Kind;
      const std::vector<std::string> words = etcd::with_base(step.words, base);
      switch (step.kind) {
        case Kind::asks:
          EXPECT_EQ(writer.of(etcd::parse(Command(words)), clients.ask(step.session, words)), step.reply)
              << step.line;
          break;
        case Kind::is_answered:
          EXPECT_EQ(text_of(clients.events_of(step.session), writer), step.reply) << step.line;
          break;
        case Kind::sleeps: std::this_thread::sleep_for(step.time); break;
        case Kind::restarts: clients.restart(); break;
        default: ADD_FAILURE() << step.line;
      }
    }
  }
}

// Both are asked the same; one of them watches from somewhere on.
class EtcdDuel {
 public:
  explicit EtcdDuel(EtcdClients& real) : real_(real) {
    real_.begin_anew();
    base_ = real_.revision();
    // Who has looked may watch from there on.
    model_.execute({2}, Command("REVISION"), now_, changes_, pushes_);
  }

  // False: they differ.
  bool take(std::mt19937& dice) {
    static const std::vector<std::string> requests{
        "GRANT 1 60",
        "GRANT 2 60",
        "KEEPALIVE 1",
        "KEEPALIVE 2",
        "REVOKE 1",
        "REVOKE 2",
        "PUT q/a x LEASE 1",
        "PUT q/b y LEASE 2",
        "PUT q/c z",
        "PUT q/a w",
        "PUT k v LEASE 1",
        "DELETE q/a",
        "DELETE q/ PREFIX",
        "DELETE k",
        "GET q/ PREFIX TELL key value lease create mod",
        "GET q/ PREFIX FIRST TELL key create",
        "GET q/ PREFIX LAST BELOW r+6 TELL key mod",
        "GET q/ PREFIX SORT TELL key value",
        "GET k TELL value lease",
        "GET q/ PREFIX",
        "REVISION",
        "TXN IF create q/a = 0 THEN PUT q/a m LEASE 1 ; GET q/ PREFIX FIRST TELL key create ELSE GET q/a "
        "TELL create mod ; REVISION",
        "TXN IF value q/a = x lease q/a = 1 THEN DELETE q/a ; PUT k n ELSE GET q/a TELL value",
        "TXN IF mod k > r+3 THEN PUT k later LEASE 2 ; REVISION ELSE PUT k sooner",
        "TXN IF value k != v THEN DELETE k ; DELETE q/b ELSE PUT q/b back",
        "TXN THEN PUT q/b 1 ; PUT q/b 2",
        "TXN THEN PUT q/b 1 LEASE 2 ; PUT q/c 2 ; GET q/ PREFIX TELL key mod",
        "WATCH q/ PREFIX FROM r+2 PREV",
        "WATCH q/a FROM r+1",
        "WATCH q/ PREFIX NOPUT"};
    const std::vector<std::string> line = etcd::words_in(requests[dice() % requests.size()]);
    const auto words = [&](std::int64_t base) { return etcd::with_base(line, base); };
    const bool is_watch = line.front() == "WATCH";
    const char client = is_watch ? 'B' : 'A';
    if (is_watch && std::exchange(is_watched_, true)) return true;
    ++asked;
    const Reply here = model_.execute({client == 'A' ? 1u : 2u}, Command(words(1)), now_, changes_, pushes_);
    const std::string expected = etcd::Writer(1).of(etcd::parse(Command(words(1))), here);
    const Reply there = real_.ask(client, words(base_));
    const std::string got = etcd::Writer(base_).of(etcd::parse(Command(words(base_))), there);
    story += fmt::format("{}: {} => {}\n", client, fmt::join(line, " "), got);
    if (got != expected) story += fmt::format("   the model says {}\n", expected);
    return got == expected;
  }
  bool compare_events() {
    std::vector<Reply> events;
    for (const Push& push : pushes_)
      for (const Reply& event : push.message.elements()) events.push_back(event);
    told += events.size();
    const std::string expected = text_of(events, etcd::Writer(1));
    const std::string got = text_of(real_.events_of('B'), etcd::Writer(base_));
    story += fmt::format("B <= {}\n", got);
    if (got != expected) story += fmt::format("   the model says {}\n", expected);
    return got == expected;
  }

  std::size_t asked = 0;
  std::size_t told = 0;
  std::string story;

 private:
  EtcdClients& real_;
  etcd::Keyspace model_;
  std::int64_t base_ = 1;
  bool is_watched_ = false;
  const WallTime now_{1'700'000'000s};
  Changes changes_;
  Pushes pushes_;
};

TEST(EtcdConformance, GeneratedSequencesAreAnsweredAlike) {
  if (!no_etcd().empty()) GTEST_SKIP() << no_etcd();
  constexpr std::size_t sequences = 40;
  constexpr std::size_t steps = 20;
  EtcdClients clients(etcd_server());
  std::size_t asked = 0;
  std::size_t told = 0;
  for (std::uint32_t seed = 1; seed <= sequences; ++seed) {
    std::mt19937 dice(seed);
    EtcdDuel duel(clients);
    std::size_t step = 0;
    while (step < steps && duel.take(dice)) ++step;
    const bool is_alike = step == steps && duel.compare_events();
    EXPECT_TRUE(is_alike) << "seed " << seed << "\n" << duel.story;
    asked += duel.asked;
    told += duel.told;
  }
  fmt::print("{} requests, {} events of watches, {} sequences\n", asked, told, sequences);
  EXPECT_GT(asked, 600u);
  EXPECT_GT(told, 50u);
}

}  // namespace
}  // namespace holdfast::live
