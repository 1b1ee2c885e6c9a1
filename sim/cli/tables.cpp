#include "sim/cli/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/cli/json_file.hpp"
#include "sim/cli/session.hpp"
#include "sim/core/invariant.hpp"
#include "sim/guest/guest_lock.hpp"
#include "sim/guest/table.hpp"
#include "sim/process/program.hpp"
#include "sim/trace/digest.hpp"

namespace holdfast::cli {
namespace {

using Json = nlohmann::ordered_json;
using guest::Action;
using guest::Effect;
using guest::Node;

constexpr std::string_view table_schema = "holdfast/histories/1";

constexpr std::array<std::string_view, 13> effect_ids{"send",    "sleep",   "drop",   "hang-up",  "clock",
                                                      "granted", "refused", "failed", "released", "not-held",
                                                      "unknown", "renewed", "lost"};
constexpr std::array<std::string_view, 3> time_ids{"nothing", "elapsed", "wall"};

// --- texts: any bytes, each as the letter with its number ---

std::string in_letters(std::string_view bytes) {
  std::string text;
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x80) text += letter;
    else
      text.append(1, static_cast<char>(0xC0 | byte >> 6)).append(1, static_cast<char>(0x80 | (byte & 0x3F)));
  }
  return text;
}

std::string in_bytes(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80 || i + 1 == text.size()) bytes += text[i];
    else bytes += static_cast<char>((byte & 0x03) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F));
  }
  return bytes;
}

// --- effects: what is not as usual is written ---

Json json_of(const Effect& effect) {
  Json json{{"does", effect_ids[static_cast<std::size_t>(effect.kind)]}};
  if (effect.id != 0) json["id"] = effect.id;
  if (effect.party != 1) json["party"] = effect.party;
  if (effect.server != 0) json["server"] = effect.server;
  if (effect.connection != 0) json["connection"] = effect.connection;
  if (effect.number != -1) json["number"] = effect.number;
  if (effect.lease_until != -1) json["lease-until"] = effect.lease_until;
  if (effect.duration != Duration::zero()) json["microseconds"] = to_microseconds(effect.duration);
  if (effect.is_patient) json["patient"] = true;
  if (!effect.text.empty()) json["text"] = in_letters(effect.text);
  for (const std::string& word : effect.words) json["words"].push_back(in_letters(word));
  return json;
}

std::size_t index_of(const Json& id, std::span<const std::string_view> ids) {
  const auto found = std::find(ids.begin(), ids.end(), id.get<std::string>());
  if (found == ids.end())
    throw std::invalid_argument(fmt::format("\"{}\" is unknown", id.get<std::string>()));
  return static_cast<std::size_t>(found - ids.begin());
}

Effect effect_in(const Json& json) {
  Effect effect;
  effect.kind = static_cast<Effect::Kind>(index_of(json.at("does"), effect_ids));
  effect.id = json.value("id", 0U);
  effect.party = json.value("party", 1U);
  effect.server = json.value("server", 0U);
  effect.connection = json.value("connection", 0U);
  effect.number = json.value("number", std::int64_t{-1});
  effect.lease_until = json.value("lease-until", std::int64_t{-1});
  effect.duration = Duration(json.value("microseconds", std::int64_t{0}));
  effect.is_patient = json.value("patient", false);
  effect.text = in_bytes(json.value("text", std::string()));
  if (json.contains("words"))
    for (const Json& word : json["words"]) effect.words.push_back(in_bytes(word.get<std::string>()));
  return effect;
}

// --- files ---

void fill(guest::Table& table, const Json& histories) {
  std::unordered_map<std::string, Node> known{{"", table.root()}};
  for (const Json& line : histories) {
    const auto before = known.find(line.at("after").get<std::string>());
    if (before == known.end())
      throw std::invalid_argument(fmt::format("there is no history {} before it", line.at("after").dump()));
    Action action;
    action.tokens = line.value("tokens", 0U);
    action.problem = in_bytes(line.value("problem", std::string()));
    for (const Json& effect : line.at("does")) action.effects.push_back(effect_in(effect));
    const Node made =
        table.add(before->second, in_bytes(line.at("told").get<std::string>()), std::move(action));
    if (!known.emplace(line.at("id").get<std::string>(), made).second)
      throw std::invalid_argument(fmt::format("there are two histories {}", line.at("id").dump()));
  }
}

