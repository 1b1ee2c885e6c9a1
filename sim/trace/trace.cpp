#include "sim/trace/trace.hpp"

namespace holdfast {

void Trace::emit(Event event) {
  for (Observer* observer : observers_) observer->on(event);
  if (recording_) events_.push_back(std::move(event));
}

std::string name_of(Actor actor) {
  switch (actor.kind) {
    case Actor::Kind::client: return name_of(ClientId{actor.index});
    case Actor::Kind::node: return name_of(NodeId{actor.index});
    case Actor::Kind::time: break;
  }
  return "time";
}

}  // namespace holdfast
