#include "sim/world/differences.hpp"

namespace holdfast {
namespace {

constexpr Bound zero = Differences::bound(0, true);
// Exactly the sum is possible if exactly both are.
constexpr Bound plus(Bound one, Bound other) { return ((one & ~1) + (other & ~1)) | (one & other & 1); }

}  // namespace

Differences::Differences() {
  for (auto& row : at_) row.fill(unbounded);
  for (int i = 0; i < most; ++i) at_[i][i] = zero;
}

void Differences::forget(int one) {
  for (int i = 0; i < most; ++i) at_[one][i] = at_[i][one] = unbounded;
  at_[one][one] = zero;
}

bool Differences::limit(const Limit& limit) {
  const auto [one, other, by] = limit;
  if (by >= at_[one][other]) return true;
  if (one == other || (at_[other][one] < unbounded && plus(by, at_[other][one]) < zero)) return false;
  // Every way that becomes shorter leads through the new bound. Without a branch, so that several are found
  // by one instruction: what is not bounded stays so, whatever is added.
  const Row onwards = at_[other];
  for (Row& row : at_) {
    if (row[one] >= unbounded) continue;
    const Bound so_far = plus(row[one], by);
    if (so_far >= unbounded) continue;
    for (int j = 0; j < width; ++j) {
      const Bound sum = plus(so_far, onwards[j]);
      const Bound shorter = sum < row[j] ? sum : row[j];
      row[j] = onwards[j] < unbounded ? shorter : row[j];
    }
  }
  return true;
}

bool Differences::allows(const Limit& limit) const {
  if (limit.one == limit.other) return limit.by >= zero;
  if (at_[limit.other][limit.one] >= unbounded) return true;
  return plus(limit.by, at_[limit.other][limit.one]) >= zero;
}

bool Differences::allow(std::span<const Limit> limits, int hub) const {
  for (const Limit& each : limits)
    if (!allows(each)) return false;
  // A way round that is too short leads through the hub, and that once.
  for (const Limit& in : limits) {
    if (in.other != hub) continue;
    for (const Limit& out : limits)
      if (out.one == hub && !allows({in.one, out.other, plus(in.by, out.by)})) return false;
  }
  return true;
}

}  // namespace holdfast
