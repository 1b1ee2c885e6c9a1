// All clients of a world, and the names by which they know each other.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/by_chance.hpp"
#include "sim/core/counts.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/world/client.hpp"
#include "sim/world/dates.hpp"
#include "sim/world/history.hpp"
#include "sim/world/knowledge.hpp"
#include "sim/world/marks.hpp"
#include "sim/world/network.hpp"

namespace holdfast {

// Texts by which clients know each other. Those of tokens are of one length, as random texts are: a lock may
// ask how long they are. So where a client may make ten of them, its first is number 11, and so on.
inline constexpr std::uint32_t tokens_before_max = 10'000;
// Each client's first: these numbers are left out.
std::uint32_t tokens_before(const Scenario& scenario);
std::string text_of(Token token);

class Clients final : public ByChance {
 public:
  // `network` must outlive it. `has_states`: states are digested, so interchangeable clients matter.
  // `ignores_date`, `counters`: as on the card of the lock.
  Clients(const Scenario& scenario, const Network& network, bool has_states, bool ignores_date,
          bool has_counters);

  void add(std::unique_ptr<Client> client);
  Client& at(ClientId id) { return *all_[id.value]; }
  const Client& at(ClientId id) const { return *all_[id.value]; }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  std::size_t size() const { return all_.size(); }

  // No task waits for its end.
  bool goes_on(const Client& client) const { return some_finish_ && is_endless(client.plan()); }
  bool do_any_go_on() const;
  bool is_unfinished(const Client& client) const { return !client.is_finished() && !goes_on(client); }
  // How many have not finished, without those that go on.
  std::uint32_t unfinished() const { return unfinished_; }
  void note_end(const Client& client) { unfinished_ -= goes_on(client) ? 0 : 1; }
  void note_return(const Client& client) { unfinished_ += goes_on(client) ? 0 : 1; }
  // The same by client: bit i is client i.
  std::uint64_t which_unfinished() const;
  // How many are in a pause.
  std::uint32_t paused() const { return paused_; }
  void note_pause() { ++paused_; }
  void note_resume() { --paused_; }
  // How many have a grant.
  std::uint32_t holders() const { return holders_; }
  void note_holding(bool before, bool now) { holders_ += std::uint32_t{now} - std::uint32_t{before}; }
  std::uint64_t which_hold() const;
  // What has become of the acquisition that a key belongs to. Over: its client is dead, its call has ended
  // without a grant, or in that call it stopped waiting for an answer.
  enum class Standing : std::uint8_t { nobodys, underway, held, over };
  Standing standing_of(Acquisition owner) const;
  bool do_others_hold(ClientId mover) const { return holders_ > (at(mover).holds() ? 1u : 0u); }

  // --- lock objects that clients share ---

  bool share_locks() const { return !memories_.empty(); }
  // The lock object that another client of the same process has; null when none has.
  std::shared_ptr<Lock> lock_of_process(const Client& client) const;
  // Code of the client ran, which may have seen and changed what is in its lock object.
  // REQUIRES: share_locks().
  void note_run(const Client& client);
  void forget_process(ClientId process) {
    if (share_locks()) memories_[process.value] = Digest{};
  }
  // A shared lock object is a function of what its clients have observed, and in which order they ran.
  Digest mix_memories(Digest rest) const {
    for (const Digest& each : memories_) rest = mix(mix(rest, each.low), each.high);
    return rest;
  }

  // From now on `text`, which its program made, is this token. False: it is one already.
  bool note_made(std::string_view text, Token token, const ProgramRandom::Made& made);
  bool have_made() const { return !made_.empty(); }
  std::string instead(std::string_view text, std::size_t number) const override;
  std::size_t count() const override;
  Wording wording_of(std::string_view text) const;
  // Somebody knows, or may compare, tokens that others made.
  void note_others(Knowledge& told) const {
    if (have_ranks()) told.of_others = told.of_clients = true;
    else told.of_names = true;
  }
  // Adds a text to a history that does not know it as a token of its own.
  void note_others(History& history, const Wording& said, Knowledge& told) const;
  // … whosever its tokens are.
  void note_text(History& history, std::string_view text, Knowledge& told) const;
  // Of tokens that their makers have forgotten, but somebody refers to, a state says in which order they were
  // made: each is noted, and then has a rank. False: there is no room for so many.
  // `only_order`: that of counts is all that matters.
  void forget_ranks(bool only_order) {
    ranked_count_ = 0;
    counts_.begin(only_order);
  }
  bool note_rank(Token token);
  // Among the maker's. nullopt: it was not noted.
  std::optional<std::uint32_t> rank_of(Token token) const;
  const Counts& counts() const { return counts_; }
  Counts& change_counts() { return counts_; }
  // nullopt: it is none, or counts are numbers like all others.
  std::optional<Token> count_of(std::uint64_t number) const {
    if (!has_counts_ || !is_count(number) || !have_ranks()) return std::nullopt;
    return Token{counter, static_cast<std::uint32_t>(number - first_count)};
  }
  // Whether `text` is, or may contain, a token.
  bool has_name(std::string_view text) const;
  // What clients were told of clocks counts from the first time that they remember; else it says when that
  // was.
  bool ignore_dates() const { return ignore_dates_; }
  // nullopt: there is none, or dates are not ignored.
  std::optional<Instant> date_of(std::int64_t number) const {
    return ignore_dates_ ? holdfast::date_of(number) : std::nullopt;
  }
  // Where it is left as it is, a state says when.
  bool may_be_date(std::int64_t number) const {
    constexpr std::int64_t of_seconds = 1'000'000'000;
    return ignore_dates_ && number >= of_seconds && !count_of(static_cast<std::uint64_t>(number));
  }
  bool may_say_when(std::string_view text) const {
    return ignore_dates_ && (dates_in(text).has_value() || wording_of(text).may_say_when);
  }
  // How old an own token or acquisition is, if anything can still refer to it.
  std::uint32_t age_of(Token token) const {
    if (token.client == counter)
      return static_cast<std::uint32_t>(counts_.age_of(first_count + token.number));
    return at(token.client).age_of_token(token.number);
  }
  std::uint32_t age_of(Acquisition it) const { return at(it.client).age_of_acquisition(it.number); }

