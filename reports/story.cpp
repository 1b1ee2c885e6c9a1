#include "reports/story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "reports/timeline.hpp"

namespace holdfast::reports {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<What>> kind_ids{
    "started",      "acquiring", "granted",       "refused",      "working",      "wrote",
    "belief-ended", "releasing", "released",      "slept",        "finished",     "sent",
    "executed",     "delivered", "gave-up",       "ignored",      "key-changed",  "crashed",
    "paused",       "resumed",   "message-fault", "slow-section", "clock-skewed", "server-restarted",
    "calm",         "ended"};

std::string who(const Acquisition& acquisition) { return name_of(acquisition.client); }

std::string quoted(const std::string& text) { return fmt::format("\"{}\"", text); }

bool is_script_command(std::string_view word) {
  constexpr std::string_view eval = "EVAL";
  return word.size() == eval.size() && std::equal(word.begin(), word.end(), eval.begin(), [](char a, char b) {
           return std::toupper(static_cast<unsigned char>(a)) == b;
         });
}

// "5 s ahead", "5 s behind".
std::string offset_words(Duration offset) {
  return offset < Duration::zero() ? words_for(-offset) + " behind" : words_for(offset) + " ahead";
}

std::string asked(const Sent* sent) {
  return sent && !sent->argv.empty() ? words_for(sent->argv) : "request";
}

std::string with_reason(std::string sentence, const std::string& why) {
  if (why.empty()) return sentence + ".";
  return fmt::format("{}: {}{}", sentence, quoted(why), why.ends_with('.') ? "" : ".");
}

// One function per kind of event; words and times only from the event and from the request that it belongs
// to.
struct Sentence {
  const Narrator& narrator;
  const Actor& actor;

