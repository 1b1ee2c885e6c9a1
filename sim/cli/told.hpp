// What is said beside the results, on stderr: after all results that were printed before it, and without an
// end of the program when nobody reads it.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace holdfast::cli {

// Prints stdout first. A terminal that was closed takes nothing, and that is no error.
void tell_text(std::string_view text);

template <class... Values>
void tell(fmt::format_string<Values...> format, Values&&... values) {
  tell_text(fmt::format(format, std::forward<Values>(values)...));
}

}  // namespace holdfast::cli
