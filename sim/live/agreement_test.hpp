// For tests: when two replies count as equal, and how to show them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/reply.hpp"

namespace holdfast::redis {

using Argv = std::vector<std::string>;

inline std::string to_lower(std::string text) {
  for (char& letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

// Printable, in one line, with its kind.
inline std::string show(std::string_view text) {
  std::string shown = "\"";
  for (const char letter : text) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') shown += '\\';
    if (byte >= ' ' && byte < 0x7f) shown += letter;
    else (((shown += "\\x") += digits[byte >> 4]) += digits[byte & 15]);
  }
  return shown + '"';
}
inline std::string show(const Argv& argv) {
  std::string shown;
  for (const std::string& word : argv) shown += (shown.empty() ? "" : " ") + show(word);
  return shown;
}
inline std::string show(const Reply& reply) {
  switch (reply.kind()) {
    case Reply::Kind::nil: return "nil";
    case Reply::Kind::status: return "status " + show(reply.text());
    case Reply::Kind::integer: return "integer " + std::to_string(reply.number());
    case Reply::Kind::bulk: return "bulk " + show(reply.text());
    case Reply::Kind::error: return "error " + show(reply.text());
    case Reply::Kind::lost: return "lost";
    case Reply::Kind::array: break;
  }
  std::string shown = "[";
  for (const Reply& element : reply.elements()) shown += (shown.size() == 1 ? "" : ", ") + show(element);
  return shown + "]";
}

using Replies = std::vector<Reply>;

inline std::vector<std::string> sorted(const Replies& replies) {
  std::vector<std::string> texts;
  for (const Reply& reply : replies) texts.push_back(show(reply));
  std::sort(texts.begin(), texts.end());
  return texts;
}

// All texts and numbers in it, in rising order.
inline void add_pieces(const Replies& replies, std::vector<std::string>& pieces) {
  for (const Reply& reply : replies) {
    if (reply.kind() == Reply::Kind::array) add_pieces(reply.elements(), pieces);
    else pieces.push_back(show(reply));
  }
}
inline std::vector<std::string> pieces(const Replies& replies) {
  std::vector<std::string> all;
  add_pieces(replies, all);
  std::sort(all.begin(), all.end());
  return all;
}

// Names with their values, in rising order.
inline std::vector<std::string> pairs(const Replies& replies) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i + 1 < replies.size(); i += 2)
    all.push_back(show(replies[i]) + show(replies[i + 1]));
  std::sort(all.begin(), all.end());
  return all;
}

// Whether these are the same answer to the command of this name. Times may differ by what passes between the
// two servers, and what has no order in Redis may come in any.
inline bool answers_agree(const std::string& name, std::chrono::milliseconds slowest, const Reply& real,
                          const Reply& model) {
  if (real == model) return true;
  if (real.kind() != model.kind()) return false;
  const std::int64_t tolerance_ms = 2 * slowest.count() + 2;
  const auto is_near = [&](std::int64_t unit_ms) {
    return real.number() >= 0 && model.number() >= 0 &&
           std::abs(real.number() - model.number()) <= (tolerance_ms + unit_ms - 1) / unit_ms;
  };
  if (real.kind() == Reply::Kind::integer) {
    if (name == "pttl" || name == "pexpiretime") return is_near(1);
    if (name == "ttl" || name == "expiretime") return is_near(1000);
    return name == "client";  // CLIENT ID
  }
  if (real.kind() != Reply::Kind::array || real.elements().size() != model.elements().size()) return false;
  if (name == "time") {
    const auto second = [](const Reply& reply) { return std::atoll(reply.elements()[0].text().c_str()); };
    return std::abs(second(real) - second(model)) <= 1;
  }
  if (name == "hgetall") return pairs(real.elements()) == pairs(model.elements());
  if (name.ends_with("scan")) {
    const Replies& reals = real.elements();
    const Replies& models = model.elements();
    if (reals.size() != 2 || reals[0] != models[0]) return false;
    const bool has_pairs = name == "hscan" || name == "zscan";
    const auto listed = has_pairs ? pairs : sorted;
    return listed(reals[1].elements()) == listed(models[1].elements());
  }
  const std::vector<std::string> unordered{"keys",     "hkeys",  "hvals",      "spop",
                                           "smembers", "pubsub", "srandmember"};
  return std::find(unordered.begin(), unordered.end(), name) != unordered.end() &&
         sorted(real.elements()) == sorted(model.elements());
}

// The same for EXEC, which gives the answers to these commands.
inline bool answers_agree(const std::string& name, const std::vector<std::string>& queued,
                          std::chrono::milliseconds slowest, const Reply& real, const Reply& model) {
  const Replies& reals = real.elements();
  const Replies& models = model.elements();
  if (name != "exec" || queued.size() != reals.size() || queued.size() != models.size())
    return answers_agree(name, slowest, real, model);
  for (std::size_t i = 0; i < queued.size(); ++i) {
    // Redis counts what has died in this very transaction (known_differences).
    const bool may_count_more = queued[i] == "dbsize" && reals[i].kind() == models[i].kind();
    if (may_count_more && reals[i].number() >= models[i].number()) continue;
    if (!answers_agree(queued[i], slowest, reals[i], models[i])) return false;
  }
  return true;
}

}  // namespace holdfast::redis
