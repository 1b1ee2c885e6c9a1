#include "sim/cli/compare_live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "sim/cli/confirm.hpp"

namespace holdfast::cli {
namespace {

// Performances spend their time waiting.
constexpr std::size_t at_once = 8;
constexpr std::string_view confirmed = "confirmed on ";

struct Item {
  const reports::MatrixCell* cell;
  reports::JudgedProperty* property;
};

std::vector<Item> counterexamples_of(reports::Matrix& matrix) {
  std::vector<Item> items;
  for (reports::MatrixCell& cell : matrix.cells)
    for (reports::JudgedProperty& each : cell.properties)
      if (each.result.counterexample) items.push_back({&cell, &each});
  return items;
}

// True if reality differs.
bool confirm(Confirmer& confirmer, const Item& item, Session& session) {
  const auto should_stop = [&session] { return session.budget().is_exhausted(); };
  std::string& said = item.property->live;
  if (should_stop()) {
    said = "not confirmed: the budget ended first";
    return false;
  }
  const Card& card = *algorithms::find(item.cell->algorithm);
  const Confirmation it =
      confirmer.confirm(item.property->scenario, card, *item.property->result.counterexample, should_stop);
  const bool differs = it.kind == Confirmation::Kind::differs;
  if (it.kind == Confirmation::Kind::confirmed) said = std::string(confirmed) + server_named(it.version);
  else said = fmt::format("{}: {}", differs ? "the server differs" : "not confirmed", it.why);
  return differs;
}

}  // namespace

std::size_t confirm_matrix(const std::vector<std::string>& redis, reports::Matrix& matrix, Session& session) {
  const std::vector<Item> items = counterexamples_of(matrix);
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> differing = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      Confirmer confirmer(redis);
      for (std::size_t i = next++; i < items.size(); i = next++) {
        if (confirm(confirmer, items[i], session)) ++differing;
        session.note_done({});
      }
    } catch (...) {
      const std::scoped_lock hold(mutex);
      failure = std::current_exception();
      next = items.size();
    }
  };
  session.expect_jobs(items.size(), "counterexamples");
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < std::min(at_once, items.size()); ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  session.end_progress();
  if (failure) std::rethrow_exception(failure);
  return differing;
}

void print_confirmations(const reports::Matrix& matrix) {
  std::size_t all = 0;
  std::size_t good = 0;
  std::string where;
  std::string others;
  for (const reports::MatrixCell& cell : matrix.cells)
    for (const reports::JudgedProperty& each : cell.properties) {
      const std::string& said = each.live;
      if (said.empty()) continue;
      ++all;
      if (said.starts_with(confirmed)) {
        ++good;
        where = said.substr(confirmed.size());
      } else {
        others += fmt::format("{} under {}, {}: {}\n", cell.algorithm, id_of(cell.fault),
                              id_of(each.result.property), said);
      }
    }
  fmt::print("\n{} of {} violations confirmed{}\n{}", good, all,
             where.empty() ? std::string() : " on " + where, others);
}

}  // namespace holdfast::cli
