// A program of any language that is a lock: its command, the runs of it, and its card.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/lock.hpp"
#include "sim/guest/histories.hpp"
#include "sim/process/guest.hpp"
#include "sim/process/tree.hpp"
#include "sim/process/wire.hpp"

namespace holdfast::process {

struct Command {
  std::string id;                  // of its card
  std::vector<std::string> words;  // what is executed
  std::string summary;
  std::optional<std::uint32_t> nodes = {};    // how many servers it uses; told as HOLDFAST_NODES. Empty: one
  std::vector<std::string> environment = {};  // "NAME=value", besides
  std::string directory = {};                 // where it begins; empty: where we are
  // How much time has passed, from the beginning, whether it seems to matter or not.
  bool is_told_time = false;
  const Protocol* protocol = &resp;           // of its drivers
};

// What its runs did so far.
struct Observed {
  std::map<int, std::uint64_t> calls = {};  // by system call, but for native ones
  std::set<std::string> written = {};       // files that it wanted to write
  bool has_threads = false;
  bool has_ioredis = false;  // it loads this library
};

// One run of it. The guest ends first.
struct Running {
  std::shared_ptr<void> tree;
  std::unique_ptr<Guest> guest;
};

class Program {
 public:
  // `environment`: of this process, "NAME=value".
  Program(Command command, std::vector<std::string> environment);
  ~Program();
  Program(const Program&) = delete;
  const Card& card() const { return card_; }
  const Command& command() const { return command_; }
  guest::Histories::Statistics statistics() const { return histories_.back()->statistics(); }
  // It begins processes of its runs by itself, or is executed for each. Known once it ran.
  bool is_zygote() const { return is_zygote_; }
  guest::TimeToTell time_to_tell() const { return time_; }
  const guest::Histories& histories() const { return *histories_.back(); }
  // From now on it is told more of the time; false: it is told all. REQUIRES: it does not run.
  bool tell_more_time();
  // From now on no time and no order of replies stands for another. REQUIRES: it has not run, and no lock of
  // its card was made.
  void tell_every_time();

  // From now on it is explored with texts that repeat, if they were found to; false: nothing changes.
  bool let_texts_repeat();

  // When a run ends. REQUIRES: the keeper's thread.
  void note(const Guest& guest);
  // Of the runs that have ended.
  const Observed& observed() const { return observed_; }
  void end_runs() { histories_.back()->end_runs(); }

  // A new run: it waits for its first line. `chance`: see Guest. REQUIRES: the keeper's thread. Throws
  // guest::Unusable.
  Running begin(std::uint64_t chance, std::size_t late, int servers,
                const std::vector<std::string>& parameters);

 private:
  struct Zygote;
  std::unique_ptr<guest::Histories> make_histories(std::vector<std::uint64_t> chances);
  std::shared_ptr<Zygote> zygote_of(int layout, Permissions permissions,
                                    const std::vector<std::string>& environment);

  const Command command_;
  const std::vector<std::string> environment_;
  const std::string usual_nodes_;
  Card card_;
  guest::TimeToTell time_;
  bool tells_every_time_ = false;
  // The last one is used; locks that were made earlier know the others.
  std::vector<std::unique_ptr<guest::Histories>> histories_;
  Observed observed_;
  bool is_zygote_ = false;
  bool has_run_ = false;
  std::map<std::pair<int, std::vector<std::string>>, std::shared_ptr<Zygote>> zygotes_;
};

// Of the programs that were named. Main thread only.
namespace programs {
// The card of the command, which is added once.
const Program& load(Command command, const std::vector<std::string>& environment);
// nullptr: no program has this card.
Program* of(const Card& card);
// Tells each of them more; false: they are told all.
bool tell_more_time();
// Each whose texts repeat is explored with that; false: nothing changes.
bool let_texts_repeat();
}  // namespace programs

}  // namespace holdfast::process
