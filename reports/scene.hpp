// The content of a picture of a run, before it is drawn: lanes, rows, messages, bars and notes. The same for
// every output.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/story.hpp"
#include "reports/timeline.hpp"
#include "sim/check/result.hpp"

namespace holdfast::reports {

struct Scene {
  // A step of the run; `row` elsewhere is an index into the list of them.
  struct Row {
    Step step;
    Instant at;
    Actor actor;
  };
  // A request or an answer, from where it leaves to where it arrives.
  struct Message {
    MessageId id;
    bool is_reply = false;
    Actor from;
    Actor to;
    std::size_t sent = 0;                // row
    std::optional<std::size_t> arrived;  // row; empty: it is lost, or still on its way when the run ends
    bool is_lost = false;
    bool is_late = false;
    bool is_ignored = false;  // arrived after its client stopped waiting
    std::string label;
  };
  // What happens at one place; everything that one step brings there is one note.
  struct Note {
    std::size_t row = 0;
    Actor on;
    std::string text;
    bool is_fault = false;
  };
  // Something that is so from after the row `begin` until after the row `end`, or to the end of the run: then
  // `end` is the number of rows.
  struct Span {
    enum class Kind : std::uint8_t {
      believes,  // the client believes that it holds
      named,     // the store names the client as the holder
      stopped,   // the client is paused
      absent,    // the client has crashed, and is not back yet
      slow,      // the work under the lock takes too long
      key,       // a key of a lock stands in the node, written by `owner`
      clash,     // two beliefs exclude each other; on no lane
    };
    Kind kind;
    Actor on;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::optional<ClientId> owner;
    std::string label;
  };

  // A client writes to the guarded resource, or reads it.
  struct Access {
    std::size_t row = 0;
    ClientId client;
    bool is_read = false;
    bool is_accepted = true;
    bool is_wrong = false;  // a finding is about this one
  };

  std::string name_of(Actor actor) const {
    const bool is_server =
        actor.kind != Actor::Kind::node ||
        std::find(cast.nodes.begin(), cast.nodes.end(), NodeId{actor.index}) != cast.nodes.end();
    return is_server ? holdfast::name_of(actor, cast.store) : folded_name;
  }

  const Words* words = &english;
  Cast cast;
  std::vector<Actor> lanes;  // from left to right: half of the clients, the nodes, the other clients
  std::size_t left = 0;      // how many clients are left of the nodes
  std::vector<Row> rows;
  std::vector<Message> messages;
  std::vector<Note> notes;
  std::vector<Span> spans;
  std::vector<Access> accesses;        // none, unless a finding is about what the resource sees
  std::vector<Duration> wall_offsets;  // by client index: its wall clock shows true time plus this
  // Where the first finding's two events are, and after which row every continuation violates.
  std::optional<std::size_t> clash_from;
  std::optional<std::size_t> clash_to;
  std::optional<std::size_t> no_return;
  // Where servers are folded: the name of their lane, and the rows in which only they do something.
  std::string folded_name;
  std::vector<bool> is_minor;
};

// `servers`: as for cast_of().
Scene scene_of(const Counterexample& example, Language language = Language::en, std::size_t servers = 0);
// The same with one lane for all servers that do not matter; none, where all do.
std::optional<Scene> folded(const Scene& scene);

}  // namespace holdfast::reports
