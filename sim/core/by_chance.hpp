// Texts that chance has made, and what it could have made instead: for those who ask whether a server looks
// into them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast {

class ByChance {
 public:
  // `text` with others in place of these; for one number everywhere the same, below count().
  virtual std::string instead(std::string_view text, std::size_t number) const = 0;
  virtual std::size_t count() const = 0;

 protected:
  ~ByChance() = default;
};

}  // namespace holdfast
