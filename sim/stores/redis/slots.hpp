// The slots of a cluster, and which of them a command asks for (Redis documentation, "Redis cluster
// specification").
//
// One server stands for all nodes of a cluster, with all slots: the driver follows MOVED, so every command
// comes to the node of its key, and it loads scripts on all nodes. What no cluster does is refused: a command
// whose keys are in two slots, and a script that asks for a key of another slot than that of the keys that it
// was given, for that may be on another node. What depends on the node is named as not simulated. All nodes
// restart and fail over together, and have one clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/stores/redis/command.hpp"

namespace holdfast::redis {

// Of the text in the first {braces}, if there is one, else of the whole key.
std::uint16_t slot_of(std::string_view key);

// REQUIRES: the row takes so many words.
std::vector<std::string_view> keys_of(const CommandRow& row, WordsView argv);

// Why a cluster refuses what a client sends; nil: it does not. `session` is what is known of its connection,
// if anything.
Reply refused_by_cluster(Server& server, const CommandRow& row, const Session* session, WordsView argv);
// The same for what the script that `outer` runs calls.
Reply refused_by_cluster(const Invocation& outer, const CommandRow& row, WordsView argv);

}  // namespace holdfast::redis
