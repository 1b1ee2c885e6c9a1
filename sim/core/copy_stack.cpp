#include "sim/core/copy_stack.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "sim/core/invariant.hpp"

namespace holdfast {

CopyStack::CopyStack() {
  void* const block =
      mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) {
    constexpr const char* too_little =
        "4 GiB of addresses cannot be reserved; each thread needs twice that, but no memory for it: raise "
        "the limit (ulimit -v unlimited), or take fewer threads (-j 1)";
    throw std::system_error(ENOMEM, std::generic_category(), too_little);
  }
  begin_ = static_cast<std::byte*>(block);
}

CopyStack::~CopyStack() { munmap(begin_, capacity); }

void CopyStack::push(Bytes bytes) {
  INVARIANT(used_ + bytes.size() <= capacity, "there is room for the copies of states");
  std::memcpy(begin_ + used_, bytes.data(), bytes.size());
  used_ += bytes.size();
}

}  // namespace holdfast
