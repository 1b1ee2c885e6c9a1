// Pages of one file: no network, no framework; a policy in the page itself forbids everything else.
// reports/page has the looks of pages: templates (mustache), words of every language, styles and the script.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "reports/language.hpp"

namespace holdfast::reports {

// Untrusted text as content or attribute of HTML or SVG. Control characters and bytes that are not UTF-8 are
// written as \x1b, so nothing that a browser gives a meaning to is left.
std::string html_text(std::string_view text);

// The files of reports/page, with SHA-256 in hexadecimal; CMake puts them into the program.
struct Asset {
  std::string_view file;
  std::string_view text;
  std::string_view sha256;
};
extern const std::span<const Asset> assets;
const Asset& asset(std::string_view file);

// A word of reports/page/words.json, which may have places to fill in: {0}, {1}, …
std::string word(std::string_view name, Language language);
// The same of a number: the word "name_1" for one, "name" for many.
std::string counted_word(std::string_view name, std::size_t number, Language language);

// Its sentences begin with capitals, unless they begin with a name such as redis-1.
std::string as_sentence(std::string text);

struct PageHead {
  std::string_view title;
  Language language = Language::en;
  std::string_view description = "";  // for previews of a link to it
  std::string_view card = "";         // a picture for those, beside the page; empty: there is none
  bool is_slides = false;
  bool is_served = false;  // by `holdfast serve`: it may ask where it is from, and send forms there
};
// A page whose content is the template `name`.mustache. {{x}} is untrusted text, {{{x}}} our own markup:
// drawings, the script and the styles. Of what is empty, false or 0 elements a section is left out.
void write_page(const PageHead& head, std::string_view name, const nlohmann::ordered_json& data,
                std::ostream& out);

}  // namespace holdfast::reports
