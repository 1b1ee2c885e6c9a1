// What a guest finds in files: chance, who it is, and nothing that it may change.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "sim/process/guest.hpp"

namespace holdfast::process {
namespace {

// SplitMix64.
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t word = state += 0x9E3779B97F4A7C15;
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
  word = (word ^ word >> 27) * 0x94D049BB133111EB;
  return word ^ word >> 31;
}

}  // namespace

void Guest::open_file(const Asked& asked) {
  const bool is_at = asked.call == SYS_openat;
  const std::string path = process_.text_at(asked.arguments[is_at ? 1 : 0]);
  const std::uint64_t flags = asked.call == SYS_creat ? O_WRONLY | O_CREAT : asked.arguments[is_at ? 2 : 1];
  const bool closes = (flags & O_CLOEXEC) != 0;
  has_ioredis_ = has_ioredis_ || path.find("/ioredis/") != path.npos;
  constexpr std::size_t random_size = 4096;
  if (path == "/dev/urandom" || path == "/dev/random")
    return give_file(asked, random_bytes(random_size), closes);
  if (path == "/proc/sys/kernel/random/uuid") return give_file(asked, random_uuid(), closes);
  if (const std::optional<std::string> own = identity_.file(path, process_))
    return give_file(asked, *own, closes);
  if (const std::string here = identity_.path_here(path, process_); here != path) {
    const Descriptor file(open(here.c_str(), static_cast<int>(flags) | O_CLOEXEC));
    if (!file.is_open()) return tree_.fail(asked, errno);
    constexpr int next = -1;
    return tree_.answer_with(asked, file.get(), next, closes);
  }
  const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  const bool is_harmless = path == "/dev/null" || path == "/dev/tty";
  if (!writes || is_harmless) return tree_.let(asked);
  written_.push_back(path);
  tree_.fail(asked, EROFS);
}

void Guest::give_file(const Asked& asked, const std::string& bytes, bool closes_on_exec) {
  const Descriptor file(static_cast<int>(syscall(SYS_memfd_create, "file", 1U /* MFD_CLOEXEC */)));
  if (pwrite(file.get(), bytes.data(), bytes.size(), 0) < 0)
    refuse(asked, "there is no memory for what it reads");
  constexpr int next = -1;
  tree_.answer_with(asked, file.get(), next, closes_on_exec);
}

std::string Guest::random_uuid() {
  std::string id;
  for (const char each : random_bytes(16)) id += fmt::format("{:02x}", static_cast<unsigned char>(each));
  for (const std::size_t at : {8, 13, 18, 23}) id.insert(at, "-");
  return id + "\n";
}

std::string Guest::random_bytes(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t at = 0; at < size; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = next_random(random_);
    std::memcpy(&bytes[at], &word, std::min(sizeof word, size - at));
  }
  return bytes;
}

}  // namespace holdfast::process
