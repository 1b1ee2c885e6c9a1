// One Redis node as one live client sees it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "sim/core/store.hpp"
#include "sim/live/connection.hpp"
#include "sim/live/own_line.hpp"

namespace holdfast::live {

// Hears what a client sends.
class Dispatch {
 public:
  virtual void on_sent(NodeId node, const Call& call) = 0;

 protected:
  ~Dispatch() = default;
};

class LiveStore final : public Store {
 public:
  LiveStore(NodeId node, Connection& connection, Dispatch& dispatch, std::uint32_t driver_retries)
      : Store(driver_retries), node_(node), connection_(connection), dispatch_(dispatch) {}

 private:
  void submit(Call& call) override {
    if (!call.command().argv().empty()) dispatch_.on_sent(node_, call);
    if (call.connection() != nullptr) line_of(*call.connection()).send(call);
    else connection_.send(call);
  }
  void forget(Call& call) noexcept override {
    if (call.connection() == nullptr) return connection_.forget(call);
    const auto line = lines_.find(call.connection()->id);
    if (line != lines_.end()) line->second->forget(call);
  }
  void close(OwnConnection& own) noexcept override {
    const auto line = lines_.find(own.id);
    if (line == lines_.end()) return;
    OwnLine::abandon(std::move(line->second));
    lines_.erase(line);
  }

  OwnLine& line_of(OwnConnection& own) {
    if (own.id == 0) own.id = ++opened_;
    std::shared_ptr<OwnLine>& line = lines_[own.id];
    if (!line)
      line = std::make_shared<OwnLine>(connection_.loop(), connection_.address(), connection_.timeout());
    return *line;
  }

  const NodeId node_;
  Connection& connection_;
  Dispatch& dispatch_;
  std::uint32_t opened_ = 0;
  std::map<std::uint32_t, std::shared_ptr<OwnLine>> lines_;
};

}  // namespace holdfast::live
