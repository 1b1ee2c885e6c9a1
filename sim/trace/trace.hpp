// The trace of one run: append-only, read by checkers and reports, the same for simulated and live runs.
#pragma once

#include <string>
#include <vector>

#include "sim/trace/digest.hpp"
#include "sim/trace/event.hpp"

namespace holdfast {

// Hears every event as it happens.
class Observer {
 public:
  // `hears`: events of other kinds need not be shown to it.
  explicit Observer(EventKinds hears = all_events) : hears_(hears) {}
  virtual ~Observer() = default;
  virtual void on(const Event& event) = 0;
  EventKinds hears() const { return hears_; }

 private:
  EventKinds hears_;
};

class Trace {
 public:
  // `recording` keeps the events and their texts; without it, observers hear events whose texts are left
  // empty.
  explicit Trace(bool recording) : recording_(recording) {}

  bool is_recording() const { return recording_; }
  void subscribe(Observer& observer) {
    observers_.push_back(&observer);
    wanted_ |= observer.hears();
  }
  // Whether an observer takes events of this kind; else none need be made.
  template <class Kind>
  bool wants() const {
    return recording_ || (wanted_ & events_of<Kind>()) != 0;
  }
  void emit(Event event);
  const std::vector<Event>& events() const { return events_; }

 private:
  bool recording_;
  EventKinds wanted_ = 0;
  std::vector<Event> events_;
  std::vector<Observer*> observers_;
};

// Equal for two traces exactly when every event is equal, source lines aside.
Digest fingerprint(const std::vector<Event>& events);

}  // namespace holdfast
