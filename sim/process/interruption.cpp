#include "sim/process/interruption.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>

namespace holdfast::process {
namespace {

// A run that ends meanwhile is not lost.
constexpr auto patience = std::chrono::seconds(2);

std::atomic<int> interruptible = 0;
// When it was first wanted, by the steady clock; 0: it was not.
std::atomic<std::int64_t> since = 0;

std::function<bool()>& wanted() {
  static std::function<bool()> is_wanted;
  return is_wanted;
}

}  // namespace

Interruptible::Interruptible() { ++interruptible; }
Interruptible::~Interruptible() { --interruptible; }

void interrupt_when(std::function<bool()> is_wanted) {
  wanted() = std::move(is_wanted);
  since = 0;
}

bool is_interrupted() {
  if (interruptible == 0 || !wanted() || !wanted()()) return false;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  std::int64_t none = 0;
  since.compare_exchange_strong(none, now);
  return std::chrono::steady_clock::duration(now - since) > patience;
}

}  // namespace holdfast::process