// Names a history by all that was told, so that a line stays the same when others come and go.
std::string name_of(const std::string& before, std::string_view told) {
  return fmt::format("{:016x}", digest_of(before + '\n' + std::string(told)).high);
}

}  // namespace

bool is_table_file(const std::string& name) {
  return name.ends_with(".histories.json") && name.find_first_of("*?[") == std::string::npos;
}

std::unique_ptr<LearntTable> parse_table(const std::string& text, const std::string& file) {
  const Json json = parse_json(text, file);
  require_schema(file, json, table_schema,
                 "the histories of a program: check PROGRAM --learn FILE writes them");
  try {
    const auto time = static_cast<guest::TimeToTell>(index_of(json.at("time-told"), time_ids));
    auto read = std::make_unique<LearntTable>(file, in_bytes(json.at("summary").get<std::string>()),
                                              json.value("nodes", std::string()), time);
    fill(read->table, json.at("histories"));
    return read;
  } catch (const Json::exception& why) {
    throw UserError(exit_bad_file, fmt::format("{}: error: {}", file, why.what()));
  } catch (const std::invalid_argument& why) {
    throw UserError(exit_bad_file, fmt::format("{}: error: {}", file, why.what()));
  }
}

const Card& table_in(const std::string& file) {
  static std::list<std::unique_ptr<LearntTable>> loaded;
  const std::string id = std::filesystem::path(file).lexically_normal().string();
  if (const Card* const known = algorithms::find(id)) return *known;
  LearntTable& it = *loaded.emplace_back(parse_table(read_file(id), id));
  return algorithms::add(guest::program_card(it.id, it.summary, it.nodes, [&it](const Params& params) {
    return std::make_unique<guest::GuestLock>(it.table, params, false);
  }));
}

void require_learnable(const std::string& file, const Card& card) {
  process::Program* const program = process::programs::of(card);
  if (program == nullptr)
    throw UserError(exit_usage, fmt::format("--learn: {} is no program (see --guest)", card.id));
  if (!is_table_file(file))
    throw UserError(exit_usage, fmt::format("--learn {}: its name ends with .histories.json", file));
  // A table has no program that could be asked whether times are alike.
  program->tell_every_time();
}

void save_table(const std::string& file, const Card& card) {
  const process::Program* const program = process::programs::of(card);
  INVARIANT(program != nullptr, "a program can be learnt");
  Json head{{"schema", table_schema},
            {"summary", in_letters(card.summary)},
            {"command", Json::array()},
            {"time-told", time_ids[static_cast<std::size_t>(program->time_to_tell())]}};
  for (const std::string& word : program->command().words) head["command"].push_back(in_letters(word));
  if (program->command().nodes) head["nodes"] = std::to_string(*program->command().nodes);
  std::string text = head.dump(2);
  text.erase(text.rfind('\n'));
  text += ",\n  \"histories\": [";
  std::unordered_map<Node, std::string> names{{program->histories().root(), ""}};
  const char* separator = "\n";
  program->histories().visit([&](Node node, std::string_view told) {
    const std::string& before = names.at(node->before);
    const std::string name = name_of(before, told);
    Json line{{"id", name}, {"after", before}, {"told", in_letters(told)}, {"does", Json::array()}};
    for (const Effect& effect : node->action.effects) line["does"].push_back(json_of(effect));
    if (node->action.tokens != 0) line["tokens"] = node->action.tokens;
    text += std::exchange(separator, ",\n") + line.dump();
    names.emplace(node, name);
  });
  write_file(file, text + "\n  ]\n}\n");
}

}  // namespace holdfast::cli
