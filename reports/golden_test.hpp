// Compares a text with the one in reports/golden. HOLDFAST_REWRITE_GOLDEN=1 writes the files anew instead.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace holdfast::reports {

inline void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(HOLDFAST_SOURCE_DIR) + "/reports/golden/" + name;
  if (std::getenv("HOLDFAST_REWRITE_GOLDEN")) {
    std::ofstream(path) << text;
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file) << path << " is missing";
  std::ostringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(text, golden.str()) << path;
}

}  // namespace holdfast::reports
