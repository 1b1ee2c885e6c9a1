// What a shared dictionary answers.
#pragma once

#include <string>

#include "sim/core/reply.hpp"

namespace holdfast::shdict {

inline const Reply ok = Reply::ok();
inline const Reply forced = Reply::status("OK forcible");
inline Reply error(const std::string& text) { return Reply::error(text); }

}  // namespace holdfast::shdict
