#include "sim/live/etcd_driver.hpp"

#include <algorithm>

#include "sim/live/live_clock.hpp"
#include "sim/live/loopback.hpp"

namespace holdfast::live {
namespace {

// How long an etcd may take to answer.
constexpr std::chrono::seconds etcd_patience(10);
// How often it is asked whether an answer is still wanted.
constexpr std::chrono::milliseconds watch_interval(20);

}  // namespace

Reply EtcdDriver::ask(const std::vector<std::string>& words, const IsWanted&) {
  if (words.front() == "DUMP" || words.front() == "PEXPIRETIME") return about(words.front(), words.at(1));
  const etcd::Request request = etcd::parse(Command(words));
  if (request.kind == etcd::Request::Kind::watch) return watch(request);
  if (request.kind == etcd::Request::Kind::unknown) return words_.reply_to(request, {});
  const EtcdWords::Post post = words_.post_of(request);
  EtcdStream stream(port_, post.path, post.body);
  return words_.reply_to(request, stream.next(etcd_patience));
}

Reply EtcdDriver::about(const std::string& question, const std::string& key) {
  const IsWanted always = [] { return true; };
  const Reply rows = ask({"GET", key, "TELL", "value", "lease", "mod"}, always);
  if (rows.is_lost() || rows.is_error()) return Reply::lost();
  if (question == "DUMP" && rows.elements().empty()) return Reply::nil();
  if (rows.elements().empty()) return Reply::integer(-2);
  const std::vector<Reply>& row = rows.elements().front().elements();
  if (question == "DUMP") return Reply::bulk(row[0].text() + " " + std::to_string(row[2].number()));
  if (row[1].text().empty()) return Reply::integer(-1);
  const Reply rest = ask({"TIMETOLIVE", row[1].text()}, always);
  if (rest.is_lost()) return rest;
  return Reply::integer(to_milliseconds(wall_now().time_since_epoch()) +
                        1000 * std::max<std::int64_t>(rest.number(), 0));
}

Reply EtcdDriver::watch(const etcd::Request& request) {
  const EtcdWords::Post post = words_.post_of(request);
  tells_previous_ = request.tells_previous;
  watch_ = std::make_unique<EtcdStream>(port_, post.path, post.body);
  const EtcdJson created = watch_->next(etcd_patience);
  if (created.is_null()) return Reply::lost();
  return created["result"].value("created", false) ? Reply::ok() : EtcdWords::error_of(created);
}

std::vector<Reply> EtcdDriver::events_within(std::chrono::milliseconds at_most) {
  if (!watch_) return {};
  return words_.events_in(watch_->next(at_most), tells_previous_);
}

Reply EtcdDriver::next(const IsWanted& is_wanted) {
  while (is_wanted()) {
    if (!watch_ || !watch_->is_open()) return Reply::lost();
    std::vector<Reply> events = events_within(watch_interval);
    if (!events.empty()) return Reply::array(std::move(events));
  }
  return Reply::nil();
}

namespace {

class EtcdClient final : public StoreClient {
 public:
  explicit EtcdClient(std::uint16_t port) : port_(port) {}

  std::unique_ptr<StoreDriver> connect() override { return std::make_unique<EtcdDriver>(port_, leases_); }
  std::string version() override {
    // {"etcdserver":"3.4.23","etcdcluster":"3.4.0"}
    const std::string told = first_answer(port_, "GET /version HTTP/1.0\r\n\r\n", "\r\n\r\n");
    const EtcdJson said = EtcdJson::parse(told.substr(std::min(told.find('{'), told.size())), nullptr, false);
    return "etcd " + (said.is_object() ? said.value("etcdserver", "") : std::string());
  }
  // A session is a lease.
  bool end_session(std::uint64_t which) override {
    EtcdStream list(port_, "/v3/lease/leases", EtcdJson::object());
    const EtcdJson all = list.next(etcd_patience).value("leases", EtcdJson::array());
    if (all.empty()) return false;
    EtcdStream revoke(port_, "/v3/lease/revoke", {{"ID", all[which % all.size()]["ID"]}});
    return revoke.next(etcd_patience).contains("header");
  }

 private:
  const std::uint16_t port_;
  EtcdLeases leases_;
};

}  // namespace

std::unique_ptr<StoreClient> client_of_etcd(const std::string& address) {
  return std::make_unique<EtcdClient>(static_cast<std::uint16_t>(std::stoi(address)));
}

}  // namespace holdfast::live
