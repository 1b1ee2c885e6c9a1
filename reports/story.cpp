#include "reports/story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "reports/timeline.hpp"
#include "reports/words.hpp"

namespace holdfast::reports {
namespace {

std::string who(const Acquisition& acquisition) { return name_of(acquisition.client); }

std::string offset_words(const Words& words, Duration offset) {
  return offset < Duration::zero() ? say(words.behind, words_for(-offset))
                                   : say(words.ahead, words_for(offset));
}

std::string asked(const Words& words, const Sent* sent) {
  return sent && !sent->argv.empty() ? words_for(sent->argv, words) : std::string(words.some_request);
}

std::string with_reason(const Words& words, const std::string& sentence, const std::string& why) {
  if (why.empty()) return sentence + std::string(words.full_stop);
  return say(words.because, sentence, say(words.quoted, why)) +
         (why.ends_with('.') ? "" : std::string(words.full_stop));
}

// One function per kind of event; words and times only from the event and from the request that it belongs
// to.
struct Sentence {
  const Narrator& narrator;
  const Actor& actor;
  const Words& words = narrator.words();

  std::string operator()(const Started& e) const {
    const bool is_right = e.wall_offset == Duration::zero();
    return say(words.started, name_of(e.client),
               is_right ? "" : say(words.its_clock, offset_words(words, e.wall_offset)));
  }
  std::string operator()(const Acquiring& e) const {
    return say(words.acquiring, who(e.acquisition), e.key, e.mode == Mode::shared ? words.to_share : "");
  }
  std::string operator()(const Granted& e) const {
    return say(words.granted, who(e.acquisition), e.mode == Mode::shared ? words.shared : "",
               e.fence ? say(words.fence, *e.fence) : "",
               e.lease_until == never ? "" : say(words.until, words_for(e.lease_until)));
  }
  std::string operator()(const Refused& e) const {
    const std::string_view outcome = e.kind == Attempt::Kind::refused ? words.refused : words.failed;
    return with_reason(words, say(outcome, who(e.acquisition)), e.why);
  }
  std::string operator()(const Working& e) const {
    return say(words.working, who(e.acquisition), words_for(e.length));
  }
  std::string operator()(const Wrote& e) const {
    return say(e.accepted ? words.wrote : words.write_refused, who(e.acquisition));
  }
  std::string operator()(const BeliefEnded& e) const {
    return say(e.why == Belief::notified ? words.told_lost : words.deadline_passed, who(e.acquisition));
  }
  std::string operator()(const Releasing& e) const { return say(words.releasing, who(e.acquisition)); }
  std::string operator()(const Released& e) const {
    switch (e.result) {
      case Release::released: return say(words.released, who(e.acquisition));
      case Release::not_held: return say(words.not_held, who(e.acquisition));
      case Release::unknown: break;
    }
    return say(words.release_unknown, who(e.acquisition));
  }
  std::string operator()(const Slept& e) const {
    return say(words.slept, name_of(e.client), words_for(e.length));
  }
  std::string operator()(const Finished& e) const {
    if (e.error.empty()) return say(words.finished, name_of(e.client));
    return with_reason(words, say(words.threw, name_of(e.client)), e.error);
  }
  std::string operator()(const Sent& e) const {
    return say(words.sent, who(e.acquisition), asked(words, &e), narrator.called(e.node));
  }
  std::string operator()(const Executed& e) const {
    if (e.reply.is_lost())
      return say(words.executed_waits, narrator.called(e.node), asked(words, narrator.sent(e.message)),
                 who(e.acquisition));
    return say(words.executed, narrator.called(e.node), asked(words, narrator.sent(e.message)),
               who(e.acquisition), words_for(e.reply, words));
  }
  std::string operator()(const Pushed& e) const {
    const Sent* const sent = narrator.sent(e.message);
    if (sent == nullptr)
      return say(words.pushed_message, narrator.called(e.node), who(e.acquisition),
                 words_for(e.reply, words));
    return say(words.pushed_answer, narrator.called(e.node), asked(words, sent), who(e.acquisition),
               words_for(e.reply, words));
  }
  std::string operator()(const Delivered& e) const {
    return say(words.delivered, who(e.acquisition), words_for(e.reply, words));
  }
  std::string operator()(const GaveUp& e) const {
    return say(e.is_repeated ? words.driver_gave_up : words.gave_up, who(e.acquisition),
               asked(words, narrator.sent(e.message)));
  }
  std::string operator()(const Ignored& e) const {
    const Sent* sent = narrator.sent(e.message);
    return say(words.ignored, sent ? who(sent->acquisition) : narrator.called(actor));
  }
  std::string operator()(const KeyChanged& e) const {
    const std::string by = e.by.is_nobody() ? std::string(words.nobody) : who(e.by);
    const bool is_own = !e.by.is_nobody() && !e.before.is_nobody() && e.before.client == e.by.client;
    const std::string whose = e.before.is_nobody() ? ""
                              : is_own             ? std::string(words.own)
                                                   : say(words.set_by, who(e.before));
    const std::string until = e.expires_at == never ? std::string(words.no_expiry)
                                                    : say(words.alive_until, words_for(e.expires_at));
    // In English, what is set in commas ends with one.
    const std::string inserted = whose.empty() || !whose.starts_with(',') ? whose : whose + ",";
    switch (e.kind) {
      case KeyChanged::Kind::created:
        return say(words.key_created, by, e.key, say(words.quoted, e.value), until);
      case KeyChanged::Kind::overwritten:
        return say(words.key_overwritten, by, e.key, whose, say(words.quoted, e.value), until);
      case KeyChanged::Kind::removed: return say(words.key_removed, by, e.key, whose);
      case KeyChanged::Kind::expired: return say(words.key_expired, e.key, inserted);
      case KeyChanged::Kind::lost: return say(words.key_lost, e.key, inserted);
      case KeyChanged::Kind::restored:
        return say(words.key_restored, e.key, inserted,
                   e.after.is_nobody() ? std::string(words.nobody) : who(e.after),
                   say(words.quoted, e.value));
      case KeyChanged::Kind::ttl_changed: break;
    }
    return say(words.ttl_changed, by, e.key, whose, until);
  }
  std::string operator()(const Crashed& e) const { return say(words.crashed, name_of(e.client)); }
  std::string operator()(const Paused& e) const { return say(words.paused, name_of(e.client)); }
  std::string operator()(const Resumed& e) const {
    return say(words.resumed, name_of(e.client), words_for(e.length));
  }
  std::string operator()(const MessageFault& e) const {
    const Sent* sent = narrator.sent(e.message);
    const std::string whose = sent ? who(sent->acquisition) : narrator.called(actor);
    const std::string what = asked(words, sent);
    switch (e.fault) {
      case Fault::lost_request: return say(words.request_lost, whose, what);
      case Fault::late_request: return say(words.request_late, whose, what);
      case Fault::lost_reply: return say(words.reply_lost, whose, what);
      case Fault::late_reply: return say(words.reply_late, whose, what);
      case Fault::partition: return say(words.cut_off_message, whose, what);
      case Fault::duplicate: return say(words.sent_twice, whose, what);
      default: break;
    }
    return say(words.met_fault, whose, what, id_of(e.fault));
  }
  std::string operator()(const SlowSection& e) const { return say(words.slow_section, who(e.acquisition)); }
  std::string operator()(const AcquiredAgain& e) const {
    if (e.kind == Attempt::Kind::granted) return say(words.acquired_again, who(e.acquisition));
    return with_reason(words, say(words.refused_again, who(e.acquisition)), e.why);
  }
  std::string operator()(const ReleasedAgain& e) const {
    return say(words.released_again, who(e.acquisition));
  }
  std::string operator()(const LookedUp& e) const {
    return say(e.is_hit ? words.cache_hit : words.cache_miss, name_of(e.client));
  }
  std::string operator()(const Fetching& e) const {
    return say(words.fetching, who(e.acquisition), words_for(e.length));
  }
  std::string operator()(const Stored& e) const { return say(words.stored, who(e.acquisition)); }
  std::string operator()(const PeriodBegun& e) const {
    return say(words.period_begun, name_of(e.client), e.period + 1);
  }
  std::string operator()(const JobBegun& e) const {
    return say(words.job_begun, who(e.acquisition), e.period + 1, words_for(e.length));
  }
  std::string operator()(const JobDone& e) const {
    return say(words.job_done, who(e.acquisition), e.period + 1);
  }
  std::string operator()(const PeriodOver& e) const {
    return say(words.period_over, name_of(e.client), e.period + 1);
  }
  std::string operator()(const ClockSkewed& e) const {
    return say(words.clock_skewed, name_of(e.client), offset_words(words, e.offset));
  }
  std::string operator()(const ServerClockSet& e) const {
    return say(words.server_clock_set, narrator.called(e.node), offset_words(words, e.offset));
  }
  std::string operator()(const ServerRestarted& e) const {
    return say(words.restarted, narrator.called(e.node));
  }
  std::string operator()(const FailedOver& e) const {
    if (e.lost == 0) return say(words.elected, narrator.called(e.node));
    return say(words.failed_over, narrator.called(e.node), std::to_string(e.lost));
  }
  std::string operator()(const Evicted& e) const {
    return say(words.evicted, narrator.called(e.node), e.key);
  }
  std::string operator()(const SessionEnded& e) const {
    return say(words.session_ended, narrator.called(e.node), e.session);
  }
  std::string operator()(const Partitioned& e) const {
    const std::string_view what = !e.loses_replies    ? words.requests
                                  : !e.loses_requests ? words.answers
                                                      : words.messages;
    const std::string until = e.until == never ? std::string(words.the_end) : words_for(e.until);
    return say(words.partitioned, std::string(what), name_of(e.client), narrator.called(e.node), until);
  }
  std::string operator()(const Cancelled& e) const { return say(words.cancelled, who(e.acquisition)); }
  std::string operator()(const Stuck& e) const { return say(words.stuck, who(e.acquisition)); }
  std::string operator()(const CameBack& e) const {
    return say(words.came_back, name_of(e.client), words_for(e.bound));
  }
  std::string operator()(const Left& e) const { return say(words.left, who(e.acquisition)); }
  std::string operator()(const Read& e) const {
    return say(e.accepted ? words.read : words.read_refused, who(e.acquisition));
  }
  std::string operator()(const ServerRecovered& e) const {
    if (e.lost == 0) return say(words.recovered, narrator.called(e.node));
    return say(words.recovered_without, narrator.called(e.node), std::to_string(e.lost));
  }
  std::string operator()(const Calm& e) const {
    return say(words.calm, name_of(e.probe), words_for(e.bound));
  }
  std::string operator()(const Ended&) const { return std::string(words.ended); }
};

// What a lane or an arrow of the diagram says. Where a picture shows the event by itself, it says nothing.
struct Label {
  const Narrator& narrator;
  const Words& words = narrator.words();

