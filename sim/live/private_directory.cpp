#include "sim/live/private_directory.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace holdfast::live {
namespace {

constexpr std::string_view name_begin = "holdfast-live-";

// A lock on a directory ends with the last process that has it open, however that ends (flock(2)).
int open_directory(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

void remove(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

}  // namespace

PrivateDirectory::PrivateDirectory() {
  [[maybe_unused]] static const std::size_t removed = remove_abandoned_directories();
  // Another process that removes what is abandoned may be faster than our lock; then another is made.
  do {
    if (lock_ >= 0) ::close(lock_);
    path_ = (std::filesystem::temp_directory_path() / std::string(name_begin).append("XXXXXX")).string();
    if (::mkdtemp(path_.data()) == nullptr)
      throw std::system_error(errno, std::generic_category(), "cannot create " + path_);
    lock_ = open_directory(path_);
    if ((lock_ < 0 && errno != ENOENT) || (lock_ >= 0 && ::flock(lock_, LOCK_EX) != 0))
      throw std::system_error(errno, std::generic_category(), "cannot lock " + path_);
  } while (!std::filesystem::exists(path_));
}

PrivateDirectory::~PrivateDirectory() {
  remove(path_);
  ::close(lock_);
}

std::size_t remove_abandoned_directories() {
  std::size_t removed = 0;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::temp_directory_path(), ignored)) {
    if (!entry.path().filename().string().starts_with(name_begin)) continue;
    const int directory = open_directory(entry.path().string());
    if (directory < 0) continue;  // another user's
    if (::flock(directory, LOCK_EX | LOCK_NB) == 0) {
      remove(entry.path().string());
      ++removed;
    }
    ::close(directory);
  }
  return removed;
}

}  // namespace holdfast::live
