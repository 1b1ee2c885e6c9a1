// Pages of one file: no network, no framework; a policy in the page itself forbids everything else.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace holdfast::reports {

// Text of anybody as content or attribute of HTML or SVG. Control characters and bytes that are not UTF-8 are
// written as \x1b, so nothing that a browser gives a meaning to is left.
std::string html_text(std::string_view text);

// The contents of reports/page/, with SHA-256 in hexadecimal; CMake puts them into the program.
struct Asset {
  std::string_view text;
  std::string_view sha256;
};
namespace assets {
extern const Asset picture_css;  // of every picture, also of those that stand alone
extern const Asset page_css;
extern const Asset page_js;
extern const Asset slides_css;  // of pages that are projected
}  // namespace assets

struct PageHead {
  std::string_view title;
  std::string_view language = "en";
  std::string_view description = "";  // for those who see only a link to it
  bool is_slides = false;
};
// Everything up to and including <body>, and from the script to the end.
void open_page(const PageHead& head, std::ostream& out);
void close_page(std::ostream& out);

}  // namespace holdfast::reports
