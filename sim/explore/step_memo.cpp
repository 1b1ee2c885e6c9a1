#include "sim/explore/step_memo.hpp"

namespace holdfast {

std::optional<Sequel> sequel_of(const Run& run, ClientId mover, std::span<const std::uint64_t> numbers,
                                std::span<const std::uint8_t> picks) {
  const World& world = run.world;
  Sequel sequel;
  constexpr std::size_t most_numbers = 8;
  if (!world.has_local_steps() || picks.size() > Sequel::most_picks || numbers.size() > most_numbers)
    return std::nullopt;
  for (const Scheduled& each : world.scheduled()) {
    if (each.client != mover) continue;
    const std::optional<Outline::Event> event = Outline::event_of(world, each);
    if (!event || sequel.event_count == Sequel::most_events) return std::nullopt;
    sequel.events[sequel.event_count] = *event;
    sequel.events[sequel.event_count++].client = 0;  // any client that moves like this has the same sequel
    const auto before = std::find(numbers.begin(), numbers.end(), each.number);
    if (before != numbers.end())
      sequel.kept |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(before - numbers.begin()));
  }
  std::copy(picks.begin(), picks.end(), sequel.picks.begin());
  sequel.pick_count = static_cast<std::uint8_t>(picks.size());
  sequel.keys = world.digest_of_keys();
  sequel.holds = (world.holders() & Outline::bit(mover.value)) != 0;
  sequel.is_finished = (world.unfinished() & Outline::bit(mover.value)) == 0;
  sequel.owns = (world.owners() & Outline::bit(mover.value)) != 0;
  return sequel;
}

void follow(const Outline& from, std::size_t taken, const Effect& effect, const Sequel& sequel, Outline& to) {
  const std::uint32_t mover = from.events[taken].client;
  const std::uint64_t bit = Outline::bit(mover);
  to.rest = effect.rest;
  to.keys = sequel.keys;
  to.all = sum(from.others(from.events[taken]), effect.part);
  to.mode = from.mode;
  to.is_calm = from.is_calm;
  to.owners = sequel.owns ? from.owners | bit : from.owners & ~bit;
  to.holders = sequel.holds ? from.holders | bit : from.holders & ~bit;
  to.unfinished = sequel.is_finished ? from.unfinished & ~bit : from.unfinished | bit;
  to.parts = from.parts;
  to.parts[mover] = effect.part;
  to.events.clear();
  unsigned seen = 0;
  std::size_t used = 0;
  const auto add_next = [&] {
    to.events.push_back(sequel.events[used++]);
    to.events.back().client = mover;
  };
  for (const Outline::Event& each : from.events) {
    if (each.client != mover) to.events.push_back(each);
    else if ((sequel.kept >> seen++ & 1u) != 0) add_next();
  }
  while (used < sequel.event_count) add_next();
  to.note_orders();
}

}  // namespace holdfast
