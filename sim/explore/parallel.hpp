// Independent work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace holdfast {

// Calls work(0) … work(count - 1), each once, on `threads` threads. Rethrows the first exception after all
// have ended; work that had not begun by then is left out.
void for_each_index(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work);

}  // namespace holdfast
