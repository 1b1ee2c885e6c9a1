#include "sim/explore/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "sim/explore/outline.hpp"
#include "sim/explore/packing.hpp"
#include "sim/explore/shared_search.hpp"
#include "sim/scenario/parse.hpp"

namespace holdfast {
namespace {

// States go in batches of so many bytes; fewer, when nothing else is to be done, or now and then.
constexpr std::size_t batch_bytes = 16'384;
constexpr std::uint32_t flush_every = 32;
// A rank that is busy is asked how it is once in so many calls.
constexpr std::uint32_t wave_every = 64;
// All were idle so often, and not all batches have arrived.
constexpr std::uint32_t vain_waves_max = 5'000;
constexpr std::size_t unsent_max = std::size_t{4} << 20;

void pack_outline(std::string& text, const Outline& outline) {
  pack(text, outline.rest);
  pack(text, outline.keys);
  pack(text, outline.mode);
  pack(text, outline.holders);
  pack(text, outline.unfinished);
  pack(text, outline.owners);
  pack(text, outline.is_calm);
  pack_row(text, std::span(outline.parts));
  pack_row(text, std::span(outline.events));
}

void unpack_outline(Unpacking& from, Outline& outline) {
  outline.rest = from.next<Digest>();
  outline.keys = from.next<Digest>();
  outline.mode = from.next<std::uint64_t>();
  outline.holders = from.next<std::uint64_t>();
  outline.unfinished = from.next<std::uint64_t>();
  outline.owners = from.next<std::uint64_t>();
  outline.is_calm = from.next<bool>();
  from.next_row(outline.parts);
  from.next_row(outline.events);
  outline.all = Digest{};
  for (const Digest& part : outline.parts) outline.all = sum(outline.all, part);
  outline.note_orders();
}

}  // namespace

Exchange::Exchange(Ranks& ranks, SharedSearch& shared)
    : ranks_(ranks),
      shared_(shared),
      search_(rank() == 0 ? ++ranks.searches : ranks.searches),
      outbox_(count()),
      reports_(count()) {
  shared.join(*this);
}

void Exchange::begin(const Knowledge& known, unsigned threads) {
  std::string text = header(Word::begin);
  pack_text(text, scenario_json(shared_.scenario()));
  pack(text, known);
  pack(text, static_cast<std::uint32_t>(threads));
  pack(text, shared_.is_resumed());
  pack(text, shared_.generation());
  tell_all(text);
}

std::string Exchange::header(Word word, std::uint32_t search) {
  std::string text;
  pack(text, word);
  pack(text, search);
  return text;
}

void Exchange::tell_all(const std::string& text) {
  for (unsigned to = 1; to < count(); ++to) ranks_.send(to, text);
}

// --- states ---

unsigned Exchange::owner_of(const Kind& kind, std::uint32_t steps) const {
  const unsigned owner = holdfast::owner_of(kind, count());
  return ranks_.planted == Ranks::Planted::owner_by_way ? (owner + steps) % count() : owner;
}

void Exchange::send(unsigned owner, const Sent& state) {
  const std::scoped_lock hold(outbox_mutex_);
  std::string& text = outbox_[owner];
  if (text.empty()) text = header(Word::states);
  const std::size_t before = text.size();
  pack(text, state.digest);
  pack(text, state.is_over);
  pack(text, state.steps);
  pack(text, static_cast<std::uint32_t>(state.picks.size() + state.more.size()));
  text.append(state.picks.begin(), state.picks.end());
  text.append(state.more.begin(), state.more.end());
  const std::size_t begin = text.size();
  pack(text, std::uint32_t{0});
  pack(text, state.digest);
  pack(text, state.is_at_choice);
  if (state.outline != nullptr) pack_outline(text, *state.outline);
  const auto size = static_cast<std::uint32_t>(text.size() - begin - sizeof(std::uint32_t));
  std::memcpy(text.data() + begin, &size, sizeof size);
  ++sent_;
  sent_bytes_ += text.size() - before;
}

bool Exchange::is_congested() const {
  const std::scoped_lock hold(outbox_mutex_);
  return std::any_of(outbox_.begin(), outbox_.end(),
                     [](const std::string& text) { return text.size() > unsent_max; });
}

// Hands over what is to be sent to a rank that takes what it gets, if it is so many bytes.
void Exchange::flush(std::size_t least) {
  for (unsigned to = 0; to < count(); ++to) {
    if (ranks_.unsent(to) > unsent_max) continue;
    std::string text;
    {
      const std::scoped_lock hold(outbox_mutex_);
      if (outbox_[to].size() < std::max<std::size_t>(least, 1)) continue;
      text.swap(outbox_[to]);
    }
    ++sent_batches_;
    if (ranks_.planted == Ranks::Planted::lost_batch) continue;
    ranks_.send(to, std::move(text));
  }
}

void Exchange::take_states(const std::string& text, StateTable::Access& seen) {
  Unpacking from(text);
  from.next<Word>();
  from.next<std::uint32_t>();
  std::uint64_t count = 0;
  std::vector<Branch> branches;
  Branch branch;
  for (; !from.is_at_end(); ++count) {
    seen.rest();
    const auto digest = from.next<Digest>();
    const bool is_over = from.next<bool>();
    branch.steps = from.next<std::uint32_t>();
    from.next_row(branch.picks);
    from.next_row(branch.arrival);
    if (!seen.insert(digest)) continue;
    if (is_over) shared_.note_end(digest);
    else branches.push_back(std::exchange(branch, Branch()));
  }
  shared_.give(branches);
  received_ += count;  // and not before: until then they count as on their way
}

bool Exchange::unpack(const std::string& arrival, Digest& digest, bool& is_at_choice, Outline& outline) {
  Unpacking from(arrival);
  digest = from.next<Digest>();
  is_at_choice = from.next<bool>();
  if (from.is_at_end()) return false;
  unpack_outline(from, outline);
  return true;
}

// --- the course of a search ---

void Exchange::tend(StateTable::Access* seen) {
  std::vector<Ranks::Message> states;
  {
    const std::unique_lock hold(mutex_, std::try_to_lock);
    if (!hold.owns_lock()) return;
    ++calls_;
    flush(seen == nullptr || calls_ % flush_every == 0 ? 1 : batch_bytes);
    std::vector<Ranks::Message> early;
    early.swap(ranks_.early);
    for (Ranks::Message& message : early) take(std::move(message), states);
    while (std::optional<Ranks::Message> message = ranks_.receive()) {
      take(std::move(*message), states);
      if (states.size() >= 64) break;
    }
    if (rank() == 0) lead();
  }
  if (states.empty()) return;
  std::optional<StateTable::Access> own;
  if (seen == nullptr) seen = &own.emplace(shared_.seen);
  for (const Ranks::Message& message : states) take_states(message.text, *seen);
}

void Exchange::tend_idle() {
  tend(nullptr);
  ranks_.wait();
}

void Exchange::take(Ranks::Message message, std::vector<Ranks::Message>& states) {
  Unpacking from(message.text);
  const auto word = from.next<Word>();
  const auto search = from.next<std::uint32_t>();
  if (word == Word::quit) {
    has_quit_ = true;
    return shared_.stop();
  }
  if (search != search_) {
    if (search > search_) ranks_.early.push_back(std::move(message));
    return;
  }
  switch (word) {
    case Word::states: ++taken_batches_; return states.push_back(std::move(message));
    case Word::ask: {
      std::string answer = header(Word::report);
      Report mine = report();
      mine.wave = from.next<std::uint32_t>();
      pack(answer, mine);
      return ranks_.send(0, std::move(answer));
    }
    case Word::report:
      reports_[message.from] = from.next<Report>();
      if (++answers_ == count()) end_wave();
      return;
    case Word::pause: return shared_.pause();
    case Word::save:
      shared_.save_part(from.next<std::uint32_t>());
      return ranks_.send(0, header(Word::saved));
    case Word::saved:
      if (++answers_ < count()) return;
      shared_.save_part(shared_.generation() + 1);
      saves_ = false;
      was_saved_ = true;
      before_ = Report();
      if (is_closing_) return finish();
      pauses_ = false;
      tell_all(header(Word::go_on));
      return shared_.go_on();
    case Word::go_on: return shared_.go_on();
    case Word::stop: return shared_.stop();
    case Word::end: is_done_ = true; return shared_.finish();
    case Word::result:
      add_result(message.text);
      ++results_;
      return;
    case Word::failed: {
      const auto code = from.next<int>();
      throw RankFailed(code, fmt::format("rank {}: {}", message.from, from.next_text()));
    }
    case Word::begin:
    case Word::quit: return;
  }
}

// What has arrived is counted first, what was sent last: what a rank that was idle in between has sent by
// then it had sent before.
Exchange::Report Exchange::report() const {
  Report mine;
  mine.received = received_;
  const SharedSearch::Rest rest = shared_.rest();
  mine.is_idle = rest.is_idle;
  mine.is_paused = rest.is_paused;
  mine.is_stopped = shared_.is_stopped();
  mine.states = shared_.seen.size();
  mine.sent_batches = sent_batches_;
  mine.taken_batches = taken_batches_;
  const std::scoped_lock hold(outbox_mutex_);
  mine.sent = sent_;
  return mine;
}

void Exchange::lead() {
  if (is_done_ || is_asking_ || saves_) return;
  if (shared_.is_stopped() && !std::exchange(was_told_to_stop_, true)) tell_all(header(Word::stop));
  if (shared_.is_pausing() && !std::exchange(pauses_, true)) tell_all(header(Word::pause));
  const SharedSearch::Rest rest = shared_.rest();
  if (!rest.is_idle && !rest.is_paused && ++calls_since_wave_ < wave_every) return;
  calls_since_wave_ = 0;
  is_asking_ = true;
  answers_ = 1;
  reports_[0] = report();
  std::string text = header(Word::ask);
  pack(text, ++wave_);
  tell_all(text);
}

void Exchange::end_wave() {
  is_asking_ = false;
  Report now;
  now.wave = wave_;
  now.is_idle = now.is_paused = true;
  for (const Report& each : reports_) {
    now.is_idle &= each.is_idle;
    now.is_paused &= each.is_paused;
    now.is_stopped |= each.is_stopped;
    now.sent += each.sent;
    now.received += each.received;
    now.states += each.states;
    now.sent_batches += each.sent_batches;
    now.taken_batches += each.taken_batches;
  }
  shared_.note_elsewhere(now.states - reports_[0].states);
  if (now.is_stopped) shared_.stop();
  const Report before = std::exchange(before_, now);
  const bool is_quiet = now.sent == now.received && before.wave != 0 && before.sent == now.sent &&
                        before.received == now.received;
  const bool is_vain = now.is_paused || now.is_idle;
  const bool are_lost = now.sent_batches != now.taken_batches && now.sent_batches == before.sent_batches;
  vain_waves_ = is_vain && are_lost ? vain_waves_ + 1 : 0;
  if (vain_waves_ > vain_waves_max)
    throw std::logic_error(
        fmt::format("of {} batches of states that ranks have sent each other, {} have arrived",
                    now.sent_batches, now.taken_batches));
  if (!is_quiet) return;
  if (now.is_idle && before.is_idle && !now.is_stopped) return finish();
  if (!now.is_paused || !before.is_paused || (now.is_stopped && !is_closing_)) return;
  if (!now.is_stopped || is_to_be_saved_) {
    if (was_saved_ && is_closing_) return finish();
    saves_ = true;
    answers_ = 1;
    std::string text = header(Word::save);
    pack(text, shared_.generation() + 1);
    return tell_all(text);
  }
  finish();
}

void Exchange::finish() {
  is_done_ = true;
  tell_all(header(Word::end));
  shared_.finish();
}

void Exchange::close(bool is_to_be_saved) {
  {
    const std::scoped_lock hold(mutex_);
    is_closing_ = true;
    is_to_be_saved_ = is_to_be_saved;
    was_saved_ = false;
  }
  const auto has_ended = [&] {
    const std::scoped_lock hold(mutex_);
    return has_quit_ || (is_done_ && (rank() != 0 || results_ + 1 == count()));
  };
  while (!has_ended()) tend_idle();
  if (rank() == 0) {
    ranks_.sent_states += sent_;
    ranks_.sent_bytes += sent_bytes_;
  } else if (!has_quit_) {
    std::string text = header(Word::result);
    pack(text, sent_);
    pack(text, sent_bytes_);
    shared_.pack_result(text);
    ranks_.send(0, std::move(text));
  }
}

void Exchange::add_result(const std::string& text) {
  Unpacking from(text);
  from.next<Word>();
  from.next<std::uint32_t>();
  ranks_.sent_states += from.next<std::uint64_t>();
  ranks_.sent_bytes += from.next<std::uint64_t>();
  shared_.add_result(from);
}

void dismiss(Ranks& ranks) {
  for (unsigned to = 1; to < ranks.count(); ++to) ranks.send(to, Exchange::header(Exchange::Word::quit, 0));
}

}  // namespace holdfast
