#include "sim/core/copy_stack.hpp"

#include <sys/mman.h>

#include <cstring>

#include "sim/core/invariant.hpp"

namespace holdfast {

CopyStack::CopyStack() {
  void* const block =
      mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  INVARIANT(block != MAP_FAILED, "there is address space for the copies of states");
  begin_ = static_cast<std::byte*>(block);
}

CopyStack::~CopyStack() { munmap(begin_, capacity); }

void CopyStack::push(Bytes bytes) {
  INVARIANT(used_ + bytes.size() <= capacity, "there is room for the copies of states");
  std::memcpy(begin_ + used_, bytes.data(), bytes.size());
  used_ += bytes.size();
}

}  // namespace holdfast
