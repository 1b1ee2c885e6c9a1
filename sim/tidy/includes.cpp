// Which room may include which: the table of rooms, and the homes of third-party headers.
#include <algorithm>
#include <array>
#include <span>

#include "sim/tidy/rules.hpp"

namespace holdfast::tidy {
namespace {

using Names = std::vector<std::string_view>;

struct Room {
  std::string_view path;
  Names may_include;  // besides itself
};
// The table of sim/README.md. "" is everything.
const std::array rooms{
    Room{"algorithms/", {"sim/core/"}},
    Room{"sim/core/", {}},
    Room{"sim/trace/", {"sim/core/"}},
    Room{"sim/choose/", {"sim/core/", "sim/trace/"}},
    Room{"sim/stores/redis/", {"sim/core/"}},
    Room{"sim/stores/shdict/", {"sim/core/"}},
    Room{"sim/stores/sql/", {"sim/core/"}},
    Room{"sim/stores/etcd/", {"sim/core/"}},
    Room{"sim/stores/zookeeper/", {"sim/core/"}},
    Room{"sim/stores/",
         {"sim/core/", "sim/stores/redis/", "sim/stores/shdict/", "sim/stores/sql/", "sim/stores/etcd/",
          "sim/stores/zookeeper/"}},
    Room{"sim/guest/", {"sim/core/"}},
    Room{"sim/process/", {"sim/core/", "sim/guest/", "sim/stores/redis/"}},
    Room{"sim/scenario/", {"sim/core/"}},
    Room{"sim/world/", {"sim/core/", "sim/trace/", "sim/choose/", "sim/stores/", "sim/scenario/"}},
    Room{"sim/check/", {"sim/core/", "sim/trace/"}},
    Room{"sim/explore/",
         {"sim/core/", "sim/trace/", "sim/choose/", "sim/stores/", "sim/scenario/", "sim/world/",
          "sim/check/"}},
    Room{"sim/ranks/", {"sim/explore/"}},
    Room{"sim/live/", {"sim/core/", "sim/trace/", "sim/stores/etcd/", "sim/stores/zookeeper/"}},
    Room{"sim/serve/", {"sim/core/", "sim/stores/redis/", "sim/scenario/", "sim/live/"}},
    Room{"sim/web/", {}},
    Room{"sim/cli/", {""}},
    Room{"reports/", {"sim/core/", "sim/trace/", "sim/check/", "sim/scenario/"}},
    Room{"bench/", {""}},
    Room{"sim/tidy/", {}},
};

struct Library {
  std::string_view header;  // how its headers begin
  Names homes;              // "" is everywhere; tests may always
};
const std::array libraries{
    Library{"mpi.h", {"sim/ranks/"}},
    Library{"dlfcn.h", {"sim/cli/", "sim/live/"}},
    Library{"hiredis/", {"sim/live/"}},
    Library{"event2/", {"sim/web/"}},
    Library{"lua", {"sim/stores/redis/", "sim/guest/"}},  // luajit.h, lua.h, lualib.h, lua.hpp
    Library{"lauxlib.h", {"sim/stores/redis/"}},
    Library{"tsl/", {"sim/stores/redis/", "sim/explore/"}},  // hash tables: robin-map
    Library{"nlohmann/", {"sim/scenario/", "reports/", "sim/cli/", "sim/live/"}},
    Library{"kainjow/", {"reports/"}},  // templates: mustache
    Library{"CLI/", {"sim/cli/"}},
    Library{"xxhash.h", {"sim/trace/"}},
    Library{"fmt/", {""}},
    Library{"benchmark/", {"bench/"}},
    Library{"gtest/", {}},
    Library{"gmock/", {}},
    Library{"rapidcheck", {}},
    // The operating system: processes, sockets, signals, terminals, memory: an arena at a fixed address, a
    // stack of copies of it, what several processes share, and what is held at night.
    Library{"sys/mman.h", {"sim/core/", "sim/live/"}},
    Library{"sys/resource.h", {"sim/core/", "sim/live/", "sim/cli/", "sim/process/"}},
    Library{"malloc.h", {"bench/", "sim/guest/"}},
    Library{"sys/", {"sim/live/", "sim/web/", "sim/cli/", "sim/process/"}},
    Library{"linux/", {"sim/process/"}},
    Library{"elf.h", {"sim/process/"}},
    Library{"dirent.h", {"sim/process/"}},
    Library{"sched.h", {"sim/process/"}},
    Library{"time.h", {"sim/process/"}},
    Library{"unistd.h", {"sim/live/", "sim/web/", "sim/cli/", "sim/process/", "sim/ranks/"}},
    Library{"fcntl.h", {"sim/live/", "sim/cli/", "sim/process/"}},
    Library{"poll.h", {"sim/live/", "sim/process/", "sim/ranks/"}},
    Library{"arpa/inet.h", {"sim/live/", "sim/web/"}},
    Library{"netinet/", {"sim/live/", "sim/web/"}},
    Library{"signal.h", {"sim/live/", "sim/web/", "sim/cli/", "sim/process/", "sim/ranks/"}},
    Library{"spawn.h", {"sim/live/", "sim/cli/"}},
    Library{"stdlib.h", {"sim/live/"}},
    Library{"termios.h", {"sim/cli/"}},
    Library{"fnmatch.h", {"sim/cli/"}},
    Library{"strings.h", {"sim/stores/redis/", "sim/cli/"}},
};

bool begins_with_any(std::string_view text, const Names& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) { return text.starts_with(prefix); });
}

