// Whether checkouts of libraries still say what locks transcribe.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace holdfast::cli {

// Compares the lines, the files and what lies below with the directory, prints each, and says what it cannot
// see. Returns how much has changed. Throws UserError where a name is no lock of a library, or the directory
// has none of its files.
std::size_t examine_upstreams(const std::filesystem::path& checkout, const std::vector<std::string>& ids);

}  // namespace holdfast::cli
