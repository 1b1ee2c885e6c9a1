#include "sim/core/copy_stack.hpp"

#include <sys/mman.h>

#include <cstring>

#include "sim/core/addresses.hpp"
#include "sim/core/invariant.hpp"

namespace holdfast {

CopyStack::CopyStack() : capacity_(addresses_for_one_block()), begin_(reserve_addresses(capacity_)) {}

CopyStack::~CopyStack() { munmap(begin_, capacity_); }

void CopyStack::push(Bytes bytes) {
  INVARIANT(used_ + bytes.size() <= capacity_, "there is room for the copies of states");
  std::memcpy(begin_ + used_, bytes.data(), bytes.size());
  used_ += bytes.size();
}

}  // namespace holdfast
