// Where --resume saves searches: a file for each, in one directory.
#pragma once

#include <string>
#include <vector>

#include "sim/explore/checkpoints.hpp"

namespace holdfast::cli {

class CheckpointFiles final : public Checkpoints {
 public:
  // Throws UserError: no directory that can be written to.
  explicit CheckpointFiles(std::string directory);

  double interval() const override { return 60; }
  // The file is there whole or not at all. Says on stderr when it cannot be written: the search goes on, and
  // the file before stays.
  void save(const Scenario& scenario, const std::string& part,
            const std::function<void(std::ostream&)>& write) override;
  // Throws UserError: another build of holdfast, or another text of the lock, has written it; the lock is a
  // real program, which may have changed.
  std::unique_ptr<std::istream> load(const Scenario& scenario, const std::string& part) override;

 private:
  std::string path_of(const Scenario& scenario, const std::string& part) const;
  // What a file must be continued by: this build, and the texts of the lock, if it has any: its own, and
  // those of these modules.
  std::string first_line(const Scenario& scenario, const std::vector<std::string>& modules) const;

  const std::string directory_;
  std::string program_;  // a digest of it
};

}  // namespace holdfast::cli
