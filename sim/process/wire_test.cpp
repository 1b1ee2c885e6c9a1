// A session knows no protocol: what a wire says of a request is what it goes by.
#include "sim/process/wire.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "sim/core/store.hpp"
#include "sim/explore/planted_test.hpp"
#include "sim/guest/program.hpp"
#include "sim/process/program.hpp"

namespace holdfast::process {
namespace {

std::optional<Request> taken(Wire& wire, std::string_view bytes) { return wire.take(bytes); }

TEST(Resp, SaysWhatARequestAsksOfItsConnection) {
  const std::unique_ptr<Wire> wire = resp.connect();
  std::string_view bytes = "*3\r\n$5\r\nblpop\r\n$1\r\nq\r\n$1\r\n2\r\nGET a\r\n*1\r\n$4\r\nPI";
  const std::optional<Request> waits = wire->take(bytes);
  ASSERT_TRUE(waits);
  EXPECT_EQ(waits->words, (std::vector<std::string>{"blpop", "q", "2"}));
  EXPECT_EQ(waits->waits, 2s);
  EXPECT_TRUE(waits->needs_session && !waits->subscribes);
  const std::optional<Request> plain = wire->take(bytes);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->words, (std::vector<std::string>{"GET", "a"}));
  EXPECT_TRUE(!plain->needs_session && !plain->subscribes && !plain->waits);
  EXPECT_FALSE(wire->take(bytes));
  EXPECT_EQ(taken(*wire, "BRPOP q 0\n")->waits, OwnConnection::for_ever);
  EXPECT_TRUE(taken(*wire, "SUBSCRIBE news\n")->subscribes && taken(*wire, "WATCH a\n")->needs_session);
  EXPECT_THROW(taken(*wire, "*x\r\n"), guest::Unusable);
}

TEST(Resp, GreetsAndRemembersWhatWasAgreed) {
  const std::unique_ptr<Wire> wire = resp.connect();
  EXPECT_FALSE(wire->answer_to_greeting(*taken(*wire, "GET a\n")));
  EXPECT_EQ(wire->bytes_of(Reply::nil()), "$-1\r\n");
  EXPECT_TRUE(wire->answer_to_greeting(*taken(*wire, "HELLO 3\n")));
  EXPECT_EQ(wire->bytes_of(Reply::nil()), "_\r\n");
  EXPECT_EQ(wire->database(), "0");
  EXPECT_TRUE(wire->answer_to_greeting(*taken(*wire, "SELECT 7\n")));
  EXPECT_EQ(wire->database(), "7");
}

// "take KEY OWNER" and "drop KEY", each on a line; the answers are "yes" and "no".
class Lines final : public Wire {
 public:
  std::optional<Request> take(std::string_view& bytes) override {
    const std::size_t end = bytes.find('\n');
    if (end == bytes.npos) return std::nullopt;
    std::istringstream line{std::string(bytes.substr(0, end))};
    bytes.remove_prefix(end + 1);
    std::string verb, key, owner;
    line >> verb >> key >> owner;
    Request request;
    if (verb == "take") request.words = {"SET", key, owner, "PX", "4000", "NX"};
    else request.words = {"DEL", key};
    return request;
  }
  std::optional<std::string> answer_to_greeting(const Request&) override { return std::nullopt; }
  std::string bytes_of(const Reply& reply) const override { return reply.is_nil() ? "no\n" : "yes\n"; }
  const std::string& database() const override { return one_; }

 private:
  std::string one_;
};
const Protocol of_lines{7000, []() -> std::unique_ptr<Wire> { return std::make_unique<Lines>(); }};

const std::string taker = R"(
use IO::Socket::INET;
my $server;
sub ask {
  $server //= IO::Socket::INET->new(PeerAddr => '127.0.0.1:7000') or return '';
  print $server "@_\n";
  return <$server> // '';
}
while (sysread STDIN, my $line, 4096) {
  my ($word, $key) = split ' ', $line;
  my $mine = sprintf '%08x%08x', rand 2**32, rand 2**32;
  my $said = $word eq 'acquire' ? ask('take', $key, $mine) eq "yes\n" ? "granted $mine 4000" : 'refused'
                                : ask('drop', $key) && 'released';
  syswrite STDOUT, "$said\n";
}
)";

TEST(Wire, OfAnotherProtocolNeedsNothingElse) {
  Program program(
      {.id = "lines", .words = {"perl", "-e", taker}, .summary = "a program", .protocol = &of_lines},
      {"PATH=/usr/bin:/bin"});
  const auto verdict = [&](Fault fault, Property property) {
    const Scenario scenario = planted::on_time(scenario_of(planted::one_attempt(), program.card(), fault));
    return planted::result_of(explore(scenario, program.card(), Budget()), property).verdict;
  };
  EXPECT_EQ(verdict(Fault::none, Property::mutual_exclusion), Verdict::holds);
  EXPECT_EQ(verdict(Fault::eviction, Property::mutual_exclusion), Verdict::violated);
  EXPECT_EQ(verdict(Fault::eviction, Property::owner_only_release), Verdict::violated);
}

}  // namespace
}  // namespace holdfast::process
