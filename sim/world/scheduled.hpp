// What is going to happen in a world.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/clock.hpp"
#include "sim/trace/digest.hpp"
#include "sim/trace/event.hpp"

namespace holdfast {

// One thing that is going to happen: at any tick from `earliest` to `latest`.
struct Scheduled {
  enum class Kind : std::uint8_t {
    start,    // a client begins its program
    request,  // a request arrives
    reply,    // an answer arrives
    timeout,  // a client gives up waiting for an answer
    wake,     // a sleep ends
    send,     // a request leaves: only where a fault may still strike before
    resume,   // a pause ends
    heal,     // a cut ends
  };
  Kind kind = Kind::start;
  bool is_work = false;    // of a wake: the end of work or fetching under the lock
  bool is_struck = false;  // a fault has moved it: none of its kind does so again
  ClientId client;
  Instant earliest;
  Instant latest;
  MessageId message{};
  std::uint32_t slot = 0;  // of the message; of a heal: the number of the cut
  Sleep* sleep = nullptr;
  std::uint64_t number = 0;  // in the order of scheduling
  Digest digest = {};        // as its client's part of the state was last made of it

  // The client goes on with it, so a pause holds it up.
  bool resumes_client() const {
    return kind == Kind::reply || kind == Kind::timeout || kind == Kind::wake || kind == Kind::send;
  }
  bool is_of_message() const {
    return kind == Kind::request || kind == Kind::reply || kind == Kind::timeout || kind == Kind::send;
  }
  bool travels() const { return kind == Kind::request || kind == Kind::reply; }
};

// Time that has passed before something may happen.
struct Passage {
  Duration length{};
  bool is_plain = true;           // nothing else has happened: no key expired, no belief ended
  bool is_something_due = false;  // now
};

// What is not due yet in a timed run, where everything happens at one instant: a heap, from which any entry
// can be taken away.
class Agenda {
 public:
  // Names an entry until it is taken.
  using Handle = std::uint32_t;
  static constexpr Handle none = ~Handle{0};

  Handle add(const Scheduled& what) {
    if (free_.empty()) {
      free_.push_back(static_cast<Handle>(entries_.size()));
      entries_.emplace_back();
    }
    const Handle handle = free_.back();
    free_.pop_back();
    entries_[handle].what = what;
    heap_.push_back({what.earliest, what.number, handle});
    rise(heap_.size() - 1);
    return handle;
  }
  // `never` when there is none.
  Instant next() const { return heap_.empty() ? never : heap_.front().at; }
  // The next one, the older of two at one instant. REQUIRES: there is one.
  std::pair<Handle, Scheduled> take() {
    const Handle handle = heap_.front().handle;
    remove(handle);
    return {handle, entries_[handle].what};
  }
  Scheduled& at(Handle handle) { return entries_[handle].what; }
  const Scheduled& at(Handle handle) const { return entries_[handle].what; }
  // False: there is none like that.
  template <class Predicate>
  bool remove_first(const Predicate& is_it) {
    const auto found = std::find_if(heap_.begin(), heap_.end(),
                                    [&](const Key& key) { return is_it(entries_[key.handle].what); });
    if (found == heap_.end()) return false;
    remove(found->handle);
    return true;
  }
  void remove(Handle handle) {
    const std::size_t place = entries_[handle].place;
    const Key last = heap_.back();
    heap_.pop_back();
    free_.push_back(handle);
    if (place == heap_.size()) return;
    put(place, last);
    rise(place);
    sink(entries_[last.handle].place);
  }

 private:
  struct Key {
    Instant at;
    std::uint64_t number;
    Handle handle;
    bool operator<(const Key& other) const { return at != other.at ? at < other.at : number < other.number; }
  };
  struct Entry {
    Scheduled what;
    std::size_t place = 0;  // in the heap
  };
  static constexpr std::size_t branches = 4;

  void put(std::size_t place, const Key& key) {
    heap_[place] = key;
    entries_[key.handle].place = place;
  }
  void rise(std::size_t place) {
    const Key key = heap_[place];
    for (; place > 0 && key < heap_[(place - 1) / branches]; place = (place - 1) / branches)
      put(place, heap_[(place - 1) / branches]);
    put(place, key);
  }
  void sink(std::size_t place) {
    const Key key = heap_[place];
    for (;;) {
      const std::size_t child = std::min(branches * place + 1, heap_.size());
      const auto first = heap_.begin() + static_cast<std::ptrdiff_t>(child);
      const auto last = first + std::min<std::ptrdiff_t>(branches, heap_.end() - first);
      const auto least = std::min_element(first, last);
      if (least == last || key < *least) break;
      put(place, *least);
      place = static_cast<std::size_t>(least - heap_.begin());
    }
    put(place, key);
  }

  std::vector<Key> heap_;
  std::vector<Entry> entries_;
  std::vector<Handle> free_;
};

}  // namespace holdfast
