#include "sim/live/etcd_words.hpp"

#include <random>

namespace holdfast::live {
namespace {

std::string text(const EtcdJson& in, const char* name) { return from_base64(in.value(name, std::string())); }

EtcdJson range_of(const std::string& key, bool is_prefix) {
  EtcdJson range{{"key", to_base64(key)}};
  if (!is_prefix) return range;
  std::string end = key;
  ++end.back();
  range["range_end"] = to_base64(end);
  return range;
}

const char* name_of(etcd::Operation::Kind kind) {
  if (kind == etcd::Operation::Kind::put) return "put";
  return kind == etcd::Operation::Kind::remove ? "delete_range" : "range";
}

Reply event_of(const EtcdJson& event, bool tells_previous) {
  const bool is_delete = event.value("type", "PUT") == "DELETE";
  const EtcdJson& kv = event["kv"];
  std::vector<Reply> parts{Reply::status(is_delete ? "DELETE" : "PUT"), Reply::bulk(text(kv, "key")),
                           is_delete ? Reply::nil() : Reply::bulk(text(kv, "value"))};
  if (tells_previous)
    parts.push_back(event.contains("prev_kv") ? Reply::bulk(text(event["prev_kv"], "value")) : Reply::nil());
  parts.push_back(Reply::integer(EtcdWords::number(event["kv"], "mod_revision")));
  return Reply::array(std::move(parts));
}

}  // namespace

// --- leases ---

EtcdLeases::EtcdLeases() {
  constexpr std::int64_t far_apart = 1'000'000'000;
  last_ = (1 + static_cast<std::int64_t>(std::random_device()())) * far_apart;
}

std::int64_t EtcdLeases::number_of(const std::string& name) {
  if (name.empty()) return 0;
  const std::lock_guard alone(mutex_);
  const auto [found, is_new] = numbers_.try_emplace(name, last_ + 1);
  if (is_new) names_[++last_] = name;
  return found->second;
}

std::string EtcdLeases::name_of(std::int64_t number) {
  const std::lock_guard alone(mutex_);
  const auto found = names_.find(number);
  return found == names_.end() ? std::string() : found->second;
}

std::vector<std::string> EtcdLeases::names() {
  const std::lock_guard alone(mutex_);
  std::vector<std::string> all;
  for (const auto& [name, number] : numbers_) all.push_back(name);
  return all;
}

void EtcdLeases::forget() {
  const std::lock_guard alone(mutex_);
  numbers_.clear();
  names_.clear();
}

// --- requests ---

EtcdWords::Post EtcdWords::post_of(const etcd::Request& request) const {
  using Kind = etcd::Request::Kind;
  const std::int64_t id = leases_.number_of(request.lease);
  switch (request.kind) {
    case Kind::grant: return {"/v3/lease/grant", {{"ID", id}, {"TTL", request.number}}};
    case Kind::keep_alive: return {"/v3/lease/keepalive", {{"ID", id}}};
    case Kind::time_to_live: return {"/v3/lease/timetolive", {{"ID", id}}};
    case Kind::revoke: return {"/v3/lease/revoke", {{"ID", id}}};
    case Kind::compact: return {"/v3/kv/compaction", {{"revision", request.number}}};
    case Kind::operate: {
      const std::string name = name_of(request.then.front().kind);
      return {name == "delete_range" ? "/v3/kv/deleterange" : "/v3/kv/" + name,
              request_of(request.then.front())};
    }
    case Kind::transact: {
      EtcdJson compare = EtcdJson::array();
      for (const etcd::Condition& each : request.conditions) compare.push_back(condition_of(each));
      return {"/v3/kv/txn",
              {{"compare", compare},
               {"success", requests_of(request.then)},
               {"failure", requests_of(request.otherwise)}}};
    }
    case Kind::watch: {
      EtcdJson create = range_of(request.key, request.is_prefix);
      if (request.number != 0) create["start_revision"] = request.number;
      if (request.tells_previous) create["prev_kv"] = true;
      if (request.skips_puts) create["filters"] = EtcdJson::array({"NOPUT"});
      return {"/v3/watch", {{"create_request", create}}};
    }
    case Kind::unknown: break;
  }
  return {};
}

EtcdJson EtcdWords::request_of(const etcd::Operation& it) const {
  using Kind = etcd::Operation::Kind;
  using Which = etcd::Operation::Which;
  if (it.kind == Kind::put)
    return {
        {"key", to_base64(it.key)}, {"value", to_base64(it.value)}, {"lease", leases_.number_of(it.lease)}};
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

EtcdJson EtcdWords::requests_of(const std::vector<etcd::Operation>& operations) const {
  EtcdJson all = EtcdJson::array();
  for (const etcd::Operation& each : operations)
    all.push_back({{std::string("request_") + name_of(each.kind), request_of(each)}});
  return all;
}

EtcdJson EtcdWords::condition_of(const etcd::Condition& it) const {
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
      made["lease"] = leases_.number_of(it.text);
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

// --- answers ---

std::int64_t EtcdWords::number(const EtcdJson& in, const char* name) {
  if (!in.contains(name)) return 0;
  return in[name].is_string() ? std::stoll(in[name].get<std::string>()) : in[name].get<std::int64_t>();
}

Reply EtcdWords::reply_to(const etcd::Request& request, const EtcdJson& told) const {
  using Kind = etcd::Request::Kind;
  if (request.kind == Kind::unknown) return Reply::error("etcdserver: unknown request");
  if (told.is_null()) return Reply::lost();
  if (request.kind == Kind::keep_alive && told.contains("result"))
    return Reply::integer(number(told["result"], "TTL"));
  if (request.kind == Kind::time_to_live) return Reply::integer(number(told, "TTL"));
  if (told.contains("error")) return error_of(told);
  switch (request.kind) {
    case Kind::grant: return Reply::integer(number(told, "TTL"));
    case Kind::operate: return reply_of(request.then.front(), told, told["header"]);
    case Kind::transact: return reply_of_transaction(request, told);
    default: return Reply::ok();
  }
}

Reply EtcdWords::reply_of_transaction(const etcd::Request& request, const EtcdJson& told) const {
  const bool is_met = told.value("succeeded", false);
  const std::vector<etcd::Operation>& chosen = is_met ? request.then : request.otherwise;
  std::vector<Reply> replies{Reply::integer(is_met ? 1 : 0)};
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const EtcdJson& each = told["responses"][i][std::string("response_") + name_of(chosen[i].kind)];
    replies.push_back(reply_of(chosen[i], each, told["header"]));
  }
  return Reply::array(std::move(replies));
}

Reply EtcdWords::reply_of(const etcd::Operation& it, const EtcdJson& told, const EtcdJson& header) const {
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

Reply EtcdWords::cell_of(etcd::Column column, const EtcdJson& row) const {
  switch (column) {
    case etcd::Column::key: return Reply::bulk(text(row, "key"));
    case etcd::Column::value: return Reply::bulk(text(row, "value"));
    case etcd::Column::lease: return Reply::bulk(leases_.name_of(number(row, "lease")));
    case etcd::Column::create: return Reply::integer(number(row, "create_revision"));
    case etcd::Column::mod: return Reply::integer(number(row, "mod_revision"));
  }
  return Reply();
}

std::vector<Reply> EtcdWords::events_in(const EtcdJson& told, bool tells_previous) const {
  std::vector<Reply> events;
  if (told.is_null()) return events;
  const EtcdJson result = told.value("result", EtcdJson::object());
  if (result.contains("canceled"))
    events.push_back(
        Reply::array({Reply::status("canceled"), Reply::integer(number(result, "compact_revision"))}));
  for (const EtcdJson& event : result.value("events", EtcdJson::array()))
    events.push_back(event_of(event, tells_previous));
  return events;
}

}  // namespace holdfast::live
