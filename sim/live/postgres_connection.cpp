#include "sim/live/postgres_connection.hpp"

#include <dlfcn.h>
#include <poll.h>

#include <stdexcept>
#include <string_view>

namespace holdfast::live {
namespace {

// What is used of it (PostgreSQL 15 documentation, 34 libpq).
struct LibPq {
  using Connection = void*;
  using Result = void*;
  Connection (*connect)(const char*);
  int (*status)(Connection);
  char* (*error)(Connection);
  void (*set_notices)(Connection, void (*)(void*, const char*), void*);
  void (*finish)(Connection);
  int (*process)(Connection);
  int (*socket)(Connection);
  int (*send)(Connection, const char*);
  int (*consume)(Connection);
  int (*is_busy)(Connection);
  Result (*result)(Connection);
  void (*clear)(Result);
  int (*result_status)(Result);
  char* (*tuples)(Result);
  char* (*command)(Result);
  char* (*error_field)(Result, int);
  int (*rows)(Result);
  int (*columns)(Result);
  char* (*value)(Result, int, int);
  unsigned int (*type)(Result, int);

  static const LibPq& get() {
    static const LibPq one = load();
    return one;
  }

 private:
  static LibPq load() {
    void* const library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error("no libpq.so.5: install libpq5");
    LibPq it{};
    const auto find = [library](auto& place, const char* name) {
      place = reinterpret_cast<std::remove_reference_t<decltype(place)>>(dlsym(library, name));
      if (place == nullptr) throw std::runtime_error(std::string("libpq.so.5 has no ") + name);
    };
    find(it.connect, "PQconnectdb");
    find(it.status, "PQstatus");
    find(it.error, "PQerrorMessage");
    find(it.set_notices, "PQsetNoticeProcessor");
    find(it.finish, "PQfinish");
    find(it.process, "PQbackendPID");
    find(it.socket, "PQsocket");
    find(it.send, "PQsendQuery");
    find(it.consume, "PQconsumeInput");
    find(it.is_busy, "PQisBusy");
    find(it.result, "PQgetResult");
    find(it.clear, "PQclear");
    find(it.result_status, "PQresultStatus");
    find(it.tuples, "PQcmdTuples");
    find(it.command, "PQcmdStatus");
    find(it.error_field, "PQresultErrorField");
    find(it.rows, "PQntuples");
    find(it.columns, "PQnfields");
    find(it.value, "PQgetvalue");
    find(it.type, "PQftype");
    return it;
  }
};

// libpq-fe.h and postgres_ext.h.
constexpr int connection_ok = 0;
constexpr int command_ok = 1;
constexpr int tuples_ok = 2;
constexpr int field_state = 'C';
constexpr int field_message = 'M';
// pg_type.dat
constexpr unsigned int type_bool = 16;
constexpr unsigned int type_int8 = 20;
constexpr unsigned int type_int4 = 23;
constexpr unsigned int type_void = 2278;

Reply reply_of(const LibPq& pq, LibPq::Result result) {
  const int status = pq.result_status(result);
  if (status == command_ok) {
    const std::string count = pq.tuples(result);
    return count.empty() ? Reply::status(pq.command(result)) : Reply::integer(std::stoll(count));
  }
  if (status != tuples_ok) {
    // Without a state there is no answer, for the connection is gone.
    const char* const state = pq.error_field(result, field_state);
    if (state == nullptr) return Reply::lost();
    const char* const message = pq.error_field(result, field_message);
    return Reply::error(std::string(state) + " " + (message == nullptr ? "" : message));
  }
  if (pq.rows(result) == 0) return Reply::nil();
  const std::string first = pq.value(result, 0, 0);
  if (pq.columns(result) == 2)
    return Reply::array({Reply::bulk(first), Reply::integer(std::stoll(pq.value(result, 0, 1)))});
  switch (pq.type(result, 0)) {
    case type_bool: return Reply::integer(first == "t" ? 1 : 0);
    case type_int4:
    case type_int8: return Reply::integer(std::stoll(first));
    case type_void: return Reply::ok();
    default: return Reply::bulk(first);
  }
}

}  // namespace

PostgresConnection::PostgresConnection(const std::string& address)
    : connection_(LibPq::get().connect(address.c_str())) {
  const LibPq& pq = LibPq::get();
  if (pq.status(connection_) != connection_ok) {
    const std::string why = pq.error(connection_);
    pq.finish(connection_);
    throw std::runtime_error(why.substr(0, why.find('\n')));
  }
  pq.set_notices(
      connection_, [](void*, const char*) {}, nullptr);
}

PostgresConnection::~PostgresConnection() { LibPq::get().finish(connection_); }

int PostgresConnection::process() const { return LibPq::get().process(connection_); }
int PostgresConnection::descriptor() const { return LibPq::get().socket(connection_); }

void PostgresConnection::send(const std::string& sql) { LibPq::get().send(connection_, sql.c_str()); }

std::optional<Reply> PostgresConnection::poll() {
  const LibPq& pq = LibPq::get();
  pq.consume(connection_);
  if (pq.is_busy(connection_) != 0) return std::nullopt;
  Reply reply = Reply::lost();
  while (const LibPq::Result result = pq.result(connection_)) {
    reply = reply_of(pq, result);
    pq.clear(result);
  }
  return reply;
}

Reply PostgresConnection::run(const std::string& sql) {
  send(sql);
  for (;;) {
    if (std::optional<Reply> reply = poll()) return *std::move(reply);
    pollfd readable{descriptor(), POLLIN, 0};
    ::poll(&readable, 1, -1);
  }
}

}  // namespace holdfast::live
