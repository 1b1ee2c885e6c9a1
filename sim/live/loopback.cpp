#include "sim/live/loopback.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace holdfast::live {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int connected_to(std::uint16_t port) {
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{10, 0};
  ::setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const sockaddr_in address = loopback(port);
  if (::connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return made;
  ::close(made);
  return -1;
}

std::string first_answer(std::uint16_t port, std::string_view question, std::string_view wanted) {
  const int probe = connected_to(port);
  if (probe < 0) return {};
  std::string answer;
  char buffer[1024];
  if (::send(probe, question.data(), question.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(question.size()))
    for (ssize_t count = 0; (count = ::read(probe, buffer, sizeof buffer)) > 0;)
      answer.append(buffer, static_cast<std::size_t>(count));
  ::close(probe);
  return answer.find(wanted) == answer.npos ? std::string() : answer;
}

}  // namespace holdfast::live
