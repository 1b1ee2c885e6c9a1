// Clients of a private etcd for tests: they ask it what request.hpp has, through its JSON gateway.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/live/etcd_server_test.hpp"
#include "sim/stores/etcd/facts_test.hpp"

namespace holdfast::live {

inline std::string to_base64(std::string_view text) {
  constexpr std::string_view signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string made;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (i + j < text.size() ? static_cast<std::uint8_t>(text[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) made += i + j > text.size() ? '=' : signs[bits >> (18 - 6 * j) & 63];
  }
  return made;
}
inline std::string from_base64(std::string_view text) {
  constexpr std::string_view signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string made;
  std::uint32_t bits = 0, count = 0;
  for (const char sign : text) {
    if (sign == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(signs.find(sign));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    made += static_cast<char>(bits >> count & 255);
  }
  return made;
}

// Clients A, B, C, … of one server: each may watch.
class EtcdClients {
 public:
  explicit EtcdClients(EtcdServer& server) : server_(server) {}

  // No keys, and lease names that nobody has used.
  void begin_anew() {
    watches_.clear();
    for (const std::string& each : leases_) call("/v3/lease/revoke", {{"ID", number_of(each)}});
    leases_.clear();
    call("/v3/kv/deleterange", {{"key", "AA=="}, {"range_end", "AA=="}});
    generation_ = server_.next_generation();
  }
  std::int64_t revision() { return number(call("/v3/kv/range", {{"key", "AA=="}})["header"], "revision"); }

  Reply ask(char client, const std::vector<std::string>& words) {
    using Kind = etcd::Request::Kind;
    const etcd::Request request = etcd::parse(Command(words));
    const std::int64_t id = request.lease.empty() ? 0 : number_of(request.lease);
    switch (request.kind) {
      case Kind::grant: {
        leases_.push_back(request.lease);
        const EtcdJson told = call("/v3/lease/grant", {{"ID", id}, {"TTL", request.number}});
        return or_error(told, Reply::integer(number(told, "TTL")));
      }
      case Kind::keep_alive: {
        const EtcdJson told = call("/v3/lease/keepalive", {{"ID", id}});
        return told.contains("result") ? Reply::integer(number(told["result"], "TTL")) : error_of(told);
      }
      case Kind::time_to_live:
        return Reply::integer(number(call("/v3/lease/timetolive", {{"ID", id}}), "TTL"));
      case Kind::revoke: return or_error(call("/v3/lease/revoke", {{"ID", id}}), Reply::ok());
      case Kind::compact:
        return or_error(call("/v3/kv/compaction", {{"revision", request.number}}), Reply::ok());
      case Kind::operate: return operate(request.then.front());
      case Kind::transact: return transact(request);
      case Kind::watch: return watch(client, request);
      case Kind::unknown: break;
    }
    return Reply::error("etcdserver: unknown request");
  }

  // What its watch is told, until nothing comes for a moment.
  std::vector<Reply> events_of(char client) {
    std::vector<Reply> events;
    const auto found = watches_.find(client);
    if (found == watches_.end()) return events;
    Watch& watch = found->second;
    for (;;) {
      const EtcdJson told = watch.stream->next(std::chrono::milliseconds(150));
      if (told.is_null()) return events;
      const EtcdJson& result = told["result"];
      if (result.contains("canceled"))
        events.push_back(
            Reply::array({Reply::status("canceled"), Reply::integer(number(result, "compact_revision"))}));
      for (const EtcdJson& event : result.value("events", EtcdJson::array()))
        events.push_back(event_of(event, watch.tells_previous));
    }
  }
  void restart() {
    watches_.clear();
    server_.restart();
  }

 private:
  struct Watch {
    std::unique_ptr<EtcdStream> stream;
    bool tells_previous = false;
  };

  EtcdJson call(std::string_view path, const EtcdJson& body) {
    EtcdStream stream(server_.port(), path, body);
    return stream.next(std::chrono::seconds(10));
  }
  std::int64_t number_of(const std::string& lease) const {
    return lease.empty() ? 0 : generation_ * 1000 + std::stoll(lease);
  }
  std::string name_of(std::int64_t lease) const {
    return lease == 0 ? std::string() : std::to_string(lease % 1000);
  }
  // Numbers of 64 bits are texts there, and zeros are left out.
  static std::int64_t number(const EtcdJson& in, const char* name) {
    if (!in.contains(name)) return 0;
    return in[name].is_string() ? std::stoll(in[name].get<std::string>()) : in[name].get<std::int64_t>();
  }
  static std::string text(const EtcdJson& in, const char* name) {
    return from_base64(in.value(name, std::string()));
  }
  static Reply error_of(const EtcdJson& told) { return Reply::error(told.value("error", "etcdserver: ?")); }
  static Reply or_error(const EtcdJson& told, Reply reply) {
    return told.contains("error") ? error_of(told) : reply;
  }
  static EtcdJson range_of(const std::string& key, bool is_prefix) {
    EtcdJson range{{"key", to_base64(key)}};
    if (!is_prefix) return range;
    std::string end = key;
    ++end.back();
    range["range_end"] = to_base64(end);
    return range;
  }

  EtcdJson request_of(const etcd::Operation& it) const {
    using Kind = etcd::Operation::Kind;
    using Which = etcd::Operation::Which;
    if (it.kind == Kind::put)
      return {{"key", to_base64(it.key)}, {"value", to_base64(it.value)}, {"lease", number_of(it.lease)}};
    EtcdJson range = it.kind == Kind::revision ? range_of("none", false) : range_of(it.key, it.is_prefix);
    if (it.which != Which::by_key) {
      range["sort_target"] = "CREATE";
      range["sort_order"] = it.which == Which::last ? "DESCEND" : "ASCEND";
    }
    if (it.which == Which::first || it.which == Which::last) range["limit"] = 1;
    if (it.created_before != 0) range["max_create_revision"] = it.created_before - 1;
    if (it.kind == Kind::get && it.told.empty()) range["count_only"] = true;
    return range;
  }
  Reply reply_of(const etcd::Operation& it, const EtcdJson& told, const EtcdJson& header) const {
    using Kind = etcd::Operation::Kind;
    if (it.kind == Kind::put) return Reply::ok();
    if (it.kind == Kind::revision) return Reply::integer(number(header, "revision"));
    if (it.kind == Kind::remove) return Reply::integer(number(told, "deleted"));
    if (it.told.empty()) return Reply::integer(number(told, "count"));
    std::vector<Reply> rows;
    for (const EtcdJson& row : told.value("kvs", EtcdJson::array())) {
      std::vector<Reply> cells;
      for (const etcd::Column column : it.told) cells.push_back(cell_of(column, row));
      rows.push_back(Reply::array(std::move(cells)));
    }
    return Reply::array(std::move(rows));
  }
  Reply cell_of(etcd::Column column, const EtcdJson& row) const {
    switch (column) {
      case etcd::Column::key: return Reply::bulk(text(row, "key"));
      case etcd::Column::value: return Reply::bulk(text(row, "value"));
      case etcd::Column::lease: return Reply::bulk(name_of(number(row, "lease")));
      case etcd::Column::create: return Reply::integer(number(row, "create_revision"));
      case etcd::Column::mod: return Reply::integer(number(row, "mod_revision"));
    }
    return Reply();
  }
  static const char* name_of(etcd::Operation::Kind kind) {
    if (kind == etcd::Operation::Kind::put) return "put";
    return kind == etcd::Operation::Kind::remove ? "delete_range" : "range";
  }
  Reply operate(const etcd::Operation& it) {
    const std::string name = name_of(it.kind);
    const EtcdJson told =
        call(name == "delete_range" ? "/v3/kv/deleterange" : "/v3/kv/" + name, request_of(it));
    if (told.contains("error")) return error_of(told);
    return reply_of(it, told, told["header"]);
  }
  EtcdJson requests_of(const std::vector<etcd::Operation>& operations) const {
    EtcdJson all = EtcdJson::array();
    for (const etcd::Operation& each : operations)
      all.push_back({{std::string("request_") + name_of(each.kind), request_of(each)}});
    return all;
  }
  EtcdJson condition_of(const etcd::Condition& it) const {
    constexpr const char* signs[] = {"EQUAL", "NOT_EQUAL", "LESS", "GREATER"};
    EtcdJson made{{"key", to_base64(it.key)}, {"result", signs[static_cast<std::size_t>(it.is)]}};
    switch (it.column) {
      case etcd::Column::key: break;
      case etcd::Column::value:
        made["target"] = "VALUE";
        made["value"] = to_base64(it.text);
        break;
      case etcd::Column::lease:
        made["target"] = "LEASE";
        made["lease"] = number_of(it.text);
        break;
      case etcd::Column::create:
        made["target"] = "CREATE";
        made["create_revision"] = it.number;
        break;
      case etcd::Column::mod:
        made["target"] = "MOD";
        made["mod_revision"] = it.number;
        break;
    }
    return made;
  }
  Reply transact(const etcd::Request& request) {
    EtcdJson compare = EtcdJson::array();
    for (const etcd::Condition& each : request.conditions) compare.push_back(condition_of(each));
    const EtcdJson told = call("/v3/kv/txn", {{"compare", compare},
                                              {"success", requests_of(request.then)},
                                              {"failure", requests_of(request.otherwise)}});
    if (told.contains("error")) return error_of(told);
    const bool is_met = told.value("succeeded", false);
    const std::vector<etcd::Operation>& chosen = is_met ? request.then : request.otherwise;
    std::vector<Reply> replies{Reply::integer(is_met ? 1 : 0)};
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const EtcdJson& each = told["responses"][i][std::string("response_") + name_of(chosen[i].kind)];
      replies.push_back(reply_of(chosen[i], each, told["header"]));
    }
    return Reply::array(std::move(replies));
  }
  Reply watch(char client, const etcd::Request& request) {
    EtcdJson create = range_of(request.key, request.is_prefix);
    if (request.number != 0) create["start_revision"] = request.number;
    if (request.tells_previous) create["prev_kv"] = true;
    if (request.skips_puts) create["filters"] = EtcdJson::array({"NOPUT"});
    Watch& watch = watches_[client];
    watch.tells_previous = request.tells_previous;
    watch.stream =
        std::make_unique<EtcdStream>(server_.port(), "/v3/watch", EtcdJson{{"create_request", create}});
    const EtcdJson created = watch.stream->next(std::chrono::seconds(10));
    return created["result"].value("created", false) ? Reply::ok() : error_of(created);
  }
  static Reply event_of(const EtcdJson& event, bool tells_previous) {
    const bool is_delete = event.value("type", "PUT") == "DELETE";
    const EtcdJson& kv = event["kv"];
    std::vector<Reply> parts{Reply::status(is_delete ? "DELETE" : "PUT"), Reply::bulk(text(kv, "key")),
                             is_delete ? Reply::nil() : Reply::bulk(text(kv, "value"))};
    if (tells_previous)
      parts.push_back(event.contains("prev_kv") ? Reply::bulk(text(event["prev_kv"], "value"))
                                                : Reply::nil());
    parts.push_back(Reply::integer(number(kv, "mod_revision")));
    return Reply::array(std::move(parts));
  }

  EtcdServer& server_;
  std::map<char, Watch> watches_;
  std::vector<std::string> leases_;
  std::int64_t generation_ = 0;
};

}  // namespace holdfast::live
