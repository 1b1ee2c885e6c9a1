// A small HTTP server on one thread: every request becomes an answer, and requests that no page of its own
// can have sent are refused. It knows nothing of what it serves.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace holdfast::web {

enum class Method : std::uint8_t { get, post, remove };

struct Request {
  Method method = Method::get;
  std::string path;                                       // without the query, %XX decoded
  std::map<std::string, std::string, std::less<>> query;  // decoded; of a name that comes twice, the first
  std::string body;                                       // of a POST, and then it is JSON
};

struct Answer {
  int status = 200;
  std::string type = "text/html; charset=utf-8";
  std::string text = {};
};
// {"error": what}.
Answer error(int status, std::string_view what);

// The address is in use, or is none of this machine's. what() is one line for users.
class CannotListen : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Listen {
  std::string host = "127.0.0.1";  // a number, not a name
  std::uint16_t port = 0;          // 0: any that is free
};
// "127.0.0.1:7007", "0.0.0.0", "[::]:7007". Throws std::invalid_argument; what() is one line for users.
Listen parse_listen(std::string_view text, std::uint16_t usual_port);
bool is_loopback(const Listen& at);
// "http://127.0.0.1:7007/"
std::string url_of(const Listen& at);

inline constexpr std::size_t body_max = 64 << 10;
inline constexpr std::size_t head_max = 32 << 10;  // the first line and all headers

class WebServer {
 public:
  using Handler = std::function<Answer(const Request&)>;
  // Listens from here on. Throws CannotListen.
  WebServer(const Listen& at, Handler handler);
  ~WebServer();
  WebServer(const WebServer&) = delete;

  // With the port that it has.
  const Listen& at() const { return at_; }
  // Answers until `is_over`, which is asked many times a second.
  void serve_until(const std::function<bool()>& is_over);

 private:
  struct Sockets;
  Listen at_;
  std::unique_ptr<Sockets> sockets_;
};

}  // namespace holdfast::web
