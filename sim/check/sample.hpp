// What a sample without violations proves, and what it does not.
#pragma once

#include <cstdint>
#include <vector>

namespace holdfast {

// The guarantee of PCT for violations of one depth: those that follow from so many conditions of the form
// "this event before that one" or "this fault at this place".
struct DepthClaim {
  std::uint32_t depth = 1;
  std::uint64_t runs = 0;   // that looked for this depth
  double miss_at_most = 1;  // the probability that all of them miss a violation of this depth
};

struct SampleClaim {
  // The guarantee holds for runs that are no larger than the largest that was seen: strands that move on
  // their own, time included; questions; answers beside the calm one.
  std::uint32_t strands = 0;
  std::uint32_t questions = 0;
  std::uint32_t alternatives = 0;
  std::vector<DepthClaim> depths;
  // Runs that were drawn independently from one distribution. When none of n violates, violating runs make up
  // less than 3 of n in that distribution, with a confidence of 95 % (the rule of three).
  std::uint64_t independent_runs = 0;
  std::uint64_t circumstances = 0;  // different ones that runs came to, where the sample was steered by them
};

}  // namespace holdfast
