// Events in plain words. The only place where events become words, for diagrams, stories and tables.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/words.hpp"
#include "sim/trace/event.hpp"

namespace holdfast::reports {

// As findings write them: "1s", "30.4ms".
inline std::string words_for(Duration duration) { return to_text(duration); }
inline std::string words_for(Instant at) { return to_text(at.time_since_epoch()); }

// "OK", "nil", "1", "“text”" without its quotes; an array in brackets.
std::string words_for(const Reply& reply, const Words& words = english);

// A request on one line: words with spaces or none at all are quoted. In the place of a script stands what it
// does (script_names.hpp), or "script".
std::string words_for(const std::vector<std::string>& argv, const Words& words = english);
// The same for pictures, shorter: "delete if mine: job A1".
std::string label_for(const std::vector<std::string>& argv, const Words& words);
// The text of a script, and not its digest.
bool sends_script(const Sent& sent);

// What to write on a message that arrives when other things happened since it was sent. `label` is empty
// where the picture has shown already what was sent.
std::string words_since(std::string_view label, Step sent);

// The kind of an event, as trace files call it: "granted", "key-changed".
std::string_view kind_of(const Event& event);
// All of them, in the order of What.
std::span<const std::string_view> event_kinds();

struct StepView;

class Narrator {
 public:
  // Remembers which message carries which request. `events` must outlive the narrator.
  Narrator(const std::vector<Event>& events, StoreKind store, Language language = Language::en);

  // One sentence with subject and verb, without time: "A believes that it holds the lock."
  std::string sentence(const Event& event) const;
  // All of a step: "At 1s A gets its answer: OK. A believes that it holds the lock."
  std::string sentences(const StepView& step) const;
  // A few words for a place that already shows the client: "believes it holds". Empty: the picture shows it.
  std::string label(const Event& event) const;
  std::string called(Actor actor) const;
  std::string called(NodeId node) const;
  const Words& words() const { return *words_; }
  // The request that a message carries, or nullptr.
  const Sent* sent(MessageId message) const;

 private:
  const Words* words_;
  StoreKind store_;
  std::map<MessageId, const Sent*> sent_;
};

}  // namespace holdfast::reports
