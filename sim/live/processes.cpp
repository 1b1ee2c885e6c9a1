#include "sim/live/processes.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <optional>
#include <system_error>
#include <thread>

#include "sim/live/shared_log.hpp"

namespace holdfast::live {
namespace {

constexpr Duration turn = 10ms;
// How much longer than its clients may take to finish a process is waited for.
constexpr Duration grace = 4s;

// What happens to clients from outside is not their processes' business.
Workload workload_of_process(Workload workload, ClientId client, std::uint32_t incarnation) {
  workload.clients = 1;
  workload.connections = 1;
  workload.length = std::nullopt;
  workload.unique += std::to_string(incarnation) + "-";
  workload.seed += (std::uint64_t{incarnation} << 32) + client.value;
  workload.faults.erase(faults_from_outside);
  return workload;
}

class Herd {
 public:
  Herd(const std::vector<Node>& nodes, const Workload& workload,
       const std::function<std::unique_ptr<Lock>()>& make)
      : nodes_(nodes),
        workload_(workload),
        make_(make),
        log_(workload.clients),
        chance_(workload.faults, workload.one_in, workload.seed),
        servers_(nodes, workload.key_prefix, chance_),
        processes_(workload.clients) {}
  ~Herd() { end_all(); }
  Herd(const Herd&) = delete;

  RunFacts perform(Trace& trace, const std::function<bool()>& should_stop) {
    for (std::uint32_t i = 0; i < workload_.clients; ++i) start(ClientId{i});
    const Instant stop(workload_.length.value_or(Duration::max()));
    while (log_.now() < stop && !should_stop() && !log_.is_full() && reap() > 0) {
      disturb();
      const Duration left = stop.time_since_epoch() - log_.now().time_since_epoch();
      std::this_thread::sleep_for(std::clamp(left, Duration::zero(), turn));
    }
    RunFacts facts{.length = log_.now().time_since_epoch()};
    log_.must_end() = true;
    wait_for_all();
    tell(facts);
    if (log_.is_full()) facts.error = "there is no more room to remember what clients do";
    end_all();
    log_.tell(trace, workload_);
    return facts;
  }

 private:
  struct Process {
    pid_t id = -1;  // -1: there is none
    std::uint32_t incarnation = 0;
    std::optional<Instant> goes_on = std::nullopt;  // it is stopped until then
    bool comes_back = false;                        // it was killed, and is started again
  };

  // --- processes ---

