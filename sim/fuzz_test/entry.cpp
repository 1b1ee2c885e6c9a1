// What libFuzzer calls. HOLDFAST_FUZZ_TARGET is one of the functions of targets.hpp.
#include <cstddef>
#include <cstdint>

#include "sim/fuzz_test/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  holdfast::fuzz::HOLDFAST_FUZZ_TARGET(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
