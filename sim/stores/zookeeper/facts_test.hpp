// Reads facts.txt, for the servers that are held to it, and writes their replies as it does.
#pragma once

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "sim/stores/sql/facts_test.hpp"
#include "sim/stores/zookeeper/request.hpp"

namespace holdfast::zookeeper {

using sql::Fact;
using sql::FactStep;
using sql::words_in;

inline std::vector<Fact> facts() {
  std::ifstream file(HOLDFAST_SOURCE_DIR "/sim/stores/zookeeper/facts.txt");
  std::vector<Fact> facts;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("fact ")) facts.push_back({line.substr(5), {}});
    else facts.back().steps.push_back(sql::step_of(line));
  }
  return facts;
}

inline std::string in_order(std::vector<std::string> texts, const char* empty) {
  std::sort(texts.begin(), texts.end());
  std::string text;
  for (const std::string& each : texts) text += (text.empty() ? "" : " ") + each;
  return text.empty() ? empty : text;
}

// Zxids count from that of the first node.
class Writer {
 public:
  std::string of(const Request& request, const Reply& reply) {
    if (reply.is_error()) return "!" + reply.text();
    if (reply.is_lost()) return "lost";
    if (request.kind == Request::Kind::create) {
      const std::int64_t zxid = reply.elements()[1].number();
      if (!base_) base_ = zxid;
      return "[" + reply.elements()[0].text() + " z+" + std::to_string(zxid - *base_) + "]";
    }
    if (request.tells_czxid && !reply.is(0)) return "z+" + std::to_string(reply.number() - base_.value_or(0));
    if (request.kind != Request::Kind::children) return plain(reply);
    std::vector<std::string> names;
    for (const Reply& each : reply.elements()) names.push_back(each.text());
    return "[" + in_order(names, "") + "]";
  }
  // A real server has no order of the events of one write.
  static std::string of_events(const std::vector<Reply>& events) {
    std::vector<std::string> texts;
    for (const Reply& event : events) {
      std::string text = "[";
      for (const Reply& part : event.elements()) text += (text == "[" ? "" : " ") + plain(part);
      texts.push_back(text + "]");
    }
    return in_order(texts, "nothing");
  }

 private:
  static std::string plain(const Reply& reply) {
    if (reply.kind() == Reply::Kind::integer) return std::to_string(reply.number());
    return reply.text().empty() ? "-" : reply.text();
  }
  std::optional<std::int64_t> base_;
};

}  // namespace holdfast::zookeeper