  std::string operator()(const Started& e) const {
    const std::string clock = e.wall_offset == Duration::zero()
                                  ? ""
                                  : fmt::format("; its wall clock is {}", offset_words(e.wall_offset));
    return fmt::format("{} starts{}.", name_of(e.client), clock);
  }
  std::string operator()(const Acquiring& e) const {
    return fmt::format("{} tries to acquire the lock {}{}.", who(e.acquisition), e.key,
                       e.mode == Mode::shared ? ", to share it with other readers" : "");
  }
  std::string operator()(const Granted& e) const {
    const std::string mode = e.mode == Mode::shared ? ", shared" : "";
    const std::string fence = e.fence ? fmt::format(", with the fencing token {}", *e.fence) : "";
    const std::string lease =
        e.lease_until == never ? "" : fmt::format(", until {}", words_for(e.lease_until));
    return fmt::format("{} believes that it holds the lock{}{}{}.", who(e.acquisition), mode, fence, lease);
  }
  std::string operator()(const Refused& e) const {
    const std::string_view outcome =
        e.kind == Attempt::Kind::refused ? "does not get the lock" : "fails to get the lock";
    return with_reason(fmt::format("{} {}", who(e.acquisition), outcome), e.why);
  }
  std::string operator()(const Working& e) const {
    return fmt::format("{} works under the lock for {}.", who(e.acquisition), words_for(e.length));
  }
  std::string operator()(const Wrote& e) const {
    if (!e.accepted) return fmt::format("the resource refuses a write by {}.", who(e.acquisition));
    return fmt::format("{} writes to the guarded resource.", who(e.acquisition));
  }
  std::string operator()(const BeliefEnded& e) const {
    const std::string_view why =
        e.why == Belief::notified ? "is told that the lock is lost" : "sees its own deadline pass";
    return fmt::format("{} {} and no longer believes that it holds the lock.", who(e.acquisition), why);
  }
  std::string operator()(const Releasing& e) const {
    return fmt::format("{} begins to release the lock and no longer believes that it holds it.",
                       who(e.acquisition));
  }
  std::string operator()(const Released& e) const {
    switch (e.result) {
      case Release::released:
        return fmt::format("{} reports that it has released the lock.", who(e.acquisition));
      case Release::not_held:
        return fmt::format("{} reports that the lock was no longer its own.", who(e.acquisition));
      case Release::unknown: break;
    }
    return fmt::format("{} cannot tell whether it has released the lock.", who(e.acquisition));
  }
  std::string operator()(const Slept& e) const {
    return fmt::format("{} waits for {}.", name_of(e.client), words_for(e.length));
  }
  std::string operator()(const Finished& e) const {
    if (e.error.empty()) return fmt::format("{} is finished.", name_of(e.client));
    return with_reason(fmt::format("{} stops with an exception", name_of(e.client)), e.error);
  }
  std::string operator()(const Sent& e) const {
    return fmt::format("{} sends {} to {}.", who(e.acquisition), asked(&e), name_of(e.node));
  }
  std::string operator()(const Executed& e) const {
    return fmt::format("{} carries out the {} of {} and answers {}.", name_of(e.node),
                       asked(narrator.sent(e.message)), who(e.acquisition), words_for(e.reply));
  }
  std::string operator()(const Delivered& e) const {
    return fmt::format("{} gets its answer: {}.", who(e.acquisition), words_for(e.reply));
  }
  std::string operator()(const GaveUp& e) const {
    return fmt::format("{} stops waiting for the answer to {}.", who(e.acquisition),
                       asked(narrator.sent(e.message)));
  }
  std::string operator()(const Ignored& e) const {
    const Sent* sent = narrator.sent(e.message);
    const std::string whom = sent ? who(sent->acquisition) : name_of(actor);
    return fmt::format("an answer to {} arrives, but nobody waits for it any more.", whom);
  }
  std::string operator()(const KeyChanged& e) const {
    const std::string by = e.by.is_nobody() ? "nobody" : who(e.by);
    const std::string whose = e.before.is_nobody() ? ""
                              : !e.by.is_nobody() && e.before.client == e.by.client
                                  ? ", its own"
                                  : ", set by " + who(e.before);
    const std::string until =
        e.expires_at == never ? "without an expiry" : fmt::format("alive until {}", words_for(e.expires_at));
    switch (e.kind) {
      case KeyChanged::Kind::created:
        return fmt::format("{}'s command creates the key {} with {}, {}.", by, e.key, quoted(e.value), until);
      case KeyChanged::Kind::overwritten:
        return fmt::format("{}'s command overwrites the key {}{}, with {}, {}.", by, e.key, whose,
                           quoted(e.value), until);
      case KeyChanged::Kind::removed:
        return fmt::format("{}'s command removes the key {}{}.", by, e.key, whose);
      case KeyChanged::Kind::expired:
        return fmt::format("the key {}{} expires.", e.key, e.before.is_nobody() ? "" : whose + ",");
      case KeyChanged::Kind::lost:
        return fmt::format("the key {}{} is lost.", e.key, e.before.is_nobody() ? "" : whose + ",");
      case KeyChanged::Kind::ttl_changed: break;
    }
    return fmt::format("{}'s command changes the expiry of the key {}{}; it is now {}.", by, e.key, whose,
                       until);
  }
  std::string operator()(const Crashed& e) const {
    return fmt::format("{} crashes and forgets everything.", name_of(e.client));
  }
  std::string operator()(const Paused& e) const {
    return fmt::format("{} is stopped in the middle of what it does.", name_of(e.client));
  }
  std::string operator()(const Resumed& e) const {
    return fmt::format("{} goes on, as if the last {} had not passed.", name_of(e.client),
                       words_for(e.length));
  }
  std::string operator()(const MessageFault& e) const {
    const Sent* sent = narrator.sent(e.message);
    const std::string whose = sent ? who(sent->acquisition) : name_of(actor);
    const std::string what = asked(sent);
    switch (e.fault) {
      case Fault::lost_request: return fmt::format("the {} of {} is lost on its way.", what, whose);
      case Fault::late_request: return fmt::format("the {} of {} will arrive late.", what, whose);
      case Fault::lost_reply:
        return fmt::format("the answer to the {} of {} is lost on its way.", what, whose);
      case Fault::late_reply: return fmt::format("the answer to the {} of {} will arrive late.", what, whose);
      case Fault::duplicate: return fmt::format("the {} of {} is sent twice.", what, whose);
      default: break;
    }
    return fmt::format("the {} of {} meets the fault {}.", what, whose, id_of(e.fault));
  }
  std::string operator()(const SlowSection& e) const {
    return fmt::format("the work of {} under the lock will take too long.", who(e.acquisition));
  }
  std::string operator()(const ClockSkewed& e) const {
    return fmt::format("the wall clock of {} is {}.", name_of(e.client), offset_words(e.offset));
  }
  std::string operator()(const ServerRestarted& e) const {
    return fmt::format("{} restarts and has lost its data.", name_of(e.node));
  }
  std::string operator()(const Calm& e) const {
    return fmt::format("the faults are over; a new client, {}, now tries to get the lock within {}.",
                       name_of(e.probe), words_for(e.bound));
  }
  std::string operator()(const Ended&) const { return "the run is over."; }
};

// What a lane or an arrow of the diagram says. Where a picture shows the event by itself, it says nothing.
struct Label {
  const Narrator& narrator;