std::string list_of(const Names& names) {
  std::string list;
  for (const std::string_view name : names)
    list.append(list.empty() ? "" : ", ").append(name.empty() ? "anything" : name);
  return list.empty() ? "nothing else" : list;
}

void check_own(const Source& source, std::string_view header, std::size_t line, Findings& findings) {
  const auto room_of = [](std::string_view path) {
    return std::find_if(rooms.begin(), rooms.end(),
                        [&](const Room& room) { return path.starts_with(room.path); });
  };
  const auto theirs = room_of(header);
  if (theirs == rooms.end()) {
    findings.add(line, "include-path", "write the path from the root of the project: \"sim/core/units.hpp\"");
    return;
  }
  const auto ours = room_of(source.path);
  if (ours == rooms.end()) {
    findings.add(line, "include-room", "this directory is no room: give it a row in sim/tidy/includes.cpp");
    return;
  }
  // A room within a room is another one.
  const auto is_theirs = [&](std::string_view room) { return room.empty() || room == theirs->path; };
  if (ours == theirs || std::any_of(ours->may_include.begin(), ours->may_include.end(), is_theirs)) return;
  findings.add(line, "include-room",
               std::string(ours->path) + " may include itself and " + list_of(ours->may_include));
}

void check_library(const Source& source, std::string_view header, std::size_t line, Findings& findings) {
  // The headers of the C++ library have no dot and no directory.
  if (header.find_first_of("./") == header.npos) return;
  const auto library = std::find_if(libraries.begin(), libraries.end(),
                                    [&](const Library& it) { return header.starts_with(it.header); });
  if (library == libraries.end()) {
    findings.add(
        line, "new-dependency",
        "give it a row in sim/tidy/includes.cpp and its reason in the decision log of sim/README.md");
  } else if (!begins_with_any(source.path, library->homes)) {
    findings.add(line, "library-home",
                 library->homes.empty() ? "only tests may include this"
                                        : "only at home in " + list_of(library->homes));
  }
}

}  // namespace

void check_includes(const Source& source, Findings& findings) {
  if (is_test(source.path)) return;
  for (const std::size_t index : source.include_lines) {
    const std::string& line = source.lines[index];
    const std::size_t open = line.find_first_of("<\"");
    const std::size_t close = line.find_first_of(">\"", open + 1);
    if (open == line.npos || close == line.npos) continue;
    const std::string_view header = std::string_view(line).substr(open + 1, close - open - 1);
    if (line[open] == '"') check_own(source, header, index + 1, findings);
    else check_library(source, header, index + 1, findings);
  }
}

}  // namespace holdfast::tidy
