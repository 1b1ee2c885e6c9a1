// A private server serves, restarts empty, and never outlives its parent.
#include "sim/live/redis_process.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "sim/live/blocking_client.hpp"
#include "sim/live/no_server_test.hpp"

namespace holdfast::live {
namespace {

TEST(RedisProcess, ServesOnAPrivateSocketAndCleansUp) {
  std::unique_ptr<RedisProcess> server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  const std::string path = server->socket_path();
  BlockingClient client(path);
  EXPECT_EQ(client.send({"SET", "k", std::string("a\0b", 3)}), Reply::ok());
  EXPECT_EQ(client.send({"GET", "k"}), Reply::bulk(std::string("a\0b", 3)));
  EXPECT_EQ(client.send_all({{"INCR", "n"}, {"MGET", "n", "nobody"}}),
            (std::vector<Reply>{Reply::integer(1), Reply::array({Reply::bulk("1"), Reply::nil()})}));
  // No TCP port, nothing on disk.
  EXPECT_EQ(client.send({"CONFIG", "GET", "port"}).elements().at(1), Reply::bulk("0"));
  EXPECT_EQ(client.send({"CONFIG", "GET", "save"}).elements().at(1), Reply::bulk(""));
  server.reset();
  EXPECT_TRUE(client.send({"PING"}).is_lost());
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(path).parent_path()));
  EXPECT_THROW(BlockingClient{path}, std::runtime_error);
}

TEST(RedisProcess, RestartLosesTheData) {
  const std::unique_ptr<RedisProcess> server = RedisProcess::start();
  if (!server) GTEST_SKIP() << no_server;
  BlockingClient(server->socket_path()).send({"SET", "k", "v"});
  server->restart();
  EXPECT_EQ(BlockingClient(server->socket_path()).send({"DBSIZE"}), Reply::integer(0));
}

// A directory for temporary files that nobody else cleans up.
class OwnTemporaries {
 public:
  OwnTemporaries() {
    if (const char* const before = std::getenv("TMPDIR")) before_ = before;
    std::string name = (std::filesystem::temp_directory_path() / "holdfast-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
    ::setenv("TMPDIR", path_.c_str(), 1);
  }
  ~OwnTemporaries() {
    if (before_) ::setenv("TMPDIR", before_->c_str(), 1);
    else ::unsetenv("TMPDIR");
    std::filesystem::remove_all(path_);
  }

 private:
  std::optional<std::string> before_;
  std::filesystem::path path_;
};

TEST(RedisProcess, EndsWithItsParentHoweverThatEnds) {
  if (!RedisProcess::start()) GTEST_SKIP() << no_server;
  const OwnTemporaries temporaries;
  int to_parent[2];
  ASSERT_EQ(::pipe(to_parent), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::unique_ptr<RedisProcess> server = RedisProcess::start();
    const std::string path = server->socket_path() + "\n";
    const bool is_told = ::write(to_parent[1], path.data(), path.size()) == static_cast<ssize_t>(path.size());
    ::pause();
    ::_exit(is_told ? 0 : 1);
  }
  std::string path;
  for (char letter = 0; ::read(to_parent[0], &letter, 1) == 1 && letter != '\n';) path += letter;
  BlockingClient client(path);
  EXPECT_EQ(client.send({"PING"}), Reply::status("PONG"));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  // The end of the connection is the end of the server.
  bool is_gone = false;
  for (int attempt = 0; attempt < 500 && !is_gone; ++attempt) {
    is_gone = client.send({"PING"}).is_lost();
    if (!is_gone) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(is_gone);
  // Nobody was left to remove its directory; the next one does, and touches nothing that is in use.
  const std::unique_ptr<RedisProcess> alive = RedisProcess::start();
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(path).parent_path()));
  EXPECT_EQ(remove_abandoned_directories(), 1u);
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(path).parent_path()));
  EXPECT_EQ(BlockingClient(alive->socket_path()).send({"PING"}), Reply::status("PONG"));
}

}  // namespace
}  // namespace holdfast::live
