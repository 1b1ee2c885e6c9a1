#include "sim/explore/outline.hpp"

namespace holdfast {

bool draw(const Run& run, Outline& outline) {
  const World& world = run.world;
  if (!world.has_local_steps()) return false;
  outline.events.clear();
  for (const Scheduled& each : world.scheduled()) {
    const std::optional<Outline::Event> event = Outline::event_of(world, each);
    if (!event) return false;
    outline.events.push_back(*event);
  }
  outline.parts.assign(run.parts().begin(), run.parts().end());
  outline.rest = run.rest();
  outline.all = run.all();
  outline.keys = world.digest_of_keys();
  outline.mode = run.mode();
  outline.holders = world.holders();
  outline.unfinished = world.unfinished();
  outline.owners = world.owners();
  outline.is_calm = world.is_calm();
  outline.note_orders();
  return true;
}

}  // namespace holdfast
