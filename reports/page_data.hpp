// What the script of a page cannot read off it: numbers of steps, where to jump, what it has to say.
#pragma once

#include <string>

#include "reports/scene.hpp"
#include "reports/trace_page.hpp"

namespace holdfast::reports {

// An element of JSON; `first`: the first row that is on the page.
std::string page_data(const Scene& scene, std::size_t first, std::uint32_t length,
                      const TracePageContext& context);

}  // namespace holdfast::reports