  std::string operator()(const Started& e) const {
    return e.wall_offset == Duration::zero() ? "starts" : "starts, clock " + offset_words(e.wall_offset);
  }
  std::string operator()(const Acquiring& e) const { return "wants " + e.key; }
  std::string operator()(const Granted& e) const {
    const std::string fence = e.fence ? fmt::format(", fence {}", *e.fence) : "";
    return "believes it holds" + fence;
  }
  std::string operator()(const Refused& e) const {
    return e.kind == Attempt::Kind::refused ? "not granted" : "attempt failed";
  }
  std::string operator()(const Working& e) const { return "works for " + words_for(e.length); }
  std::string operator()(const Wrote& e) const { return e.accepted ? "writes" : "write refused"; }
  std::string operator()(const BeliefEnded& e) const {
    return e.why == Belief::notified ? "told it is lost" : "own deadline passes";
  }
  std::string operator()(const Releasing&) const { return "releases"; }
  std::string operator()(const Released& e) const {
    switch (e.result) {
      case Release::released: return "reports: released";
      case Release::not_held: return "reports: not mine";
      case Release::unknown: break;
    }
    return "reports: unknown";
  }
  std::string operator()(const Slept& e) const { return "waits " + words_for(e.length); }
  std::string operator()(const Finished& e) const { return e.error.empty() ? "" : "throws: " + e.error; }
  std::string operator()(const Sent& e) const { return asked(&e); }
  std::string operator()(const Executed& e) const { return words_for(e.reply); }
  std::string operator()(const Delivered& e) const { return words_for(e.reply); }
  std::string operator()(const GaveUp&) const { return "gives up waiting"; }
  std::string operator()(const Ignored&) const { return "too late, ignored"; }
  std::string operator()(const KeyChanged& e) const {
    switch (e.kind) {
      case KeyChanged::Kind::expired: return e.key + " expires";
      case KeyChanged::Kind::lost: return e.key + " is lost";
      case KeyChanged::Kind::removed:
        return e.before == e.by ? "" : fmt::format("removes {} of {}", e.key, owner(e.before));
      case KeyChanged::Kind::overwritten:
        return e.before == e.by ? "" : fmt::format("overwrites {} of {}", e.key, owner(e.before));
      case KeyChanged::Kind::ttl_changed:
        return e.before == e.by ? "" : fmt::format("changes expiry of {}'s {}", owner(e.before), e.key);
      case KeyChanged::Kind::created: break;
    }
    return "";
  }
  std::string operator()(const Crashed&) const { return "crashes"; }
  std::string operator()(const Paused&) const { return "is stopped"; }
  std::string operator()(const Resumed& e) const { return "goes on after " + words_for(e.length); }
  std::string operator()(const MessageFault& e) const {
    return e.fault == Fault::lost_request || e.fault == Fault::lost_reply ? "lost" : "late";
  }
  std::string operator()(const SlowSection&) const { return "slow work"; }
  std::string operator()(const ClockSkewed& e) const { return "clock " + offset_words(e.offset); }
  std::string operator()(const ServerRestarted&) const { return "restarts, data lost"; }
  std::string operator()(const Calm&) const { return "faults are over"; }
  std::string operator()(const Ended&) const { return ""; }

  static std::string owner(const Acquisition& acquisition) {
    return acquisition.is_nobody() ? "nobody" : who(acquisition);
  }
};

}  // namespace

std::string words_for(const Reply& reply) {
  switch (reply.kind()) {
    case Reply::Kind::nil: return "nil";
    case Reply::Kind::integer: return std::to_string(reply.number());
    case Reply::Kind::error: return "error " + reply.text();
    case Reply::Kind::lost: return "no answer";
    case Reply::Kind::status:
    case Reply::Kind::bulk: return reply.text().empty() ? "\"\"" : reply.text();
    case Reply::Kind::array: break;
  }
  std::string list;
  for (const Reply& element : reply.elements()) list += (list.empty() ? "" : " ") + words_for(element);
  return "[" + list + "]";
}

std::string words_for(const std::vector<std::string>& argv) {
  std::string line;
  for (std::size_t i = 0; i < argv.size(); ++i) {
    const bool is_script = i == 1 && is_script_command(argv[0]);
    const bool needs_quotes = argv[i].empty() || argv[i].find(' ') != std::string::npos;
    line += (i == 0 ? "" : " ") + (is_script ? "script" : needs_quotes ? quoted(argv[i]) : argv[i]);
  }
  return line;
}

std::string words_since(std::string_view label, Step sent) {
  return fmt::format("{}{}(step {})", label, label.empty() ? "" : " ", sent.value);
}

std::string_view kind_of(const Event& event) { return kind_ids[event.what.index()]; }

std::span<const std::string_view> event_kinds() { return kind_ids; }

Narrator::Narrator(const std::vector<Event>& events) {
  for (const Event& event : events)
    if (const Sent* sent = std::get_if<Sent>(&event.what)) sent_.emplace(sent->message, sent);
}

std::string Narrator::sentence(const Event& event) const {
  return std::visit(Sentence{*this, event.actor}, event.what);
}

std::string Narrator::sentences(const StepView& step) const {
  std::string text = fmt::format("At {}", words_for(step.at));
  for (const Event* event : step.events) {
    std::string next = sentence(*event);
    const bool is_first = event == step.events.front();
    if (!is_first && next.starts_with("the ")) next[0] = 'T';
    text += " " + next;
  }
  return text;
}

std::string Narrator::label(const Event& event) const { return std::visit(Label{*this}, event.what); }

const Sent* Narrator::sent(MessageId message) const {
  const auto found = sent_.find(message);
  return found == sent_.end() ? nullptr : found->second;
}

}  // namespace holdfast::reports
