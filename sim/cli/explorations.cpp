#include "sim/cli/explorations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>

#include "reports/verdicts.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/compare.hpp"
#include "sim/cli/version.hpp"
#include "sim/explore/but_for.hpp"

namespace holdfast::cli {

class Explorations::Running {
 public:
  Running(std::uint32_t id, AskedExperiment asked, const ServeLimits& limits)
      : limits_(limits), asked_(std::make_shared<const AskedExperiment>(within(limits, std::move(asked)))) {
    now_.id = id;
    now_.asked = asked_;
    thread_ = std::thread([this] { explore(); });
  }
  ~Running() {
    cancel();
    thread_.join();
  }
  Running(const Running&) = delete;

  void cancel() { is_cancelled_ = true; }
  Watched look() const {
    const std::scoped_lock hold(mutex_);
    Watched now = now_;
    // Exact when bounds are explored; in between, as far as threads have told.
    now.states = std::max(now.states, progress_.states.load());
    now.transitions = std::max(now.transitions, progress_.transitions.load());
    if (now.state == Watched::State::running) now.seconds = seconds();
    return now;
  }
  bool is_running() const { return look().state == Watched::State::running; }

 private:
  static AskedExperiment within(const ServeLimits& limits, AskedExperiment asked) {
    asked.options.memory =
        std::max<std::uint64_t>(limits.memory / (limits.at_a_time * limits.threads), 1 << 20);
    return asked;
  }
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  Budget budget() {
    const double longest = std::chrono::duration<double>(limits_.longest).count();
    return {[this, longest] { return is_cancelled_ || seconds() > longest; }, [this] { return seconds(); },
            nullptr, &progress_};
  }

  void explore() {
    using enum Watched::State;
    std::string problem;
    try {
      judge();
    } catch (const std::bad_alloc&) {
      problem = "no memory left";
    } catch (const std::exception& error) {
      problem = error.what();
    }
    const std::scoped_lock hold(mutex_);
    now_.seconds = seconds();
    now_.problem = problem;
    now_.state = !problem.empty() ? failed : is_cancelled_ ? cancelled : done;
  }

  void judge() {
    const MatrixOptions& options = asked_->options;
    const Comparison comparison = comparison_of(options);
    const std::vector<Scope> scopes = scopes_of(options, comparison);
    const std::vector<const Card*> cards{asked_->card};
    reports::Matrix matrix{.version = version,
                           .seed = options.seed,
                           .bounds = bounds_of(options, at_scope(comparison, scopes.front()), cards),
                           .cells = {}};
    Cells cells = cells_of(options, comparison, cards, matrix);
    const Budget within = budget();
    std::vector<Scenario> first;
    for (const DeepCell& cell : cells.deep) first.push_back(*cell.scenario_at(scopes.front()));
    std::size_t begun = 0;
    reports::Matrix early = matrix;
    const auto on_step = [&](const Scope& scope, std::size_t jobs) {
      if (++begun > 1) show(cells, matrix);
      const std::scoped_lock hold(mutex_);
      now_.scope = scope;
      now_.cells = jobs;
      now_.cells_done = 0;
    };
    const auto on_done = [&](std::size_t cell, const Exploration& found) {
      if (begun == 1) show_broken(early, cells.places[cell], found, first[cell]);
      const std::scoped_lock hold(mutex_);
      ++now_.cells_done;
    };
    deepen(cells.deep, usual_deepening(scopes), limits_.threads, within, on_step, on_done);
    matrix.interrupted = is_cancelled_;
    show(cells, matrix);
    explain(matrix, within);
  }

  // Within the first bounds: what a cell has shown to be broken stays so.
  void show_broken(reports::Matrix& early, std::size_t place, const Exploration& found,
                   const Scenario& within) {
    for (const reports::JudgedProperty& each : reports::judged(found, within))
      if (each.result.counterexample) early.cells[place].properties.push_back(each);
    auto shown = std::make_shared<reports::Matrix>(early);
    name_traces(asked_->options.out, *shown);
    const std::scoped_lock hold(mutex_);
    now_.matrix = std::move(shown);
  }

  // What is known by now, for those who watch.
  void show(const Cells& cells, reports::Matrix& matrix) {
    take_cells(cells, matrix);
    matrix.seconds = seconds();
    auto shown = std::make_shared<reports::Matrix>(matrix);
    name_traces(asked_->options.out, *shown);
    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    for (const reports::MatrixCell& cell : shown->cells) {
      states += cell.effort.states;
      transitions += cell.effort.transitions;
    }
    const std::scoped_lock hold(mutex_);
    now_.matrix = std::move(shown);
    now_.states = states;
    now_.transitions = transitions;
  }

  // What each run would not have been without.
  void explain(const reports::Matrix& matrix, const Budget& within) {
    auto explained = std::make_shared<reports::Matrix>(matrix);
    std::vector<Unexplained> list;
    for (reports::MatrixCell& cell : explained->cells)
      for (reports::JudgedProperty& each : cell.properties)
        if (std::optional<Counterexample>& example = each.result.counterexample)
          list.push_back({&each.scenario, asked_->card, &*example, Detail::brief});
    explain_all(list, limits_.threads, within);
    name_traces(asked_->options.out, *explained);
    const std::scoped_lock hold(mutex_);
    now_.matrix = std::move(explained);
  }

  const ServeLimits limits_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  const std::shared_ptr<const AskedExperiment> asked_;
  std::atomic<bool> is_cancelled_ = false;
  Progress progress_;
  mutable std::mutex mutex_;
  Watched now_;
  std::thread thread_;
};

Explorations::Explorations(const ServeLimits& limits) : limits_(limits) {}
Explorations::~Explorations() {
  for (const std::unique_ptr<Running>& each : list_) each->cancel();
}

std::uint32_t Explorations::begin(AskedExperiment asked) {
  const auto running =
      std::count_if(list_.begin(), list_.end(), [](const auto& each) { return each->is_running(); });
  if (static_cast<std::size_t>(running) >= limits_.at_a_time)
    throw Refused(429, fmt::format("{} explorations go on already: cancel one, or wait", running));
  list_.push_front(std::make_unique<Running>(++last_, std::move(asked), limits_));
  while (list_.size() > limits_.kept) {
    const auto oldest =
        std::find_if(list_.rbegin(), list_.rend(), [](const auto& each) { return !each->is_running(); });
    if (oldest == list_.rend()) break;
    list_.erase(std::next(oldest).base());
  }
  return last_;
}

Explorations::Running& Explorations::find(std::uint32_t id) const {
  for (const std::unique_ptr<Running>& each : list_)
    if (each->look().id == id) return *each;
  throw Refused(404, fmt::format("there is no exploration {}; the last {} are kept", id, limits_.kept));
}

Watched Explorations::look(std::uint32_t id) const { return find(id).look(); }
void Explorations::cancel(std::uint32_t id) { find(id).cancel(); }

std::vector<Watched> Explorations::all() const {
  std::vector<Watched> list;
  for (const std::unique_ptr<Running>& each : list_) list.push_back(each->look());
  return list;
}

}  // namespace holdfast::cli
