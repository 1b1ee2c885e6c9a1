#include "reports/html.hpp"

#include <fmt/format.h>

#include "reports/terminal.hpp"

namespace holdfast::reports {
namespace {

unsigned digit_of(char letter) {
  return letter <= '9' ? static_cast<unsigned>(letter - '0') : static_cast<unsigned>(letter - 'a') + 10;
}

// As a Content-Security-Policy writes it: "sha256-" and base64 (RFC 4648, section 4).
std::string policy_hash(std::string_view hex) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text = "'sha256-";
  for (std::size_t i = 0; i < hex.size(); i += 3) {  // twelve bits are three digits, or two letters
    const std::string_view three = hex.substr(i, 3);
    unsigned bits = 0;
    for (std::size_t d = 0; d < 3; ++d) bits = bits << 4 | (d < three.size() ? digit_of(three[d]) : 0u);
    text += letters[bits >> 6];
    text += three.size() < 2 ? '=' : letters[bits & 63u];
  }
  while ((text.size() - 8) % 4 != 0) text += '=';
  return text + "'";
}

// A padlock.
constexpr std::string_view icon =
    "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Cpath "
    "fill=%22none%22 stroke=%22%230067ab%22 stroke-width=%222%22 d=%22M5 8V5a3 3 0 0 1 6 0v3%22/%3E%3Crect "
    "fill=%22%230067ab%22 x=%223%22 y=%228%22 width=%2210%22 height=%227%22 rx=%221.5%22/%3E%3C/svg%3E";

}  // namespace

std::string html_text(std::string_view text) {
  std::string safe;
  for (const char letter : printable(Terminal{}, text)) switch (letter) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      case '\'': safe += "&#39;"; break;
      default: safe += letter;
    }
  return safe;
}

void open_page(const PageHead& head, std::ostream& out) {
  const std::string more_style = head.is_slides ? " " + policy_hash(assets::slides_css.sha256) : "";
  out << fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {} {}{}; "
      "script-src {}; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n",
      head.language, policy_hash(assets::picture_css.sha256), policy_hash(assets::page_css.sha256),
      more_style, policy_hash(assets::page_js.sha256), html_text(head.title));
  out << fmt::format(
      "<meta property=\"og:type\" content=\"article\">\n<meta property=\"og:title\" content=\"{}\">\n"
      "<link rel=\"icon\" href=\"{}\">\n",
      html_text(head.title), icon);
  if (!head.description.empty())
    out << fmt::format(
        "<meta name=\"description\" content=\"{0}\">\n<meta property=\"og:description\" content=\"{0}\">\n",
        html_text(head.description));
  out << "<style>" << assets::picture_css.text << "</style>\n<style>" << assets::page_css.text;
  if (head.is_slides) out << "</style>\n<style>" << assets::slides_css.text;
  out << "</style>\n</head>\n<body>\n";
}

void close_page(std::ostream& out) {
  out << "<script>" << assets::page_js.text << "</script>\n</body>\n</html>\n";
}

}  // namespace holdfast::reports
