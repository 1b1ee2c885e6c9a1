#include "reports/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <kainjow/mustache.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "reports/terminal.hpp"
#include "reports/words.hpp"
#include "sim/core/invariant.hpp"

namespace holdfast::reports {
namespace {

using Json = nlohmann::ordered_json;
namespace mustache = kainjow::mustache;

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

const Json& all_words() {
  static const Json words = Json::parse(asset("words.json").text);
  return words;
}

// A template with its words ({{w.name}}) and the templates that it includes ({{>name}}) in their places.
std::string expanded(std::string text, Language language) {
  for (std::size_t at = 0; (at = text.find("{{", at)) != text.npos;) {
    const std::size_t end = text.find("}}", at);
    const std::string tag = text.substr(at + 2, end - at - 2);
    std::string instead;
    if (tag.starts_with("w.")) instead = word(tag.substr(2), language);
    else if (tag.starts_with(">")) instead = asset(tag.substr(1) + ".mustache").text;
    else {
      at = end;
      continue;
    }
    while (instead.ends_with('\n')) instead.pop_back();
    text.replace(at, end + 2 - at, instead);
  }
  return text;
}

using Templates = std::map<std::pair<std::string, Language>, mustache::mustache>;

Templates parsed() {
  Templates templates;
  for (const Asset& file : assets)
    if (file.file.ends_with(".mustache"))
      for (const Language language : {Language::en, Language::zh}) {
        const std::string name(file.file.substr(0, file.file.find('.')));
        mustache::mustache made(expanded(std::string(file.text), language));
        INVARIANT(made.is_valid(), "templates are well-formed");
        made.set_custom_escape(html_text);
        templates.emplace(std::pair(name, language), std::move(made));
      }
  return templates;
}

// What is empty is false, so that sections can ask for it.
mustache::data data_of(const Json& json) {
  if (json.is_object()) {
    mustache::data data;
    for (const auto& [name, value] : json.items()) data[name] = data_of(value);
    return data;
  }
  if (json.is_array()) {
    mustache::list list;
    for (const Json& value : json) list.push_back(data_of(value));
    return list;
  }
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number()) return json.dump();
  const std::string text = json.is_null() ? "" : json.get<std::string>();
  return text.empty() ? mustache::data(false) : mustache::data(text);
}

std::string filled(std::string_view name, const Json& data, Language language) {
  static Templates templates = parsed();  // filling one in changes nothing of it
  const auto found = templates.find(std::pair(std::string(name), language));
  INVARIANT(found != templates.end(), "a page has a template");
  return found->second.render(data_of(data));
}

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

const Asset& asset(std::string_view file) {
  const auto found =
      std::find_if(assets.begin(), assets.end(), [&](const Asset& it) { return it.file == file; });
  INVARIANT(found != assets.end(), "pages bring along what is in reports/page");
  return *found;
}

std::string word(std::string_view name, Language language) {
  const auto found = all_words().find(name);
  INVARIANT(found != all_words().end(), "reports/page/words.json has every word");
  return found->at(static_cast<std::size_t>(language)).get<std::string>();
}

std::string counted_word(std::string_view name, std::size_t number, Language language) {
  return say(word(std::string(name) + (number == 1 ? "_1" : ""), language), grouped(number));
}

std::string as_sentence(std::string text) {
  for (std::size_t at = 0;; at += 2) {
    const auto is_small = [](char letter) { return letter >= 'a' && letter <= 'z'; };
    std::size_t end = at;
    while (end < text.size() && is_small(text[end])) ++end;
    const bool is_word =
        end == text.size() || std::string_view(" .,:").find(text[end]) != std::string_view::npos;
    if (end > at && is_word) text[at] -= 'a' - 'A';
    at = text.find(". ", at);
    if (at == text.npos) return text;
  }
}

void write_page(const PageHead& head, std::string_view name, const Json& data, std::ostream& out) {
  const Asset& script = asset(head.is_served ? "serve.js" : "page.js");
  Json frame{{"title", head.title},
             {"language", head.language == Language::zh ? "zh-Hans" : "en"},
             {"description", head.description},
             {"card", head.card},
             {"is_served", head.is_served},
             {"script", script.text},
             {"script_hash", policy_hash(script.sha256)},
             {"styles", Json::array()},
             {"content", filled(name, data, head.language)}};
  std::vector<std::string_view> styles{"picture.css", "page.css"};
  if (head.is_slides) styles.push_back("slides.css");
  if (head.is_served) styles.push_back("serve.css");
  for (const std::string_view file : styles)
    frame["styles"].push_back({{"text", asset(file).text}, {"hash", policy_hash(asset(file).sha256)}});
  out << filled("page", frame, head.language);
}

}  // namespace holdfast::reports
