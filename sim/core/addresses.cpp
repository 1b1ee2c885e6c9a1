#include "sim/core/addresses.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

namespace holdfast {

std::size_t addresses_for_one_block() {
  constexpr std::size_t usual = std::size_t{4} << 30;
  constexpr std::size_t least = std::size_t{16} << 20;
  // Two blocks for each of a few threads, and half of all for the states.
  constexpr std::size_t share = 32;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return usual;
  const std::size_t page = 4096;
  return std::clamp(static_cast<std::size_t>(limit.rlim_cur) / share, least, usual) / page * page;
}

std::byte* reserve_addresses(std::size_t bytes) {
  void* const block =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block != MAP_FAILED) return static_cast<std::byte*>(block);
  const std::string what =
      std::to_string(bytes >> 20) +
      " MiB of addresses cannot be reserved; each thread needs twice that, but no memory "
      "for it: raise the limit (ulimit -v unlimited), or take fewer threads (-j 1)";
  throw std::system_error(ENOMEM, std::generic_category(), what);
}

}  // namespace holdfast
