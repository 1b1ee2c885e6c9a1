#include "sim/cli/scripts.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "sim/cli/session.hpp"
#include "sim/cli/tables.hpp"
#include "sim/guest/script.hpp"
#include "sim/process/program.hpp"

namespace holdfast::cli {
namespace {

bool is_script(const std::string& name) {
  return name.ends_with(".lua") && name.find_first_of("*?[") == std::string::npos;
}

}  // namespace

const Card* script_called(const std::string& name) {
  namespace fs = std::filesystem;
  // A command may end as a file does: "lua5.1 my.lua".
  if (const Card* const known = algorithms::find(name);
      known != nullptr && process::programs::of(*known) != nullptr)
    return known;
  if (is_program_file(name)) return &program_in(name);
  if (is_table_file(name)) return &table_in(name);
  if (!is_script(name)) return nullptr;
  std::error_code error;
  const std::string normal = fs::path(name).lexically_normal().string();
  const fs::path shipped = lessons_directory() / "../../algorithms" / fs::path(name).filename();
  const bool is_shipped = !fs::exists(normal, error) && fs::exists(shipped, error) &&
                          (normal == fs::path(name).filename() || normal.starts_with("algorithms/"));
  try {
    const guest::Script& script =
        is_shipped ? guest::scripts::load(shipped.string(), "algorithms/" + shipped.filename().string())
                   : guest::scripts::load(normal, normal);
    if (const Card* const known = algorithms::find(script.card().id)) return known;
    return &algorithms::add(script.card());
  } catch (const std::system_error& why) {
    throw UserError(exit_missing_file, fmt::format("{}: {}", name, why.code().message()));
  }
}

void load_named(std::vector<std::string>& words) {
  for (std::string& word : words)
    if (const Card* const card = script_called(word)) word = card->id;
}

std::vector<reports::LearntProgram> learnt_programs(const std::vector<const Card*>& cards) {
  std::vector<reports::LearntProgram> list;
  const auto add = [&](const Card& card, const guest::Histories::Statistics& it) {
    list.push_back({std::string(card.id), it.histories, it.sessions, it.compared, it.looks, it.stood_for,
                    it.joint, it.to_confirm, it.confirmed, it.problems});
  };
  for (const Card* card : cards) {
    if (const guest::Script* const script = guest::scripts::of(*card)) add(*card, script->statistics());
    if (const process::Program* const program = process::programs::of(*card))
      add(*card, program->statistics());
  }
  return list;
}

}  // namespace holdfast::cli
