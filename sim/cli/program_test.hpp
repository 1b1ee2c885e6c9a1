// Runs the built program in a directory of its own, as a user's shell does.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace holdfast::cli {

struct Outcome {
  int code = -1;  // 128 + the signal that ended it, as a shell says
  std::string out;
  std::string err;
};

class Program : public testing::Test {
 protected:
  Program() {
    std::string name = testing::TempDir() + "holdfast-cli-XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  ~Program() override { std::filesystem::remove_all(directory_); }

  // A shell command, in which $H is the program; stdout and stderr are no terminals, unless it sees to it.
  Outcome shell(const std::string& command) {
    const std::string line = "cd '" + directory_.string() +
                             "' && env -u NO_COLOR -u COLUMNS LC_ALL=C.UTF-8 H='" HOLDFAST_BINARY_DIR
                             "/holdfast' sh -c '" +
                             command + "' </dev/null >out.txt 2>err.txt";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read("out.txt"),
            read("err.txt")};
  }
  Outcome run(const std::string& arguments) { return shell("exec $H " + arguments); }

  std::filesystem::path path(const std::string& name) const { return directory_ / name; }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    return std::move(text).str();
  }
  nlohmann::ordered_json read_json(const std::string& name) const {
    return nlohmann::ordered_json::parse(read(name));
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }

 private:
  std::filesystem::path directory_;
};

// One cell, decided within milliseconds: this lock fails without any fault.
inline const std::string one_cell = " set-nx-px-as-printed --faults none --attempts 1 ";
inline const std::string compare_one_cell = "compare --only" + one_cell;
inline const std::string its_trace = "holdfast-out/set-nx-px-as-printed+none+mutual-exclusion.trace.json";

// Real time differs from run to run; nothing else does.
inline std::string without_seconds(const std::string& text) {
  std::string kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find("\"seconds\": ") == std::string::npos) kept += line + "\n";
  return kept;
}

}  // namespace holdfast::cli
