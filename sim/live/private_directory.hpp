// A directory for sockets, closed to other users. It is gone with its owner: a process that was killed leaves
// it behind, and the next one that needs a directory removes it.
#pragma once

#include <cstddef>
#include <string>

namespace holdfast::live {

class PrivateDirectory {
 public:
  // Throws std::system_error.
  PrivateDirectory();
  ~PrivateDirectory();
  PrivateDirectory(const PrivateDirectory&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;  // held for as long as any process of the owner's lives
};

// Removes the directories whose owners are gone. Returns how many there were.
std::size_t remove_abandoned_directories();

}  // namespace holdfast::live
