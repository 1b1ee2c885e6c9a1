// What the command line says about itself: its help texts, and what is wrong with the words of a user.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::cli {

// What holdfast is and which commands there are: the answer to holdfast --help.
std::string overview();
// Lays out the help of a command in 80 columns: what it does, usage, arguments, options, examples.
std::shared_ptr<CLI::FormatterBase> help_formatter();

// One line: what is wrong with `words` (the arguments of the program), the nearest word, and which help to
// read. REQUIRES: parsing them with `app` threw `error`.
std::string complaint(const CLI::ParseError& error, const CLI::App& app,
                      const std::vector<std::string>& words);

// Throws CLI::ValidationError with the allowed words and the nearest one.
void require_one_of(std::string_view option, std::string_view word,
                    const std::vector<std::string_view>& allowed);

// `text` as a whole number, decimal or 0x and hexadecimal, between both bounds; throws CLI::ValidationError.
std::uint64_t whole_number(std::string_view option, std::string_view text, std::uint64_t low,
                           std::uint64_t high);
// `text` as an amount of memory with its unit, from 1MiB to 1024TiB; throws CLI::ValidationError.
std::uint64_t bytes(std::string_view option, std::string_view text);

}  // namespace holdfast::cli
