// TCP on the loopback, for drivers that wait.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::live {

sockaddr_in loopback(std::uint16_t port);
// -1: nobody listens there.
int connected_to(std::uint16_t port);
// Sends this, and returns all that comes back until the server closes; empty if `wanted` is not in it.
std::string first_answer(std::uint16_t port, std::string_view question, std::string_view wanted);

}  // namespace holdfast::live
