// One request to the JSON gateway of an etcd, over HTTP/1.0: the answer is what comes until the server
// closes, one JSON object or several.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace holdfast::live {

using EtcdJson = nlohmann::json;

class EtcdStream {
 public:
  EtcdStream(std::uint16_t port, std::string_view path, const EtcdJson& body);
  EtcdStream(const EtcdStream&) = delete;
  ~EtcdStream();

  // Null: none comes for so long, or none comes any more.
  EtcdJson next(std::chrono::milliseconds at_most);
  bool is_open() const { return is_open_; }

 private:
  EtcdJson take();
  int socket_ = -1;
  bool is_open_ = false;
  bool is_past_header_ = false;
  std::string text_;
};

// Texts are in base 64 there.
std::string to_base64(std::string_view text);
std::string from_base64(std::string_view text);

}  // namespace holdfast::live
