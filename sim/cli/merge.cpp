// merge: from the JSON of all shards, the JSON that one run would have printed.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>

#include "sim/cli/commands.hpp"
#include "sim/cli/json_file.hpp"
#include "sim/cli/told.hpp"
#include "sim/core/vocabulary.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;

// One result file of a run with --shard.
struct ShardFile {
  std::string file;
  Json json;
  Part part;
  std::vector<std::string> whole;
};

[[noreturn]] void complain(const std::string& file, const std::string& what) {
  throw UserError(exit_bad_file, fmt::format("{}: error: {}", file, what));
}

std::uint32_t number_at(const std::string& file, const Json& shard, const char* key, std::uint32_t most) {
  const auto found = shard.find(key);
  if (found == shard.end() || !found->is_number_unsigned() || *found < 1u || *found > most)
    complain(file, fmt::format("expected a whole number from 1 to {}\n      at /shard/{}", most, key));
  return *found;
}

// What the entries of a result are called in its JSON: they are what was split.
const char* entries_of(const Json& json) { return json.contains("cells") ? "cells" : "runs"; }

ShardFile read_shard(const std::string& file) {
  ShardFile read{file, read_json(file), {}, {}};
  Json& json = read.json;
  const bool is_run =
      json.is_object() && json.value("schema", Json("")).dump().starts_with("\"holdfast/run/");
  require_schema(file, json, is_run ? "holdfast/run/1" : "holdfast/matrix/1",
                 "a result (compare, check or run --shard I/N --format json)");
  const auto shard = json.find("shard");
  if (shard == json.end() || !shard->is_object()) complain(file, "not a shard: it was made without --shard");
  const auto entries = json.find(is_run ? "runs" : "cells");
  if (entries == json.end() || !entries->is_array()) complain(file, "its results are missing");
  read.part.count = number_at(file, *shard, "count", 10'000);
  read.part.index = number_at(file, *shard, "index", read.part.count);
  const auto whole = shard->find("whole");
  if (whole == shard->end() || !whole->is_array())
    complain(file, "expected the names of all results\n      at /shard/whole");
  for (const Json& name : *whole) {
    if (!name.is_string()) complain(file, "expected texts\n      at /shard/whole");
    read.whole.push_back(name);
  }
  json.erase("shard");
  return read;
}

// All must be shards of one run: of the same program, with the same bounds.
void require_same_run(const ShardFile& first, const ShardFile& other) {
  for (const char* key : {"schema", "version", "seed", "bounds"}) {
    const Json mine = first.json.contains(key) ? first.json[key] : Json();
    const Json theirs = other.json.contains(key) ? other.json[key] : Json();
    if (mine == theirs) continue;
    if (!mine.is_object() || !theirs.is_object())
      complain(other.file,
               fmt::format("{} is {}, but {} has {}", key, theirs.dump(), first.file, mine.dump()));
    for (const auto& [name, value] : mine.items())
      if (!theirs.contains(name) || theirs[name] != value)
        complain(other.file, fmt::format("{} is {}, but {} has {}", name,
                                         theirs.contains(name) ? theirs[name].dump() : "missing", first.file,
                                         value.dump()));
    complain(other.file, fmt::format("{} has other keys than in {}", key, first.file));
  }
  if (other.part.count != first.part.count)
    complain(other.file, fmt::format("is one of {} shards, but {} is one of {}", other.part.count, first.file,
                                     first.part.count));
  if (other.whole != first.whole)
    complain(other.file, fmt::format("is a shard of other locks, faults or files than {}", first.file));
}

class Merger {
 public:
  explicit Merger(const ShardFile& first)
      : entries_(entries_of(first.json)),
        count_(first.part.count),
        whole_(first.whole),
        cells_(whole_.size()) {
    for (const std::string& name : whole_) {
      const std::string lock = name.substr(0, name.find('+'));
      if (std::find(locks_.begin(), locks_.end(), lock) == locks_.end()) locks_.push_back(lock);
    }
    costs_.resize(locks_.size());
  }

  void add(const ShardFile& shard) {
    const auto [there, is_new] = files_.emplace(shard.part.index, shard.file);
    if (!is_new)
      complain(shard.file,
               fmt::format("is shard {} of {}, and so is {}", shard.part.index, count_, there->second));
    std::size_t position = shard.part.index - 1;
    std::string previous;
    for (const Json& entry : shard.json[entries_]) {
      const std::string name = name_of(shard.file, entry);
      if (name != previous || entries_ == "runs") {
        if (!previous.empty()) position += count_;
        while (position < whole_.size() && whole_[position] != name) position += count_;
      }
      if (position >= whole_.size())
        complain(shard.file, fmt::format("{} does not belong to shard {} of {}, or comes twice", name,
                                         shard.part.index, count_));
      previous = name;
      cells_[position].push_back(entry);
    }
    add_costs(shard);
    keep_never_ran(shard.json.value("never_ran", Json::array()));
  }

  // In words; empty when nothing is missing.
  std::vector<std::string> missing() const {
    std::vector<std::string> words;
    for (std::uint32_t index = 1; index <= count_; ++index)
      if (!files_.contains(index)) words.push_back(fmt::format("shard {} of {}", index, count_));
    for (std::size_t i = 0; i < cells_.size(); ++i)
      if (cells_[i].empty()) words.push_back(whole_[i]);
    const auto is_there = [](const Json& cost) { return !cost.is_null(); };
    if (std::any_of(costs_.begin(), costs_.end(), is_there))
      for (std::size_t i = 0; i < costs_.size(); ++i)
        if (costs_[i].is_null()) words.push_back("the costs of " + locks_[i]);
    return words;
  }

  // `json` of any shard becomes that of the whole.
  Json whole(Json json) const {
    json[entries_] = Json::array();
    for (const std::vector<Json>& entries : cells_)
      for (const Json& entry : entries) json[entries_].push_back(entry);
    if (json.contains("costs")) json["costs"] = Json::array();
    for (const Json& cost : costs_)
      if (!cost.is_null()) json["costs"].push_back(cost);
    json.erase("interrupted");
    if (interrupted_) json["interrupted"] = true;
    json.erase("never_ran");
    if (never_ran_ && !never_ran_->empty()) json["never_ran"] = *never_ran_;
    return json;
  }
  void note_interrupted() { interrupted_ = true; }

 private:
  std::string name_of(const std::string& file, const Json& entry) const {
    if (!entry.is_object()) complain(file, fmt::format("expected objects\n      at /{}", entries_));
    if (entries_ == "runs") return text_at(file, entry, "/runs", "file");
    return text_at(file, entry, "/cells", "algorithm") + "+" + text_at(file, entry, "/cells", "fault");
  }

  void add_costs(const ShardFile& shard) {
    if (!shard.json.contains("costs")) return;
    for (const Json& cost : shard.json["costs"]) {
      const std::string lock = text_at(shard.file, cost, "/costs", "algorithm");
      const auto place = std::find(locks_.begin(), locks_.end(), lock);
      const auto position = static_cast<std::size_t>(place - locks_.begin());
      if (place == locks_.end() || !shard.part.has(position) || !costs_[position].is_null())
        complain(shard.file, fmt::format("the costs of {} do not belong to shard {} of {}, or come twice",
                                         lock, shard.part.index, count_));
      costs_[position] = cost;
    }
  }

  // What ran in no shard never ran.
  void keep_never_ran(const Json& here) {
    if (!never_ran_) never_ran_ = here;
    Json both = Json::array();
    for (const Json& each : *never_ran_)
      if (std::find(here.begin(), here.end(), each) != here.end()) both.push_back(each);
    never_ran_ = both;
  }

  std::string entries_;
  std::uint32_t count_;
  std::vector<std::string> whole_;
  std::vector<std::vector<Json>> cells_;  // parallel to whole_
  std::vector<std::string> locks_;        // of a matrix
  std::vector<Json> costs_;               // parallel to locks_
  std::map<std::uint32_t, std::string> files_;
  std::optional<Json> never_ran_;
  bool interrupted_ = false;
};

// As the whole run would have ended.
int exit_code_of(const Json& json) {
  const auto has = [&](const char* entries, const char* key, const Json& value) {
    if (!json.contains(entries)) return false;
    const Json& list = json[entries];
    return std::any_of(list.begin(), list.end(),
                       [&](const Json& entry) { return entry.contains(key) && entry[key] == value; });
  };
  if (has("runs", "met", false)) return exit_violated;
  return has("cells", "verdict", id_of(Verdict::unknown)) ? exit_inconclusive : exit_as_expected;
}

}  // namespace

int merge(const MergeOptions& options) {
  std::vector<ShardFile> shards;
  for (const std::string& file : options.names) shards.push_back(read_shard(file));
  Merger merger(shards.front());
  for (const ShardFile& shard : shards) {
    require_same_run(shards.front(), shard);
    merger.add(shard);
    if (shard.json.value("interrupted", false)) merger.note_interrupted();
  }
  const std::vector<std::string> missing = merger.missing();
  if (!missing.empty()) {
    tell("missing: {}\n", fmt::join(missing, ", "));
    if (!options.allow_missing)
      throw UserError(exit_inconclusive,
                      "the merge would be incomplete (--allow-missing prints it all the same)");
    merger.note_interrupted();
  }
  const Json whole = merger.whole(std::move(shards.front().json));
  std::cout << whole.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
  return exit_code_of(whole);
}

}  // namespace holdfast::cli
