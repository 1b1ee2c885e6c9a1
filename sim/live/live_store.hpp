// One Redis node as one live client sees it.
#pragma once

#include "sim/core/store.hpp"
#include "sim/live/connection.hpp"

namespace holdfast::live {

// Hears what a client sends.
class Dispatch {
 public:
  virtual void on_sent(const Call& call) = 0;

 protected:
  ~Dispatch() = default;
};

class LiveStore final : public Store {
 public:
  LiveStore(Connection& connection, Dispatch& dispatch) : connection_(connection), dispatch_(dispatch) {}

 private:
  void submit(Call& call) override {
    dispatch_.on_sent(call);
    connection_.send(call);
  }
  void forget(Call& call) noexcept override { connection_.forget(call); }

  Connection& connection_;
  Dispatch& dispatch_;
};

}  // namespace holdfast::live
