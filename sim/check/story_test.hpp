// Traces told in words, for tests: Story("A acquiring; A creates; A granted; 3s; key expires; B acquiring").
//
// Statements are separated by ';'. "3s" sets the time; every other statement is one event and one step. "A"
// is client A's latest acquisition, "A1" its first (at most 9). The story keeps the truth: whose command
// wrote the key that stands there.
//   A acquiring|granted [shared] [until 4s] [fence 3]
//   A refused|works|reads|writes|write-refused|belief-ends|releasing
//   A released|not-held|unknown                  A crashed|finished|paused
//   A gives-up|leaves
//   A again|refused-again|released-again         A fetches|stores
//   A begins-job|ends-job|leaves-period [period 2]
//   A joins|withdraws: beside what stands there
//   A creates|overwrites [until 4s], A removes, A touches [until 4s]   key expires, key lost
//   P calm (P is the probe), A stuck, A comes-back           ended
#pragma once

#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/check/checker.hpp"

namespace holdfast {

class Story {
 public:
  explicit Story(const std::string& text) {
    std::istringstream statements(text);
    for (std::string statement; std::getline(statements, statement, ';');) tell(statement);
  }
  // By value: a range-for over Story(…).events() outlives the story.
  std::vector<Event> events() && { return std::move(events_); }

 private:
  void tell(const std::string& statement) {
    std::istringstream stream(statement);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (words.empty()) return;
    if (const auto time = parse_duration(words[0])) {
      now_ = Instant(*time);
      return;
    }
    mode_ = Mode::exclusive;
    until_ = never;
    fence_.reset();
    period_ = 0;
    for (std::size_t i = 2; i < words.size(); ++i) {
      if (words[i] == "shared") mode_ = Mode::shared;
      else if (words[i] == "until") until_ = Instant(parse_duration(words.at(++i)).value());
      else if (words[i] == "period") period_ = static_cast<std::uint32_t>(std::stoul(words.at(++i))) - 1;
      else if (words[i] == "fence") fence_ = std::stoull(words.at(++i));
      else throw std::invalid_argument(words[i]);
    }
    if (words[0] == "ended") return add(Ended{});
    if (words[0] == "key") return change(words.at(1), Acquisition{});
    const ClientId client{static_cast<std::uint32_t>(words[0][0] - 'A')};
    if (words.at(1) == "acquiring") ++latest_[client.value];
    const bool has_number = words[0].size() > 1;
    const auto number = has_number ? static_cast<std::uint32_t>(words[0][1] - '0') : latest_[client.value];
    act(words[1], Acquisition{client, number});
  }

  void act(const std::string& verb, Acquisition who) {
    if (verb == "acquiring") add(Acquiring{who, "job", mode_});
    else if (verb == "granted") add(Granted{who, mode_, until_, fence_, ""});
    else if (verb == "refused") add(Refused{who, Attempt::Kind::refused, ""});
    else if (verb == "works") add(Working{who, 1s});
    else if (verb == "reads") add(Read{who, true});
    else if (verb == "writes") add(Wrote{who, true});
    else if (verb == "write-refused") add(Wrote{who, false});
    else if (verb == "belief-ends") add(BeliefEnded{who});
    else if (verb == "releasing") add(Releasing{who});
    else if (verb == "released") add(Released{who, Release::released});
    else if (verb == "not-held") add(Released{who, Release::not_held});
    else if (verb == "unknown") add(Released{who, Release::unknown});
    else if (verb == "again") add(AcquiredAgain{who, Attempt::Kind::granted, ""});
    else if (verb == "refused-again") add(AcquiredAgain{who, Attempt::Kind::refused, ""});
    else if (verb == "released-again") add(ReleasedAgain{who, Release::released});
    else if (verb == "fetches") add(Fetching{who, 1s});
    else if (verb == "stores") add(Stored{who});
    else if (verb == "begins-job") add(JobBegun{who, period_, 1s});
    else if (verb == "ends-job") add(JobDone{who, period_});
    else if (verb == "leaves-period") add(PeriodOver{who.client, period_});
    else if (verb == "crashed") add(Crashed{who.client});
    else if (verb == "finished") add(Finished{who.client, ""});
    else if (verb == "gives-up") add(GaveUp{MessageId{1}, who});
    else if (verb == "paused") add(Paused{who.client});
    else if (verb == "leaves") add(Left{who});
    else if (verb == "calm") add(Calm{who.client, 15s});
    else if (verb == "stuck") add(Stuck{who});
    else if (verb == "comes-back") add(CameBack{who.client, 10s});
    else if (verb == "loses-server") add(Partitioned{who.client, NodeId{0}, never, true, true});
    else change(verb, who);
  }

  // Another part of the value than its owner's.
  void write_beside(const std::string& verb, Acquisition by) {
    const bool joins = verb == "joins";
    add(KeyChanged{NodeId{0}, "job", KeyChanged::Kind::overwritten, by, joins ? Acquisition{} : by,
                   joins ? by : writer_, "", until_});
  }

  void change(const std::string& verb, Acquisition by) {
    if (verb == "joins" || verb == "withdraws") return write_beside(verb, by);
    static const std::map<std::string, KeyChanged::Kind> kinds{{"creates", KeyChanged::Kind::created},
                                                               {"overwrites", KeyChanged::Kind::overwritten},
                                                               {"removes", KeyChanged::Kind::removed},
                                                               {"touches", KeyChanged::Kind::ttl_changed},
                                                               {"takes-out", KeyChanged::Kind::overwritten},
                                                               {"expires", KeyChanged::Kind::expired},
                                                               {"lost", KeyChanged::Kind::lost}};
    const KeyChanged::Kind kind = kinds.at(verb);
    const bool is_write = verb == "creates" || verb == "overwrites";
    if (writer_.is_nobody() != (verb == "creates"))
      throw std::invalid_argument(verb + ": no such key, or one already");
    const Acquisition after = is_write ? by : verb == "touches" ? writer_ : Acquisition{};
    add(KeyChanged{NodeId{0}, "job", kind, by, writer_, after, "", until_});
    writer_ = after;
  }

  void add(What what) { events_.push_back(Event{Step{++step_}, now_, Actor{}, std::move(what)}); }

  std::vector<Event> events_;
  std::map<std::uint32_t, std::uint32_t> latest_;
  Acquisition writer_;
  Instant now_{};
  std::uint32_t step_ = 0;
  Mode mode_ = Mode::exclusive;
  Instant until_ = never;
  std::optional<std::uint64_t> fence_;
  std::uint32_t period_ = 0;
};

// How stories begin.
inline const std::string a_holds = "A acquiring; A creates; 1s; A granted; ";
inline const std::string a_expired_b_holds =
    a_holds + "4s; key expires; B acquiring; B creates; 5s; B granted; ";

}  // namespace holdfast
