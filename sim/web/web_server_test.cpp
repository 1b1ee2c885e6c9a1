// The HTTP server, talked to as browsers and strangers do: with bytes on a socket.
#include "sim/web/web_server.hpp"

#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include "sim/web/talk_test.hpp"

namespace holdfast::web {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

Answer echo(const Request& request) {
  if (request.path == "/throws") throw std::runtime_error("oh");
  std::string text = request.path;
  for (const auto& [name, value] : request.query) text += "|" + name + "=" + value;
  return {200, "text/plain", text + "|" + request.body};
}

TEST(WebServer, AnswersWithWhatWasAskedDecoded) {
  const Served served(echo);
  const std::string answer = served.ask("GET /a%20b?x=1%262&y=%C3%A9&x=2 HTTP/1.1");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answer, EndsWith("/a b|x=1&2|y=é|"));
  EXPECT_THAT(answer, HasSubstr("X-Content-Type-Options: nosniff"));
  EXPECT_THAT(answer, Not(HasSubstr("Access-Control")));
}
TEST(WebServer, AcceptsJsonFromItsOwnPagesAlone) {
  const Served served(echo);
  EXPECT_THAT(served.post("/p", "{}"), EndsWith("/p|{}"));
  EXPECT_THAT(served.post("/p", "{}", "text/plain"), StartsWith("HTTP/1.1 415"));
  EXPECT_THAT(served.post("/p", "{}", "application/json", "Origin: http://evil.example\r\n"),
              StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(served.post("/p", "{}", "application/json", "Origin: http://" + served.host() + "\r\n"),
              StartsWith("HTTP/1.1 200"));
}
TEST(WebServer, AnswersToNoOtherNameOfThisMachine) {
  const Served served(echo);
  EXPECT_THAT(served.ask("GET / HTTP/1.1", "evil.example:80"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(served.ask("GET / HTTP/1.1", "192.0.2.1"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(served.ask("GET / HTTP/1.1", "localhost:1"), StartsWith("HTTP/1.1 200"));
}
TEST(WebServer, RefusesWhatIsTooLargeAndOutlivesNonsense) {
  const Served served(echo);
  EXPECT_THAT(served.post("/p", std::string(body_max + 1, 'x')), StartsWith("HTTP/1.1 413"));
  EXPECT_THAT(served.post("/p", std::string(body_max, 'x')), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(served.ask("GET /" + std::string(2 * head_max, 'x') + " HTTP/1.1"),
              Not(StartsWith("HTTP/1.1 200")));
  served.send("\r\n\x01\xff nonsense\r\n\r\n");
  served.send("POST /p HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n");
  EXPECT_THAT(served.ask("PUT / HTTP/1.1"), StartsWith("HTTP/1.1 501"));
  EXPECT_THAT(served.ask("GET /throws HTTP/1.1"), HasSubstr("a bug in holdfast: oh"));
  EXPECT_THAT(served.ask("GET /still HTTP/1.1"), EndsWith("/still|"));
}
TEST(WebServer, SaysThatAPortIsInUse) {
  const Served served(echo);
  const Listen same{"127.0.0.1", served.port()};
  EXPECT_THROW(WebServer(same, echo), CannotListen);
}
TEST(WebServer, ReadsAddressesOfNumbers) {
  EXPECT_EQ(parse_listen("0.0.0.0", 7).port, 7);
  EXPECT_EQ(parse_listen("127.0.0.1:0", 7).port, 0);
  EXPECT_EQ(parse_listen("[::1]:80", 7).host, "::1");
  EXPECT_EQ(url_of(parse_listen("[::1]:80", 7)), "http://[::1]:80/");
  for (const char* const bad : {"", "host:80", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1x", "[::1", "::1"})
    EXPECT_THROW(parse_listen(bad, 7), std::invalid_argument) << bad;
  EXPECT_TRUE(is_loopback({"127.0.0.1", 1}));
  EXPECT_FALSE(is_loopback({"0.0.0.0", 1}));
}

}  // namespace
}  // namespace holdfast::web
