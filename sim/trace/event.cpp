#include "sim/trace/event.hpp"

namespace holdfast {

What::What(const What&) = default;
What::What(What&&) noexcept = default;
What& What::operator=(const What&) = default;
What& What::operator=(What&&) noexcept = default;
What::~What() = default;

}  // namespace holdfast
