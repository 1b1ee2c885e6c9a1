// How users name a server.
#include "sim/live/address.hpp"

#include <gmock/gmock-more-matchers.h>

#include <stdexcept>

namespace holdfast::live {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Address, ASocketIsAPath) {
  for (const char* url : {"unix:/run/redis.sock", "unix:///run/redis.sock"}) {
    const Address address = parse_address(url);
    EXPECT_EQ(address.socket_path, "/run/redis.sock");
    EXPECT_THAT(address.greetings(), IsEmpty());
    EXPECT_EQ(to_text(address), "unix:/run/redis.sock");
  }
  EXPECT_THAT(parse_address("unix:/s?db=3").greetings(), ElementsAre(ElementsAre("SELECT", "3")));
}

TEST(Address, AHostHasAPortADatabaseAndWhoAsks) {
  EXPECT_EQ(to_text(parse_address("redis://localhost")), "redis://localhost:6379");
  EXPECT_EQ(to_text(parse_address("redis://[::1]:7000")), "redis://[::1]:7000");
  const Address full = parse_address("redis://ann:p%40ss:w@10.0.0.1:6380/2");
  EXPECT_EQ(full.host, "10.0.0.1");
  EXPECT_EQ(full.port, 6380);
  EXPECT_THAT(full.greetings(),
              ElementsAre(ElementsAre("AUTH", "ann", "p@ss:w"), ElementsAre("SELECT", "2")));
  EXPECT_EQ(to_text(full), "redis://10.0.0.1:6380");
  EXPECT_THAT(parse_address("redis://:secret@h/").greetings(), ElementsAre(ElementsAre("AUTH", "secret")));
}

TEST(Address, AnythingElseIsToldInOneLine) {
  for (const char* url : {"", "localhost:6379", "http://localhost", "unix:redis.sock", "unix:/s?x=1",
                          "redis://", "redis://host:0", "redis://host:65536", "redis://host:port",
                          "redis://host/one", "redis://ann@host", "redis://:%4@host", "redis://[::1"}) {
    try {
      parse_address(url);
      ADD_FAILURE() << url;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), HasSubstr("expected unix:/path/to/redis.sock or redis://")) << url;
    }
  }
}

}  // namespace
}  // namespace holdfast::live
