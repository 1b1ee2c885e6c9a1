// The shapes in which co_await may stand, and what a coroutine may take: sim/README.md, "Compiler traps".
#include <array>
#include <regex>

#include "sim/tidy/rules.hpp"

namespace holdfast::tidy {
namespace {

constexpr std::string_view await = "co_await";

// Takes "(…)" off the front of `text`, which begins with it.
std::string_view without_parentheses(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return text.substr(i + 1);
  }
  return {};
}

// The statement without labels and without the conditions in front of it: "if (x) co_await y" is "co_await
// y".
std::string_view without_control(std::string_view text) {
  for (bool again = true; again;) {
    again = false;
    while (text.starts_with(' ')) text.remove_prefix(1);
    for (const std::string_view word : {"if", "while", "for"}) {
      const std::string_view rest = text.starts_with(word) ? text.substr(word.size()) : "";
      if (!rest.starts_with(" (") && !rest.starts_with("(")) continue;
      const std::string_view after = without_parentheses(rest);
      // What stands in the condition itself is left to be judged.
      if (after.find(await) == after.npos) return text;
      text = after;
      again = true;
    }
    for (const std::string_view word : {"else ", "do ", "public:", "private:", "default:"})
      if (text.starts_with(word)) text.remove_prefix(word.size()), again = true;
    const std::size_t colon = text.find(": ");
    if (text.starts_with("case ") && colon != text.npos) text.remove_prefix(colon + 1), again = true;
  }
  return text;
}

bool has_right_shape(const std::string& before) {
  static const std::regex allowed(
      "(co_return )?"
      "|(if ?\\()?(const )?[\\w:]+(<.*>)?[ &*]+\\w+ = "  // const Reply reply = …, also within if (…; …)
      "|[\\w.>\\[\\]-]+ = ");                            // reply = …
  return std::regex_match(before, allowed);
}

bool has_capturing_lambda(const std::string& text) {
  static const std::regex lambda("(^|[(,=?:] ?)\\[[^\\]]");
  return std::regex_search(text, lambda);
}

void check_await(const Statement& statement, Findings& findings) {
  const std::string text(without_control(statement.text));
  const std::size_t at = text.find(await);
  const std::string before = text.substr(0, at);
  const std::string after = text.substr(at + await.size());
  const bool in_initialised_if = before.starts_with("if") && after.find("; ") != after.npos;
  const auto report = [&](const char* advice) { findings.add(statement.line, "await-shape", advice); };

  if (count_word(text, await) > 1) report("one await per statement: give each result a name");
  else if (statement.end == '}' || !has_right_shape(before))
    report("write `const T name = co_await …;`, then use the name");
  else if (before.starts_with("if") && !in_initialised_if) report("await into a name, then test the name");
  else if (has_capturing_lambda(after)) report("name the lambda in a statement before");
  else if (statement.end == '{' && !in_initialised_if)
    report("no braces after co_await: name the object in a statement before");
  else if (after.find('?') != after.npos)
    report("no ?: after co_await: name its result in a statement before");
}

// Task<…> name(parameters): everything that lives in the frame is taken by value.
void check_parameters(const Statement& statement, Findings& findings) {
  static const std::regex function("(^|[ :])Task<.*>( [\\w:]+)? ?\\((.*)\\)[^()]*$");
  static const std::regex lambda("\\](\\((.*)\\))?.* -> Task<");
  std::smatch match;
  if (statement.end == '{' && std::regex_search(statement.text, match, lambda)) {
    const std::size_t open = statement.text.rfind('[', static_cast<std::size_t>(match.position(0)));
    if (statement.text[open + 1] != ']')
      findings.add(statement.line, "coroutine-lambda",
                   "a coroutine outlives its lambda: pass what it captures as parameters by value");
  } else if (statement.text.find('=') != statement.text.npos ||
             !std::regex_search(statement.text, match, function)) {
    return;
  }
  std::string parameters = match[match.size() - 1];
  static const std::regex environment("\\bEnv ?&");
  parameters = std::regex_replace(parameters, environment, "");
  if (parameters.find('&') != parameters.npos || has_word(parameters, "string_view") ||
      has_word(parameters, "span"))
    findings.add(statement.line, "coroutine-parameter",
                 "a coroutine outlives its caller's temporaries: take parameters by value (all but Env&)");
}

}  // namespace

void check_coroutines(const Source& source, Findings& findings) {
  // This one shows what compilers make of the forbidden shapes.
  if (source.path == "sim/core/gcc12_test.cpp") return;
  for (const Statement& statement : source.statements) {
    if (has_word(statement.text, await) && statement.text.find("operator co_await") == statement.text.npos)
      check_await(statement, findings);
    if (!is_test(source.path) && statement.text.find("Task<") != statement.text.npos)
      check_parameters(statement, findings);
  }
}

}  // namespace holdfast::tidy
