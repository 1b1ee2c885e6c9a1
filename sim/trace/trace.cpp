#include "sim/trace/trace.hpp"

namespace holdfast {

void Trace::emit(Event event) {
  for (Observer* observer : observers_) observer->on(event);
  if (recording_) events_.push_back(std::move(event));
}

std::string name_of(NodeId node, StoreKind store) {
  const std::size_t kind = static_cast<std::size_t>(store);
  std::string name(kind < node_words.size() ? node_words[kind] : "node-#");
  if (const std::size_t number = name.find('#'); number != name.npos)
    name.replace(number, 1, std::to_string(node.value + 1));
  return name;
}

std::string name_of(Actor actor, StoreKind store) {
  switch (actor.kind) {
    case Actor::Kind::client: return name_of(ClientId{actor.index});
    case Actor::Kind::node: return name_of(NodeId{actor.index}, store);
    case Actor::Kind::time: break;
  }
  return "time";
}

}  // namespace holdfast
