#include "sim/live/shared_log.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <system_error>
#include <variant>

namespace holdfast::live {
namespace {

// What is not touched takes no room.
constexpr std::uint64_t entries_most = std::uint64_t{1} << 23;

constexpr EventKinds told =
    events_of<Started, Acquiring, Granted, Refused, Working, SlowSection, Wrote, Releasing, Released>();

template <class... Kinds>
What made_of(const std::variant<Kinds...>*, std::size_t kind) {
  What made;
  std::size_t i = 0;
  ((i++ == kind ? void(made = Kinds()) : void()), ...);
  return made;
}

}  // namespace

// The parts of an event that are numbers, and the beginning of its text.
struct SharedLog::Entry {
  std::atomic<bool> is_written;
  bool deleted;
  std::uint8_t kind;    // as in What
  std::uint8_t detail;  // of the enumeration that the event has
  ClientId client;
  std::uint32_t acquisition;
  std::uint64_t fence;  // of Granted, 0: none
  Duration length;
  Instant at;
  Acquisition by, before, after;  // of KeyChanged
  Instant until;                  // of Granted, KeyChanged: when the lease, or the key, ends
  std::array<char, 64> why;
};

struct SharedLog::Memory {
  std::atomic<std::uint64_t> count;
  std::atomic<std::uint64_t> begun;
  std::atomic<bool> must_end;
  Entry entries[entries_most];
};

SharedLog::SharedLog(std::uint32_t clients)
    : begin_(steady_now()), bytes_(sizeof(Memory) + clients * sizeof(Corner)) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  void* const room =
      ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "no shared memory");
  // Zeros are the beginning of everything that lies there.
  memory_ = static_cast<Memory*>(room);
  corners_ = reinterpret_cast<Corner*>(static_cast<char*>(room) + sizeof(Memory));
  begun_ = &memory_->begun;
  must_end_ = &memory_->must_end;
}

SharedLog::~SharedLog() { ::munmap(memory_, bytes_); }

bool SharedLog::is_full() const { return memory_->count >= entries_most; }

// The time is taken before the place: a client that is stopped between the two is early, and the next ones
// are not late.
void SharedLog::note(const Event& event, bool deleted) {
  const Instant at = now();
  const std::uint64_t place = memory_->count.fetch_add(1);
  if (place >= entries_most) {
    *must_end_ = true;
    return;
  }
  Entry& entry = memory_->entries[place];
  entry.at = at;
  entry.deleted = deleted;
  entry.kind = static_cast<std::uint8_t>(event.what.index());
  std::visit(
      [&](const auto& what) {
        if constexpr (requires { what.acquisition; }) {
          entry.client = what.acquisition.client;
          entry.acquisition = what.acquisition.number;
        } else if constexpr (requires { what.client; }) {
          entry.client = what.client;
        }
        if constexpr (requires { what.probe; }) {
          entry.client = what.probe;
          entry.length = what.bound;
        }
        if constexpr (requires { what.length; }) entry.length = what.length;
        if constexpr (requires { what.before; }) {
          entry.by = what.by;
          entry.before = what.before;
          entry.after = what.after;
          entry.until = what.expires_at;
        }
        if constexpr (requires { what.lease_until; }) entry.until = what.lease_until;
        if constexpr (requires { what.fence; }) entry.fence = what.fence.value_or(0);
        if constexpr (requires { what.kind; }) entry.detail = static_cast<std::uint8_t>(what.kind);
        if constexpr (requires { what.result; }) entry.detail = static_cast<std::uint8_t>(what.result);
        if constexpr (requires { what.why.size(); }) what.why.copy(entry.why.data(), entry.why.size() - 1);
      },
      event.what);
  entry.is_written.store(true, std::memory_order_release);
}

// --- in the process of a client ---

SharedLog::Writer::Writer(SharedLog& log) : Observer(told | events_of<Sent>()), log_(log) {}

void SharedLog::Writer::on(const Event& event) {
  if (const auto* const sent = std::get_if<Sent>(&event.what)) {
    deleted_ |= sent->argv.front() == "DEL";
    return;
  }
  if (const auto* const asking = std::get_if<Acquiring>(&event.what))
    log_.corner(asking->acquisition.client).acquisition = asking->acquisition.number;
  if (const auto* const granted = std::get_if<Granted>(&event.what))
    log_.corner(granted->acquisition.client).is_claiming = true;
  if (const auto* const releasing = std::get_if<Releasing>(&event.what)) {
    log_.corner(releasing->acquisition.client).is_claiming = false;
    deleted_ = false;
  }
  log_.note(event, deleted_);
}

