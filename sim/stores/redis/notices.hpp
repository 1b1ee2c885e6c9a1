// What a server says of its keys on channels, if it is configured to (Redis documentation, "Redis keyspace
// notifications"). A key that has died is told of when the server notices: at once here, and a listener
// hears of it as late as any message may be.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "sim/stores/redis/command.hpp"

namespace holdfast::redis {

// The setting notify-keyspace-events: what its letters mean, as bits.
namespace notice {
inline constexpr unsigned by_key = 1;     // K
inline constexpr unsigned by_event = 2;   // E
inline constexpr unsigned generic = 4;    // g
inline constexpr unsigned string = 8;     // $
inline constexpr unsigned list = 16;      // l
inline constexpr unsigned set = 32;       // s
inline constexpr unsigned hash = 64;      // h
inline constexpr unsigned zset = 128;     // z
inline constexpr unsigned expired = 256;  // x
inline constexpr unsigned evicted = 512;  // e
inline constexpr unsigned stream = 1024;  // t
inline constexpr unsigned module = 2048;  // d
inline constexpr unsigned missed = 4096;  // m
inline constexpr unsigned fresh = 8192;   // n
}  // namespace notice

// nullopt: one of the letters means nothing.
std::optional<unsigned> notices_named(std::string_view letters);
// As CONFIG GET shows it.
std::string letters_of(unsigned notices);

// Tells what the command did: its changes from the one with this number on.
void notify(const Invocation& in, std::size_t first);
// Of what a client took that had waited for it.
void notify_served(const Server& server, const Waiter& waiter, const Changes& changes, std::size_t first,
                   Pushes& pushes);
// Of keys that have died.
void notify_expired(const Server& server, const Changes& changes, std::size_t first, Pushes& pushes);
// Of a key that was dropped for want of room.
void notify_evicted(const Server& server, std::string_view key, Pushes& pushes);

// To all that listen; returns how many messages that are.
std::int64_t send_to_channel(const Server& server, const std::string& channel, const std::string& text,
                             Pushes& pushes);

}  // namespace holdfast::redis
