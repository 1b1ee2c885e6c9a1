#include "sim/web/web_server.hpp"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <optional>
#include <system_error>

#include <fmt/format.h>

namespace holdfast::web {
namespace {

// So long may a client take for a request, and be silent between two.
constexpr int patience_seconds = 20;
constexpr std::chrono::milliseconds between_looks{50};

std::string in_json(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') safe += '\\';
    if (static_cast<unsigned char>(letter) < ' ') safe += fmt::format("\\u{:04x}", letter);
    else safe += letter;
  }
  return safe;
}

std::string decoded(std::string_view text) {
  std::size_t size = 0;
  char* const letters = evhttp_uridecode(std::string(text).c_str(), 0, &size);
  if (letters == nullptr) return std::string(text);
  std::string whole(letters, size);
  std::free(letters);
  return whole;
}

std::string_view header(evhttp_request* request, const char* name) {
  const char* const value = evhttp_find_header(evhttp_request_get_input_headers(request), name);
  return value == nullptr ? std::string_view() : value;
}

bool is_number(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

// "localhost:7007" and "[::1]:7007" without the port and the brackets.
std::string name_in(std::string_view host) {
  if (host.starts_with('[')) return std::string(host.substr(1, host.find(']') - 1));
  return std::string(host.substr(0, host.rfind(':')));
}

std::string own_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

// A page of somebody else's can make its own name mean this machine (DNS rebinding), but neither a number nor
// the name that this machine has.
bool is_for_us(std::string_view host, const Listen& at) {
  const std::string name = name_in(host);
  if (name == "localhost" || name == "127.0.0.1" || name == "::1") return true;
  if (is_loopback(at)) return false;
  return is_number(name) || (!name.empty() && (name == own_name() || name == own_name() + ".local"));
}

// Why the request is refused, whatever it asks for.
std::optional<Answer> refusal(evhttp_request* request, Method method, const Listen& at, std::size_t size) {
  const std::string_view host = header(request, "Host");
  if (!is_for_us(host, at))
    return error(403, fmt::format("Host: \"{}\" is not a name of this server; open {}", host, url_of(at)));
  if (method == Method::get) return std::nullopt;
  const std::string_view origin = header(request, "Origin");
  if (!origin.empty() && origin != fmt::format("http://{}", host))
    return error(403, fmt::format("Origin: \"{}\": only pages of this server may change something", origin));
  if (size > body_max) return error(413, fmt::format("a body of {} bytes; the most is {}", size, body_max));
  const std::string_view type = header(request, "Content-Type");
  if (method == Method::post && type.substr(0, type.find(';')) != "application/json")
    return error(415, fmt::format("Content-Type: \"{}\"; a POST has application/json", type));
  return std::nullopt;
}

Request request_of(evhttp_request* request, Method method) {
  Request made{.method = method};
  const evhttp_uri* const uri = evhttp_request_get_evhttp_uri(request);
  const char* const path = evhttp_uri_get_path(uri);
  made.path = path == nullptr || *path == '\0' ? "/" : decoded(path);
  const char* const query = evhttp_uri_get_query(uri);
  evkeyvalq pairs{};
  if (query != nullptr && evhttp_parse_query_str(query, &pairs) == 0) {
    for (const evkeyval* each = pairs.tqh_first; each != nullptr; each = each->next.tqe_next)
      made.query.emplace(each->key, each->value);
    evhttp_clear_headers(&pairs);
  }
  evbuffer* const body = evhttp_request_get_input_buffer(request);
  made.body.resize(evbuffer_get_length(body));
  evbuffer_copyout(body, made.body.data(), made.body.size());
  return made;
}

void send(evhttp_request* request, const Answer& answer) {
  constexpr std::array<std::pair<const char*, const char*>, 6> always{{
      {"Cache-Control", "no-store"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Content-Security-Policy", "frame-ancestors 'none'; base-uri 'none'"},
  }};
  evkeyvalq* const headers = evhttp_request_get_output_headers(request);
  for (const auto& [name, value] : always) evhttp_add_header(headers, name, value);
  evhttp_add_header(headers, "Content-Type", answer.type.c_str());
  evbuffer* const body = evbuffer_new();
  evbuffer_add(body, answer.text.data(), answer.text.size());
  // An empty reason is the usual one of the status.
  evhttp_send_reply(request, answer.status, nullptr, body);
  evbuffer_free(body);
}

}  // namespace

Answer error(int status, std::string_view what) {
  return {status, "application/json", fmt::format("{{\"error\": \"{}\"}}\n", in_json(what))};
}

Listen parse_listen(std::string_view text, std::uint16_t usual_port) {
  const auto bad = [&](std::string_view why) {
    return std::invalid_argument(fmt::format("\"{}\" {}: an address is written like 0.0.0.0:{} or [::]:{}",
                                             text, why, usual_port, usual_port));
  };
  const bool has_brackets = text.starts_with('[');
  const std::size_t end = has_brackets ? text.find(']') : text.find(':');
  if (has_brackets && end == text.npos) throw bad("has no ]");
  Listen at{.host = std::string(text.substr(has_brackets, end - has_brackets)), .port = usual_port};
  if (at.host == "localhost") at.host = "127.0.0.1";
  if (!is_number(at.host)) throw bad("is no address of numbers");
  const std::string_view rest = end == text.npos ? "" : text.substr(end + has_brackets);
  if (rest.empty()) return at;
  const auto [last, why] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), at.port);
  if (!rest.starts_with(':') || why != std::errc() || last != rest.data() + rest.size())
    throw bad("has no port from 0 to 65535");
  return at;
}

