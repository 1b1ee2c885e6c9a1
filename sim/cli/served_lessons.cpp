#include "sim/cli/served_lessons.hpp"

#include <fmt/format.h>

#include <chrono>
#include <sstream>

#include "reports/diagnosis.hpp"
#include "reports/shown.hpp"
#include "sim/cli/chosen.hpp"
#include "sim/cli/pages.hpp"

namespace holdfast::cli {
namespace {

// A lease, a pause that outlasts it, and two holders.
constexpr std::string_view living_lesson = "a-token-does-not-stop-a-paused-holder-from-working-on";

// Lessons take milliseconds; a request waits no longer.
Budget patience() {
  const auto begin = std::chrono::steady_clock::now();
  return {.is_exhausted = [begin] {
    return std::chrono::steady_clock::now() - begin > std::chrono::seconds(20);
  }};
}

std::string address_of(std::size_t number) { return fmt::format("/lessons/{}", number); }

std::vector<reports::CourseLesson> installed_course() {
  try {
    return read_course();
  } catch (const UserError&) {
    return {};
  }
}

}  // namespace

ServedLessons::ServedLessons(reports::Language language)
    : language_(language), course_(installed_course()), living_(found_living()) {}

std::vector<reports::Link> ServedLessons::list() const {
  std::vector<reports::Link> links;
  for (std::size_t i = 0; i < course_.size(); ++i)
    links.push_back({address_of(i + 1), course_[i].texts[static_cast<std::size_t>(language_)].title});
  return links;
}

std::optional<Taught> ServedLessons::find(std::size_t number) const {
  if (number == 0 || number > course_.size()) return std::nullopt;
  return taught(course_, number, 1, patience());
}

std::string ServedLessons::page(std::size_t number) const {
  const std::optional<Taught> it = find(number);
  if (!it) return "";
  reports::LessonView view = it->view();
  if (number > 1) view.previous = address_of(number - 1);
  if (number < course_.size()) view.next = address_of(number + 1);
  if (view.result.counterexample) view.run = address_of(number) + "/run";
  view.index = "/";
  std::ostringstream text;
  reports::write_lesson_html(view, language_, sources_for(view), text);
  return std::move(text).str();
}

std::string ServedLessons::run_page(std::size_t number) const {
  const std::optional<Taught> it = find(number);
  if (!it || !it->result.counterexample) return "";
  const reports::TraceView trace{it->scenario, *it->result.counterexample, "", language_};
  std::ostringstream text;
  reports::write_trace_page(trace, sources_for(it->view()), context_of(trace, ""), text);
  return std::move(text).str();
}

std::optional<ServedLessons::Living> ServedLessons::found_living() const {
  for (std::size_t i = 0; i < course_.size(); ++i) {
    if (course_[i].scenario != living_lesson) continue;
    const std::optional<Taught> it = find(i + 1);
    if (!it || !it->result.counterexample) return std::nullopt;
    const Counterexample shown = reports::as_shown(*it->result.counterexample);
    const std::string title = reports::title_of({it->scenario, shown, "", language_});
    return Living{reports::scene_of(shown, language_), {address_of(i + 1) + "/run", title}};
  }
  return std::nullopt;
}

}  // namespace holdfast::cli
