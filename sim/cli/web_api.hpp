// What `holdfast serve` answers: pages for people, JSON for programs, both from the same values. README.md
// has the list.
#pragma once

#include "sim/cli/explorations.hpp"
#include "sim/cli/served_lessons.hpp"
#include "sim/web/web_server.hpp"

namespace holdfast::cli {

class WebApi {
 public:
  explicit WebApi(const ServeLimits& limits, reports::Language language = reports::Language::en)
      : explorations_(limits), language_(language), lessons_(language) {}
  // Whatever is asked.
  web::Answer answer(const web::Request& request);

 private:
  web::Answer route(const web::Request& request);
  web::Answer api(const web::Request& request);
  web::Answer exploration_api(const web::Request& request, std::uint32_t id);
  web::Answer home();
  web::Answer lesson(std::string_view place);
  web::Answer exploration(std::uint32_t id);
  web::Answer file_of(std::uint32_t id, std::string_view name);

  web::Answer run_state(const web::Request& request, bool is_json);
  web::Answer refused_page(const Refused& why);

  Explorations explorations_;
  const reports::Language language_;  // of pages, and of texts in JSON
  const ServedLessons lessons_;
};

}  // namespace holdfast::cli