bool is_loopback(const Listen& at) { return at.host.starts_with("127.") || at.host == "::1"; }

std::string url_of(const Listen& at) {
  const bool is_six = at.host.find(':') != at.host.npos;
  const std::string host = at.host == "0.0.0.0" || at.host == "::" ? own_name()
                           : is_six                                ? "[" + at.host + "]"
                                                                   : at.host;
  return fmt::format("http://{}:{}/", host, at.port);
}

struct WebServer::Sockets {
  Sockets() : base(event_base_new()), http(evhttp_new(base)) {}
  ~Sockets() {
    if (look != nullptr) event_free(look);
    evhttp_free(http);
    event_base_free(base);
  }
  Sockets(const Sockets&) = delete;

  static void on_request(evhttp_request* request, void* context) {
    static_cast<Sockets*>(context)->answer(request);
  }
  static void on_look(evutil_socket_t, short, void*) {}

  void answer(evhttp_request* request) const {
    const evhttp_cmd_type type = evhttp_request_get_command(request);
    const Method method = type == EVHTTP_REQ_POST     ? Method::post
                          : type == EVHTTP_REQ_DELETE ? Method::remove
                                                      : Method::get;
    const std::size_t size = evbuffer_get_length(evhttp_request_get_input_buffer(request));
    if (const std::optional<Answer> refused = refusal(request, method, at, size))
      return send(request, *refused);
    try {
      send(request, handler(request_of(request, method)));
    } catch (const std::exception& problem) {
      send(request, error(500, fmt::format("a bug in holdfast: {}", problem.what())));
    }
  }

  event_base* const base;
  evhttp* const http;
  event* look = nullptr;
  Handler handler;
  Listen at;
};

WebServer::WebServer(const Listen& at, Handler handler) : at_(at), sockets_(std::make_unique<Sockets>()) {
  ::signal(SIGPIPE, SIG_IGN);  // a browser that has gone is no reason to end
  evhttp* const http = sockets_->http;
  evhttp_set_allowed_methods(http, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD | EVHTTP_REQ_POST | EVHTTP_REQ_DELETE);
  // Larger bodies than body_max are read, and refused in words; beyond this they are not read.
  evhttp_set_max_body_size(http, 16 * body_max);
  evhttp_set_max_headers_size(http, head_max);
  evhttp_set_timeout(http, patience_seconds);
  evhttp_set_gencb(http, Sockets::on_request, sockets_.get());
  errno = 0;
  evhttp_bound_socket* const bound = evhttp_bind_socket_with_handle(http, at.host.c_str(), at.port);
  if (bound == nullptr)
    throw CannotListen(fmt::format("{}:{}: {}", at.host, at.port, std::generic_category().message(errno)));
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(evhttp_bound_socket_get_fd(bound), reinterpret_cast<sockaddr*>(&address), &size);
  at_.port = ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                                 : reinterpret_cast<sockaddr_in&>(address).sin_port);
  sockets_->handler = std::move(handler);
  sockets_->at = at_;
  sockets_->look = event_new(sockets_->base, -1, EV_PERSIST, Sockets::on_look, nullptr);
  const timeval often{0, std::chrono::microseconds(between_looks).count()};
  event_add(sockets_->look, &often);
}

WebServer::~WebServer() = default;

void WebServer::serve_until(const std::function<bool()>& is_over) {
  while (!is_over()) event_base_loop(sockets_->base, EVLOOP_ONCE);
}

}  // namespace holdfast::web