// --- in the end ---

namespace {

// Whose lock a plain DEL removed, as far as that follows from what clients say. The key of a grant is gone
// when its lease is; a client that deletes one later, and is told that there was one, has deleted another's.
class Removals {
 public:
  explicit Removals(const Workload& workload) : workload_(workload), last_(workload.locks) {}

  // Before `event` is shown. `deleted`: a plain DEL was sent since release() was called.
  std::optional<KeyChanged> harm_of(const Event& event, bool deleted) {
    if (const auto* const granted = std::get_if<Granted>(&event.what)) {
      const Holder holder{granted->acquisition, event.at};
      held_[granted->acquisition.client] = last_[workload_.lock_of(granted->acquisition.client)] = holder;
    } else if (const auto* const releasing = std::get_if<Releasing>(&event.what)) {
      // Its own claim is over; another's is met by what it sends from now on.
      const ClientId client = releasing->acquisition.client;
      met_[client] = last_[workload_.lock_of(client)];
      over_[client] = releasing->acquisition;
    } else if (const auto* const released = std::get_if<Released>(&event.what)) {
      return harm_of(*released, deleted);
    }
    return std::nullopt;
  }

 private:
  struct Holder {
    Acquisition acquisition;
    Instant since{};
  };
  std::optional<KeyChanged> harm_of(const Released& what, bool deleted) {
    const ClientId client = what.acquisition.client;
    const Holder met = met_[client];
    const bool is_anothers = !met.acquisition.is_nobody() && met.acquisition.client != client;
    if (!workload_.lease || !deleted || what.result != Release::released || !is_anothers) return {};
    if (over_[met.acquisition.client] == met.acquisition) return {};  // it may have been free by then
    if (met.since <= held_[client].since + *workload_.lease) return {};
    KeyChanged harm;
    harm.kind = KeyChanged::Kind::removed;
    harm.by = what.acquisition;
    harm.before = met.acquisition;
    return harm;
  }

  const Workload& workload_;
  std::vector<Holder> last_;         // of each lock: its latest grant
  std::map<ClientId, Holder> held_;  // of each client: its latest grant
  std::map<ClientId, Holder> met_;   // the owner that its release may meet
  std::map<ClientId, Acquisition> over_;
};

}  // namespace

void SharedLog::tell(Trace& trace, const Workload& workload) const {
  Removals removals(workload);
  Instant latest{};
  std::uint32_t step = 0;
  const std::uint64_t count = std::min<std::uint64_t>(memory_->count, entries_most);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Entry& entry = memory_->entries[i];
    if (!entry.is_written.load(std::memory_order_acquire)) continue;  // its writer was killed
    latest = std::max(latest, entry.at);
    Event event{Step{++step}, latest, actor_of(entry.client),
                made_of(static_cast<const What*>(nullptr), entry.kind)};
    std::visit(
        [&](auto& what) {
          if constexpr (requires { what.acquisition; })
            what.acquisition = Acquisition{entry.client, entry.acquisition};
          else if constexpr (requires { what.client; }) what.client = entry.client;
          if constexpr (requires { what.probe; }) {
            what.probe = entry.client;
            what.bound = entry.length;
          }
          if constexpr (requires { what.length; }) what.length = entry.length;
          if constexpr (requires { what.before; }) {
            event.actor = actor_of(what.node);
            what.by = entry.by;
            what.before = entry.before;
            what.after = entry.after;
            what.expires_at = entry.until;
          }
          if constexpr (requires { what.lease_until; }) what.lease_until = entry.until;
          if constexpr (requires { what.fence; })
            if (entry.fence != 0) what.fence = entry.fence;
          if constexpr (requires { what.kind; }) what.kind = static_cast<decltype(what.kind)>(entry.detail);
          if constexpr (requires { what.result; })
            what.result = static_cast<decltype(what.result)>(entry.detail);
          if constexpr (requires { what.why.size(); }) what.why = entry.why.data();
        },
        event.what);
    if (std::optional<KeyChanged> harm = removals.harm_of(event, entry.deleted))
      trace.emit(Event{event.step, latest, event.actor, *std::move(harm)});
    trace.emit(std::move(event));
  }
}

}  // namespace holdfast::live
