// A lesson of the course with what its scenario's exploration found: for pages, terminals and the served
// ones.
#pragma once

#include <optional>
#include <vector>

#include "reports/course.hpp"
#include "sim/explore/explore.hpp"

namespace holdfast::cli {

// Throws UserError.
std::vector<reports::CourseLesson> read_course();

struct Taught {
  std::size_t number;
  std::size_t count;
  const reports::CourseLesson* lesson;  // of the course, which must outlive this
  Scenario scenario;
  PropertyResult result;
  std::uint64_t states = 0;
  std::optional<Separation> separation;
  std::string twin;  // its text

  // Of this object, which must outlive it.
  reports::LessonView view() const {
    return {.number = number,
            .count = count,
            .lesson = *lesson,
            .scenario = scenario,
            .result = result,
            .states = states,
            .separation = separation ? &*separation : nullptr,
            .twin = twin};
  }
};
// Explores what the lesson is about; none: it was not found out.
std::optional<Taught> taught(const std::vector<reports::CourseLesson>& course, std::size_t number,
                             unsigned threads, const Budget& budget);

// The sources to which its run points.
reports::SourceTexts sources_for(const reports::LessonView& view);

}  // namespace holdfast::cli
