// Phrases of reports/page/words.json with values in their places, for what is told in two languages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reports/html.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {

class Phrases {
 public:
  explicit Phrases(Language language) : language_(language) {}
  template <class... Arguments>
  std::string operator()(std::string_view name, const Arguments&... arguments) const {
    return say(word(name, language_), arguments...);
  }
  std::string count(std::string_view name, std::uint64_t number) const {
    return counted_word(name, number, language_);
  }

 private:
  Language language_;
};

}  // namespace holdfast::reports
