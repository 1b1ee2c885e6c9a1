// The course as pages of `holdfast serve`: each lesson is explored when somebody asks for it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/served_pages.hpp"
#include "sim/cli/taught.hpp"

namespace holdfast::cli {

class ServedLessons {
 public:
  // Where the course is not installed, there are no lessons.
  explicit ServedLessons(reports::Language language);

  std::vector<reports::Link> list() const;
  // From one; empty: there is no such lesson.
  std::string page(std::size_t number) const;
  // That of its run, step by step.
  std::string run_page(std::size_t number) const;
  // A run in which two clients hold the lock, and where its page is.
  struct Living {
    reports::Scene scene;
    reports::Link run;
  };
  const std::optional<Living>& living() const { return living_; }

 private:
  std::optional<Taught> find(std::size_t number) const;
  std::optional<Living> found_living() const;

  const reports::Language language_;
  const std::vector<reports::CourseLesson> course_;
  const std::optional<Living> living_;
};

}  // namespace holdfast::cli