  // Its identity, without what it has observed and what is on its way. `is_distinct`: a client may know the
  // identity.
  Digest mix_client(Digest history, ClientId id, bool of_names, bool is_distinct) const;

 private:
  // The only token in `text`; of what a program made, `text` as a whole. nullopt: there is none, or it is not
  // clear where it begins and ends.
  std::optional<Token> token_of(std::string_view text) const;
  std::optional<Token> whole_token(std::string_view text) const;
  // … and `around` is what is around them.
  std::optional<Tokens> tokens_within(std::string_view text, std::string& around) const;
  // That stands alone there.
  std::optional<Token> count_at(std::string_view text, std::size_t at) const;
  // Tokens are numbered in the order in which they are made, and texts are ordered like that: not those that
  // programs make. And what is in a lock object that is shared refers to no maker.
  bool have_ranks() const { return made_.empty() && !share_locks(); }

  const Network& network_;
  std::vector<std::unique_ptr<Client>> all_;
  // Of each process, by its first client, what its clients have observed. Empty: no two share a lock object.
  std::vector<Digest> memories_;
  // The first client that has the same plan, for each: only clients of one class are interchangeable.
  std::vector<std::uint32_t> classes_;
  // Tokens that programs made; then there are no others.
  std::map<std::string, Token, std::less<>> made_;
  // The parts of them that are chance: their runs, by number, and what they are in other runs.
  struct Part {
    std::size_t run = 0;
    std::size_t place = 0;  // among the parts of its text
    ProgramRandom::Others others = nullptr;
  };
  std::map<std::string, Part, std::less<>> parts_;
  std::vector<std::uint64_t> runs_;  // their chances
  // By client, then by number, each once. In every copy of a world.
  std::array<std::uint64_t, 32> ranked_{};
  std::uint32_t ranked_count_ = 0;
  Counts counts_;
  bool has_counts_ = false;
  bool ignore_dates_ = false;
  bool some_finish_ = false;  // programs, by themselves
  std::uint32_t unfinished_ = 0;
  std::uint32_t paused_ = 0;
  std::uint32_t holders_ = 0;
};

inline Clients::Standing Clients::standing_of(Acquisition owner) const {
  if (owner.is_nobody()) return Standing::nobodys;
  const Client& client = at(owner.client);
  if (client.acquisition() != owner) return Standing::over;
  if (client.holds()) return Standing::held;
  return client.place() == Place::anywhere || client.is_in_doubt() ? Standing::over : Standing::underway;
}

// network: Network::mix_client(). all: mix_state() of each. memories: mix_memories(). ignore_dates,
// has_counts, some_finish: the same in every state. made, parts, runs: names, which say what the texts are.
// ranked, ranked_count, counts: found from what refers to them. unfinished, paused, holders: counted, and
// what is counted is in the clients' states.
inline Digest Clients::mix_client(Digest history, ClientId id, bool of_names, bool is_distinct) const {
  const auto& [network, all, memories, classes, made, parts, runs, ranked, ranked_count, counts, has_counts,
               ignore_dates, some_finish, unfinished, paused, holders] = *this;
  const Client& client = *all[id.value];
  if (of_names) history = mix(mix(history, client.tokens()), client.lives());
  if (of_names && client.made_texts() != Digest{}) history = sum(history, client.made_texts());
  return mix(history, Mark::whole | std::uint64_t{is_distinct ? id.value : classes[id.value]} << 8);
}

}  // namespace holdfast
