// The pages of a directory of results, and what they need of the file system.
#pragma once

#include <string>
#include <vector>

#include "reports/matrix_page.hpp"
#include "reports/trace_json.hpp"
#include "reports/trace_page.hpp"
#include "sim/trace/event.hpp"

namespace holdfast::cli {

// Throws UserError with every problem of the file.
reports::TraceFile read_trace(const std::string& file);

// The source files to which the events point, as far as they lie in the project that this program was built
// in, or below the working directory.
reports::SourceTexts sources_of(const std::vector<Event>& events);

// What the page of a trace tells beside it: among it, the questions that the run was asked. `file`: where the
// trace was read from, if it was.
reports::TracePageContext context_of(const reports::TraceView& trace, std::string index,
                                     const reports::TraceFile* file = nullptr);

// The page of a trace; `matrix`: what `index` shows; `states` and `card` as in TracePageContext.
std::string page_of(const reports::TraceView& trace, const std::string& index, const reports::TraceFile* file,
                    const reports::Matrix* matrix, std::vector<std::string> states = {},
                    std::string card = "");
// The page of a matrix, and what else is known.
std::string index_of(const reports::Matrix& matrix, reports::Language language,
                     std::vector<reports::Annex> annexes = {});
// The page of a trace, in `directory`, under the name of the trace's file; `matrix`: what `index` shows.
// `site`: the address of the directory; then a card lies beside the page, which names it.
void write_page(const std::string& directory, const reports::TraceView& trace, const std::string& index,
                const reports::TraceFile* file = nullptr, const reports::Matrix* matrix = nullptr,
                const std::string& site = "");

// index.html in `directory`, and beside each saved trace of the matrix its page. Throws UserError.
void save_pages(const std::string& directory, const reports::Matrix& matrix, unsigned threads);

}  // namespace holdfast::cli
