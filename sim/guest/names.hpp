// Tokens: texts that a program makes by chance. In a tree of histories each stands as a mark, so that clients
// share what is learnt; the world has a name of its own for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::guest {

// Of the token with this number, from 0.
inline std::string mark_of(std::size_t number) {
  return std::string("\x01") + std::to_string(number) + "\x02";
}

// With `by[i]` wherever `texts[i]` stands. The longest that begins at a place counts.
inline std::string replaced(std::string_view text, const std::vector<std::string>& texts,
                            const std::vector<std::string>& by) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t best = texts.size();
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (!texts[i].empty() && text.substr(at).starts_with(texts[i]) &&
          (best == texts.size() || texts[i].size() > texts[best].size()))
        best = i;
    if (best == texts.size()) {
      made += text[at++];
    } else {
      made += by[best];
      at += texts[best].size();
    }
  }
  return made;
}

inline std::vector<std::string> marks(std::size_t count) {
  std::vector<std::string> marks;
  for (std::size_t i = 0; i < count; ++i) marks.push_back(mark_of(i));
  return marks;
}

}  // namespace holdfast::guest
