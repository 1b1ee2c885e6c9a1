#include "sim/live/hunt.hpp"

#include <algorithm>
#include <utility>

#include "sim/live/blocking_client.hpp"
#include "sim/live/hunted_run.hpp"
#include "sim/live/pulse.hpp"
#include "sim/live/usable_server.hpp"

namespace holdfast::live {
namespace {

constexpr Duration hunter_beat = 3ms;
constexpr Duration look_up = 5ms;  // how often it is seen whether a run is over
// Between two runs that begin: to start many processes at a time would keep others waiting.
constexpr Duration start_interval = 25ms;
constexpr std::size_t lanes_least = 4;

}  // namespace

struct Hunter::Lane {
  explicit Lane(ServerForRun& its_server) : server(its_server) {}
  ServerForRun& server;
  std::unique_ptr<RedisProcess> spare = nullptr;
  const Quarry* quarry = nullptr;  // of the run that begins when the lane is ready
  std::unique_ptr<HuntedRunner> runner = nullptr;

  // To start a server takes longer than a message may, so the one that will follow listens already.
  bool is_ready() {
    if (quarry->fault != Fault::restart) return true;
    if (!spare) spare = RedisProcess::begin();
    else if (!spare->is_running()) spare->begin_restart();
    return spare->listens();
  }
};

Hunter::Hunter(StoreKind kind, std::size_t lanes, std::uint64_t seed) : seed_(seed) {
  for (std::size_t i = 0; i < lanes; ++i) {
    if (kind == StoreKind::redis) servers_.push_back(ServerForRun::private_one());
    else if (servers_.empty()) servers_.push_back(ServerForRun::private_store(kind));
    lanes_.push_back(std::make_unique<Lane>(servers_.back()));
  }
  const ServerForRun& first = lanes_.front()->server;
  version_ = first.version();
  if (kind != StoreKind::redis) return;
  BlockingClient client(first.process()->socket_path());
  if (client.send({"PEXPIRETIME", "key"}).is_error())
    throw NoServer("redis-server " + version_ + " does not say when keys end: a hunt takes version 7");
}

Hunter::~Hunter() = default;

bool Hunter::is_slow() const { return lanes_used_ <= lanes_least; }

void Hunter::note(const HuntedRun& run) {
  ++seen_;
  beyond_ += run.is_within ? 0 : 1;
  if (seen_ < lanes_used_) return;
  if (2 * beyond_ > seen_) lanes_used_ = std::max(lanes_least, lanes_used_ / 2);
  seen_ = beyond_ = 0;
}

void Hunter::hunt(const std::function<const Quarry*()>& next,
                  const std::function<void(const Quarry&, HuntedRun)>& done,
                  const std::function<bool()>& should_stop) {
  Loop loop;
  lanes_used_ = lanes_.size();
  seen_ = beyond_ = 0;
  const Pulse pulse(loop, hunter_beat, [this](Duration late) {
    for (const auto& lane : lanes_)
      if (lane->runner) lane->runner->note_stall(late);
  });
  SteadyTime earliest{};  // of the next run
  bool is_anything = true;
  while (is_anything && !should_stop()) {
    is_anything = false;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      Lane& lane = *lanes_[i];
      if (lane.runner && lane.runner->is_over()) {
        const Quarry& quarry = lane.runner->quarry();
        HuntedRun run = lane.runner->result();
        lane.runner.reset();
        note(run);
        done(quarry, std::move(run));
      }
      const bool is_free = !lane.runner && !lane.quarry && i < lanes_used_;
      const bool may_begin = steady_now() >= earliest;
      if (is_free && may_begin) lane.quarry = next();
      if (lane.quarry && may_begin && lane.is_ready()) {
        ++runs_;
        earliest = steady_now() + start_interval;
        lane.runner = std::make_unique<HuntedRunner>(
            loop, GateServer{lane.server.address(), lane.server.process(), lane.spare.get()},
            *std::exchange(lane.quarry, nullptr), seed_ + 1000 * runs_, std::to_string(runs_) + ":");
      }
      is_anything |= lane.runner || lane.quarry || (is_free && !may_begin);
    }
    loop.turn(steady_now() + look_up);
  }
  for (const auto& lane : lanes_) {
    lane->runner.reset();
    lane->quarry = nullptr;
  }
  loop.turn(steady_now());
}

}  // namespace holdfast::live
