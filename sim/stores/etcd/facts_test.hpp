// Reads facts.txt, for the servers that are held to it, and writes their replies as it does.
#pragma once

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "sim/stores/etcd/request.hpp"
#include "sim/stores/sql/facts_test.hpp"

namespace holdfast::etcd {

using sql::Fact;
using sql::FactStep;
using sql::words_in;

inline std::vector<Fact> facts() {
  std::ifstream file(HOLDFAST_SOURCE_DIR "/sim/stores/etcd/facts.txt");
  std::vector<Fact> facts;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("fact ")) facts.push_back({line.substr(5), {}});
    else facts.back().steps.push_back(sql::step_of(line));
  }
  return facts;
}

// With revisions that count from `base`.
inline std::vector<std::string> with_base(std::vector<std::string> words, std::int64_t base) {
  for (std::string& word : words)
    if (word.starts_with("r+")) word = std::to_string(base + std::stoll(word.substr(2)));
  return words;
}

class Writer {
 public:
  explicit Writer(std::int64_t base) : base_(base) {}

  std::string of(const Request& request, const Reply& reply) const {
    if (request.kind == Request::Kind::operate) return of(request.then.front(), reply);
    if (request.kind != Request::Kind::transact || reply.is_error()) return plain(reply);
    const std::vector<Reply>& all = reply.elements();
    const std::vector<Operation>& chosen = all[0].is(1) ? request.then : request.otherwise;
    std::string text = "[" + plain(all[0]);
    for (std::size_t i = 1; i < all.size(); ++i) text += " " + of(chosen[i - 1], all[i]);
    return text + "]";
  }
  // An event of a watch; the last part is a revision.
  std::string of_event(const Reply& event) const {
    std::string text = "[";
    const std::vector<Reply>& parts = event.elements();
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) text += plain(parts[i]) + " ";
    return text + revision(parts.back()) + "]";
  }

 private:
  std::string revision(const Reply& number) const { return "r+" + std::to_string(number.number() - base_); }
  std::string of(const Operation& it, const Reply& reply) const {
    if (it.kind == Operation::Kind::revision) return revision(reply);
    if (it.kind != Operation::Kind::get || it.told.empty() || reply.is_error()) return plain(reply);
    std::string text = "[";
    for (const Reply& row : reply.elements()) {
      text += text == "[" ? "[" : " [";
      for (std::size_t i = 0; i < it.told.size(); ++i) {
        const bool is_revision = it.told[i] == Column::create || it.told[i] == Column::mod;
        text += (i == 0 ? "" : " ") + (is_revision ? revision(row.elements()[i]) : plain(row.elements()[i]));
      }
      text += "]";
    }
    return text + "]";
  }
  static std::string plain(const Reply& reply) {
    constexpr std::string_view before = "etcdserver: ";
    switch (reply.kind()) {
      case Reply::Kind::nil: return "nil";
      case Reply::Kind::integer: return std::to_string(reply.number());
      case Reply::Kind::error: return "!" + reply.text().substr(before.size());
      default: return reply.text().empty() ? "-" : reply.text();
    }
  }
  std::int64_t base_;
};

}  // namespace holdfast::etcd
