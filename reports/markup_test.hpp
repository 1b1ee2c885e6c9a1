// A strict reader of XML, for tests: says what is wrong with a text, or how many elements carry which class.
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace holdfast::reports {

struct Markup {
  std::string problem;  // empty: well-formed
  std::map<std::string, int> classes;
  std::map<std::string, int> elements;
};

// Elements, attributes in double quotes, and text without "<" or a bare "&"; no comments.
inline Markup read_markup(const std::string& text) {
  Markup markup;
  std::vector<std::string> open;
  std::size_t at = 0;
  const auto fail = [&](const std::string& why) { markup.problem = why + " near: " + text.substr(at, 60); };
  while (at < text.size() && markup.problem.empty()) {
    if (text[at] == '&') {
      const std::size_t end = text.find(';', at);
      if (end == std::string::npos || end - at > 7) fail("a bare &");
    }
    if (text[at] != '<') {
      if (text[at] == '>') fail("a bare >");
      ++at;
      continue;
    }
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) return fail("no end of a tag"), markup;
    std::string tag = text.substr(at + 1, end - at - 1);
    const bool is_closed = tag.ends_with('/');
    if (is_closed) tag.pop_back();
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    if (name.empty() || name.find_first_of("<\"'") != std::string::npos) fail("no name");
    if (name[0] == '/') {
      if (open.empty() || "/" + open.back() != name) fail("an end without a beginning");
      else open.pop_back();
    } else {
      ++markup.elements[name];
      if (!is_closed) open.push_back(name);
      if (std::count(tag.begin(), tag.end(), '"') % 2 != 0 || tag.find('<') != std::string::npos)
        fail("bad attributes");
      const std::size_t kind = tag.find("class=\"");
      if (kind != std::string::npos) {
        std::istringstream words(tag.substr(kind + 7, tag.find('"', kind + 7) - kind - 7));
        for (std::string word; words >> word;) ++markup.classes[name + "." + word];
      }
    }
    at = end + 1;
  }
  if (markup.problem.empty() && !open.empty()) markup.problem = "<" + open.back() + "> is not closed";
  return markup;
}

// A page without what a browser reads as code or style.
inline std::string markup_of(std::string page) {
  page.erase(0, page.find("<html"));
  for (const std::string element : {"style", "script"})
    for (std::size_t begin = page.find("<" + element + ">"); begin != std::string::npos;
         begin = page.find("<" + element + ">"))
      page.erase(begin, page.find("</" + element + ">", begin) + element.size() + 3 - begin);
  // The hashes of both change with every change of their files.
  for (std::size_t begin = page.find("'sha256-"); begin != std::string::npos;
       begin = page.find("'sha256-", begin))
    page.replace(begin, page.find('\'', begin + 1) + 1 - begin, "HASH");
  return page;
}

}  // namespace holdfast::reports
