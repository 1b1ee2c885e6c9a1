#include "sim/cli/told.hpp"

#include <cstdio>
#include <iostream>

namespace holdfast::cli {

void tell_text(std::string_view text) {
  std::cout.flush();
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace holdfast::cli
