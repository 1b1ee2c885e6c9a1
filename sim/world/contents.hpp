// What one server keeps, as a value: a copy of it is what a replica has.
#pragma once

#include <memory>
#include <utility>

#include "sim/stores/server.hpp"

namespace holdfast {

class Contents {
 public:
  explicit Contents(std::unique_ptr<stores::Server> server) : server_(std::move(server)) {}
  Contents(const Contents& other) : server_(other.server_->clone()) {}
  Contents(Contents&&) = default;
  Contents& operator=(Contents other) {
    server_ = std::move(other.server_);
    return *this;
  }
  stores::Server* operator->() { return server_.get(); }
  const stores::Server* operator->() const { return server_.get(); }

 private:
  std::unique_ptr<stores::Server> server_;
};

}  // namespace holdfast