  void start(ClientId client) {
    Process& process = processes_[client.value];
    const pid_t parent = ::getpid();
    ++process.incarnation;
    process.id = ::fork();
    if (process.id < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
    if (process.id != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() == parent) be(client, process.incarnation);
    ::_exit(0);  // what else this process has belongs to its parent
  }

  void be(ClientId client, std::uint32_t incarnation) {
    Corner& corner = log_.corner(client);
    const auto keep = [](std::array<char, 200>& place, const std::string& text) {
      text.copy(place.data(), place.size() - 1);
    };
    try {
      const Workload workload = workload_of_process(workload_, client, incarnation);
      SharedLog::Writer writer(log_);
      Trace trace(false);
      trace.subscribe(writer);
      const RunFacts facts = live::perform(
          nodes_, workload, make_, trace, [this] { return log_.must_end().load(); },
          Part{client.value, &log_.begun(), &corner.counters});
      for (const auto& [fault, count] : facts.struck) corner.struck[static_cast<std::size_t>(fault)] += count;
      corner.breaks += facts.breaks;
      corner.cut_off += facts.cut_off;
      keep(corner.trouble, facts.trouble);
      keep(corner.error, facts.error);
    } catch (const std::exception& error) {
      keep(corner.error, error.what());
    }
  }

  // How many are left, or will be.
  std::size_t reap() {
    std::size_t left = 0;
    for (Process& process : processes_) {
      if (process.id > 0 && ::waitpid(process.id, nullptr, WNOHANG) == process.id) process.id = -1;
      left += process.id > 0 || process.comes_back ? 1 : 0;
    }
    return left;
  }

  void end(Process& process) {
    if (process.id <= 0) return;
    ::kill(process.id, SIGKILL);
    ::waitpid(process.id, nullptr, 0);
    process.id = -1;
  }
  void end_all() {
    for (Process& process : processes_) end(process);
  }

  void wait_for_all() {
    for (std::uint32_t i = 0; i < processes_.size(); ++i) {
      go_on(ClientId{i});
      processes_[i].comes_back = false;
    }
    const SteadyTime end =
        steady_now() + 2 * grace + workload_.work + workload_.fault_length + 2 * workload_.timeout;
    while (reap() > 0 && steady_now() < end) std::this_thread::sleep_for(1ms);
  }

  // --- faults ---

  // One that is there and not stopped; if possible one that believes that it holds a lock. Of several clients
  // one goes on: a client has to take the lock meanwhile.
  std::optional<ClientId> victim() {
    std::vector<ClientId> able;
    std::vector<ClientId> holding;
    for (std::uint32_t i = 0; i < processes_.size(); ++i) {
      if (processes_[i].id <= 0 || processes_[i].goes_on) continue;
      able.push_back(ClientId{i});
      if (log_.corner(ClientId{i}).is_claiming) holding.push_back(ClientId{i});
    }
    if (able.size() == 1 && processes_.size() > 1) return std::nullopt;
    const std::vector<ClientId>& among = holding.empty() ? able : holding;
    if (among.empty()) return std::nullopt;
    return among[chance_.any_of(among.size())];
  }

  void go_on(ClientId client) {
    Process& process = processes_[client.value];
    if (!std::exchange(process.goes_on, std::nullopt) || process.id <= 0) return;
    note(client, Resumed{client});
    ::kill(process.id, SIGCONT);
  }

  void disturb() {
    for (std::uint32_t i = 0; i < processes_.size(); ++i) {
      Process& process = processes_[i];
      if (process.goes_on && *process.goes_on <= log_.now()) go_on(ClientId{i});
      if (std::exchange(process.comes_back, false)) start(ClientId{i});
    }
    if (const auto client = victim(); client && chance_.strikes(Fault::pause)) {
      Process& process = processes_[client->value];
      ::kill(process.id, SIGSTOP);
      process.goes_on = log_.now() + workload_.fault_length;
      note(*client, Paused{*client});
    }
    if (const auto client = victim(); client && chance_.strikes(Fault::crash)) {
      end(processes_[client->value]);
      log_.corner(*client).is_claiming = false;
      note(*client, Crashed{*client});
      processes_[client->value].comes_back = true;
    }
    servers_.disturb();
  }

  template <class Kind>
  void note(ClientId client, Kind what) {
    log_.note(Event{Step{}, Instant{}, actor_of(client), std::move(what)});
  }

  void tell(RunFacts& facts) {
    facts.struck = chance_.struck();
    for (std::uint32_t i = 0; i < processes_.size(); ++i) {
      const Corner& corner = log_.corner(ClientId{i});
      facts.commands += corner.counters.commands;
      facts.round_trips += corner.counters.round_trips;
      facts.breaks += corner.breaks;
      facts.cut_off += corner.cut_off + (processes_[i].id > 0 ? 1 : 0);
      for (std::size_t fault = 0; fault < corner.struck.size(); ++fault)
        if (corner.struck[fault] != 0) facts.struck[static_cast<Fault>(fault)] += corner.struck[fault];
      if (corner.trouble[0] != '\0') facts.trouble = corner.trouble.data();
      if (corner.error[0] != '\0' && facts.error.empty()) facts.error = corner.error.data();
    }
  }

  const std::vector<Node>& nodes_;
  const Workload& workload_;
  const std::function<std::unique_ptr<Lock>()>& make_;
  SharedLog log_;
  FaultChance chance_;
  ServerFaults servers_;
  std::vector<Process> processes_;
};

}  // namespace

RunFacts perform_in_processes(const std::vector<Node>& nodes, const Workload& workload,
                              const std::function<std::unique_ptr<Lock>()>& make, Trace& trace,
                              const std::function<bool()>& should_stop) {
  return Herd(nodes, workload, make).perform(trace, should_stop);
}

}  // namespace holdfast::live
