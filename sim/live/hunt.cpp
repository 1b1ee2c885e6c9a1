#include "sim/live/hunt.hpp"

#include <algorithm>

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

}  // namespace

struct Hunter::Lane {
  ServerForRun server = ServerForRun::private_one();
  std::unique_ptr<HuntedRunner> runner = nullptr;
};

Hunter::Hunter(std::size_t lanes, std::uint64_t seed) : seed_(seed) {
  for (std::size_t i = 0; i < lanes; ++i) lanes_.push_back(std::make_unique<Lane>());
  const ServerForRun& first = lanes_.front()->server;
  version_ = first.version();
  BlockingClient client(first.process()->socket_path());
  if (client.send({"PEXPIRETIME", "key"}).is_error())
    throw NoServer("redis-server " + version_ + " does not say when keys end: a hunt takes version 7");
}

Hunter::~Hunter() = default;

void Hunter::hunt(const std::function<const Quarry*()>& next,
                  const std::function<void(const Quarry&, HuntedRun)>& done,
                  const std::function<bool()>& should_stop) {
  Loop loop;
  std::uint64_t runs = 0;
  const Pulse pulse(loop, hunter_beat, [this](Duration late) {
    for (const auto& lane : lanes_)
      if (lane->runner) lane->runner->note_stall(late);
  });
  SteadyTime earliest{};  // of the next run
  bool is_anything = true;
  while (is_anything && !should_stop()) {
    is_anything = false;
    for (const auto& lane : lanes_) {
      if (lane->runner && lane->runner->is_over()) {
        const Quarry& quarry = lane->runner->quarry();
        HuntedRun run = lane->runner->result();
        lane->runner.reset();
        done(quarry, std::move(run));
      }
      const bool may_begin = !lane->runner && steady_now() >= earliest;
      const Quarry* const quarry = may_begin ? next() : nullptr;
      if (quarry != nullptr) {
        ++runs;
        earliest = steady_now() + start_interval;
        lane->runner = std::make_unique<HuntedRunner>(loop, *lane->server.process(), *quarry,
                                                      seed_ + 1000 * runs, std::to_string(runs) + ":");
      }
      is_anything |= lane->runner || !may_begin;
    }
    loop.turn(steady_now() + look_up);
  }
  for (const auto& lane : lanes_) lane->runner.reset();
  loop.turn(steady_now());
}

}  // namespace holdfast::live