  std::string operator()(const Started& e) const {
    const std::string starts(words.label_started);
    if (e.wall_offset == Duration::zero()) return starts;
    return starts + ", " + say(words.label_clock, offset_words(words, e.wall_offset));
  }
  std::string operator()(const Acquiring& e) const { return say(words.label_wants, e.key); }
  std::string operator()(const Granted& e) const {
    return say(words.label_granted, e.fence ? say(words.label_fence, *e.fence) : "");
  }
  std::string operator()(const Refused& e) const {
    return std::string(e.kind == Attempt::Kind::refused ? words.label_refused : words.label_failed);
  }
  std::string operator()(const Working& e) const { return say(words.label_working, words_for(e.length)); }
  std::string operator()(const Wrote& e) const {
    return std::string(e.accepted ? words.label_wrote : words.label_write_refused);
  }
  std::string operator()(const BeliefEnded& e) const {
    return std::string(e.why == Belief::notified ? words.label_told_lost : words.label_deadline);
  }
  std::string operator()(const Releasing&) const { return std::string(words.label_releasing); }
  std::string operator()(const Released& e) const {
    switch (e.result) {
      case Release::released: return std::string(words.label_released);
      case Release::not_held: return std::string(words.label_not_held);
      case Release::unknown: break;
    }
    return std::string(words.label_unknown);
  }
  std::string operator()(const Slept& e) const { return say(words.label_slept, words_for(e.length)); }
  std::string operator()(const Finished& e) const {
    return e.error.empty() ? "" : say(words.label_threw, e.error);
  }
  std::string operator()(const Sent& e) const {
    return e.argv.empty() ? std::string(words.some_request) : label_for(e.argv, words);
  }
  std::string operator()(const Executed& e) const {
    return e.reply.is_lost() ? std::string(words.label_waits) : words_for(e.reply, words);
  }
  std::string operator()(const Pushed& e) const { return words_for(e.reply, words); }
  std::string operator()(const Delivered& e) const { return words_for(e.reply, words); }
  std::string operator()(const GaveUp& e) const {
    return std::string(e.is_repeated ? words.label_sends_again : words.label_gave_up);
  }
  std::string operator()(const Ignored&) const { return std::string(words.label_ignored); }
  std::string operator()(const KeyChanged& e) const {
    switch (e.kind) {
      case KeyChanged::Kind::expired: return say(words.label_expires, e.key);
      case KeyChanged::Kind::lost: return say(words.label_lost, e.key);
      case KeyChanged::Kind::restored: return say(words.label_restored, e.key);
      case KeyChanged::Kind::created: return "";
      default: break;
    }
    // What is written beside what others have there concerns nobody.
    if (e.before == e.by || (e.before.is_nobody() && e.kind == KeyChanged::Kind::overwritten)) return "";
    const std::string owner = e.before.is_nobody() ? std::string(words.nobody) : who(e.before);
    if (e.kind == KeyChanged::Kind::removed) return say(words.label_removes, e.key, owner);
    if (e.kind == KeyChanged::Kind::overwritten) return say(words.label_overwrites, e.key, owner);
    return say(words.label_expiry, e.key, owner);
  }
  std::string operator()(const Crashed&) const { return std::string(words.label_crashed); }
  std::string operator()(const Paused&) const { return std::string(words.label_paused); }
  std::string operator()(const Resumed& e) const { return say(words.label_resumed, words_for(e.length)); }
  std::string operator()(const MessageFault& e) const {
    if (e.fault == Fault::duplicate) return std::string(words.label_twice);
    const bool is_late = e.fault == Fault::late_request || e.fault == Fault::late_reply;
    return std::string(is_late ? words.label_message_late : words.label_message_lost);
  }
  std::string operator()(const SlowSection&) const { return std::string(words.label_slow); }
  std::string operator()(const AcquiredAgain& e) const {
    const bool is_granted = e.kind == Attempt::Kind::granted;
    return std::string(is_granted ? words.label_acquired_again : words.label_refused_again);
  }
  std::string operator()(const ReleasedAgain&) const { return std::string(words.label_released_again); }
  std::string operator()(const LookedUp& e) const {
    return std::string(e.is_hit ? words.label_cache_hit : words.label_cache_miss);
  }
  std::string operator()(const Fetching& e) const { return say(words.label_fetching, words_for(e.length)); }
  std::string operator()(const Stored&) const { return std::string(words.label_stored); }
  std::string operator()(const PeriodBegun& e) const { return say(words.label_period_begun, e.period + 1); }
  std::string operator()(const JobBegun& e) const { return say(words.label_job_begun, words_for(e.length)); }
  std::string operator()(const JobDone&) const { return std::string(words.label_job_done); }
  std::string operator()(const PeriodOver& e) const { return say(words.label_period_over, e.period + 1); }
  std::string operator()(const ClockSkewed& e) const {
    return say(words.label_clock, offset_words(words, e.offset));
  }
  std::string operator()(const ServerClockSet& e) const {
    return say(words.label_clock, offset_words(words, e.offset));
  }
  std::string operator()(const ServerRestarted&) const { return std::string(words.label_restarted); }
  std::string operator()(const FailedOver&) const { return std::string(words.label_failed_over); }
  std::string operator()(const Evicted& e) const { return say(words.label_evicted, e.key); }
  std::string operator()(const SessionEnded& e) const { return say(words.label_session_ended, e.session); }
  std::string operator()(const Partitioned& e) const {
    return say(words.label_partitioned, narrator.called(e.node));
  }
  std::string operator()(const Cancelled&) const { return std::string(words.label_cancelled); }
  std::string operator()(const Stuck&) const { return std::string(words.label_stuck); }
  std::string operator()(const CameBack&) const { return std::string(words.label_came_back); }
  std::string operator()(const Left&) const { return std::string(words.label_left); }
  std::string operator()(const Read& e) const {
    return std::string(e.accepted ? words.label_read : words.label_read_refused);
  }
  std::string operator()(const ServerRecovered&) const { return std::string(words.label_recovered); }
  std::string operator()(const Calm&) const { return std::string(words.label_calm); }
  std::string operator()(const Ended&) const { return ""; }
};

}  // namespace

std::string words_for(const Reply& reply, const Words& words) {
  switch (reply.kind()) {
    case Reply::Kind::nil: return "nil";
    case Reply::Kind::integer: return std::to_string(reply.number());
    case Reply::Kind::error: return say(words.error, reply.text());
    case Reply::Kind::lost: return std::string(words.no_answer);
    case Reply::Kind::status:
    case Reply::Kind::bulk: return reply.text().empty() ? "\"\"" : reply.text();
    case Reply::Kind::array: break;
  }
  std::string list;
  for (const Reply& element : reply.elements()) list += (list.empty() ? "" : " ") + words_for(element, words);
  return "[" + list + "]";
}

std::string words_since(std::string_view label, Step sent) {
  return fmt::format("{}{}(step {})", label, label.empty() ? "" : " ", sent.value);
}

Narrator::Narrator(const std::vector<Event>& events, StoreKind store, Language language)
    : words_(&words_of(language)), store_(store) {
  for (const Event& event : events)
    if (const Sent* sent = std::get_if<Sent>(&event.what)) sent_.emplace(sent->message, sent);
}

std::string Narrator::called(Actor actor) const { return name_of(actor, store_); }
std::string Narrator::called(NodeId node) const { return called(actor_of(node)); }

std::string Narrator::sentence(const Event& event) const {
  return std::visit(Sentence{*this, event.actor}, event.what);
}

std::string Narrator::sentences(const StepView& step) const {
  std::string text = say(words_->at, words_for(step.at));
  if (step.events.empty()) return text;
  for (const Event* event : step.events) {
    std::string next = sentence(*event);
    const bool is_first = event == step.events.front();
    if (!is_first && next.starts_with("the ")) next[0] = 'T';
    text += std::string(words_->space) + next;
  }
  return text;
}

std::string Narrator::label(const Event& event) const { return std::visit(Label{*this}, event.what); }

const Sent* Narrator::sent(MessageId message) const {
  const auto found = sent_.find(message);
  return found == sent_.end() ? nullptr : found->second;
}

}  // namespace holdfast::reports
