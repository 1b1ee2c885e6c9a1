#include "sim/world/clients.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace holdfast {
namespace {

constexpr bool is_letter(char sign) { return sign >= 'A' && sign <= 'Z'; }
constexpr bool is_digit(char sign) { return sign >= '0' && sign <= '9'; }
constexpr bool is_of_word(char sign) {
  return is_digit(sign) || is_letter(sign) || (sign >= 'a' && sign <= 'z');
}

// Perhaps: a letter before a digit, or before a full stop and a digit.
constexpr bool begins_token(std::string_view text) {
  const std::size_t digit = text.size() > 2 && text[1] == '.' ? 2 : 1;
  return text.size() > digit && is_letter(text[0]) && is_digit(text[digit]) && text[digit] != '0';
}

constexpr std::size_t count_digits = 10;

bool are_all_same(const std::vector<Token>& tokens) {
  return std::all_of(tokens.begin(), tokens.end(), [&](const Token& each) { return each == tokens.front(); });
}

// So long that no word of a lock ends like it: a letter may stand before it.
bool is_long(const Token& token) { return token.number > tokens_before_max && !is_identity(token.number); }

// Clients that a rule aims at, or whose plans differ, are not interchangeable.
bool are_alike(const Scenario& scenario, std::uint32_t one, std::uint32_t other) {
  if (!scenario.explore.reductions.contains(Reduction::symmetry)) return false;
  for (const FaultRule& rule : scenario.faults)
    if (rule.target && (rule.target->value == one || rule.target->value == other)) return false;
  const ClientPlan& plan = scenario.clients[one];
  const ClientPlan& other_plan = scenario.clients[other];
  return plan.wall_offset == other_plan.wall_offset && plan.drift_ppm == other_plan.drift_ppm &&
         plan.start == other_plan.start && plan.rounds == other_plan.rounds &&
         plan.ending == other_plan.ending && plan.role == other_plan.role &&
         plan.program == other_plan.program && plan.key == other_plan.key &&
         plan.keying == other_plan.keying &&
         plan.params == other_plan.params && plan.shares_lock_of == other_plan.shares_lock_of;
}

}  // namespace

Clients::Clients(const Scenario& scenario, const Network& network, bool has_states, bool ignores_date,
                 bool has_counters)
    : network_(network), has_counts_(has_states && has_counters && !scenario.store.empty()) {
  some_finish_ = std::any_of(scenario.clients.begin(), scenario.clients.end(),
                             [](const ClientPlan& plan) { return !is_endless(plan); });
  // A clock that drifts shows times that differ from each other otherwise, later.
  ignore_dates_ = has_states && ignores_date && !holdfast::share_locks(scenario.clients) &&
                  std::all_of(scenario.clients.begin(), scenario.clients.end(),
                              [](const ClientPlan& plan) { return plan.drift_ppm == 0; });
  // And the probe.
  if (holdfast::share_locks(scenario.clients)) memories_.resize(scenario.clients.size() + 1);
  for (std::uint32_t i = 0; has_states && i < scenario.clients.size(); ++i) {
    std::uint32_t first = 0;
    while (first < i && !are_alike(scenario, first, i)) ++first;
    classes_.push_back(first);
  }
}

// A client that comes later is interchangeable with none.
void Clients::add(std::unique_ptr<Client> client) {
  if (classes_.size() == all_.size()) classes_.push_back(static_cast<std::uint32_t>(all_.size()));
  unfinished_ += goes_on(*client) ? 0 : 1;
  all_.push_back(std::move(client));
}

std::shared_ptr<Lock> Clients::lock_of_process(const Client& client) const {
  if (!share_locks()) return nullptr;
  for (const auto& each : all_)
    if (each->process() == client.process() && each->has_lock()) return each->lock();
  return nullptr;
}

void Clients::note_run(const Client& client) {
  Digest& memory = memories_[client.process().value];
  memory = mix(sum(memory, client.observed()), client.id().value);
}

bool Clients::do_any_go_on() const {
  return std::any_of(all_.begin(), all_.end(), [this](const auto& each) { return goes_on(*each); });
}

std::uint64_t Clients::which_unfinished() const {
  std::uint64_t unfinished = 0;
  for (const auto& each : all_) unfinished |= std::uint64_t{is_unfinished(*each)} << (each->id().value & 63);
  return unfinished;
}

std::uint64_t Clients::which_hold() const {
  std::uint64_t holders = 0;
  for (const auto& each : all_) holders |= std::uint64_t{each->holds()} << (each->id().value & 63);
  return holders;
}

// --- names ---

// Most locks make one for each acquisition.
std::uint32_t tokens_before(const Scenario& scenario) {
  constexpr std::uint64_t endless = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t lives = 1;
  for (const FaultRule& rule : scenario.faults)
    if (rule.kind == Fault::crash) lives += rule.budget;
  std::uint64_t most = scenario.timing.recovery_rounds;
  for (const ClientPlan& plan : scenario.clients) {
    std::uint64_t attempts = 0;
    for (const ProgramStep& step : plan.program)
      if (step.op == ProgramStep::Op::acquire || step.op == ProgramStep::Op::acquire_again)
        attempts += step.attempts == 0 ? endless : step.attempts;
    most = std::max(most, attempts * (plan.rounds == 0 ? endless : plan.rounds * lives));
  }
  if (most < 10) return 0;
  std::uint32_t before = 10;
  while (before < tokens_before_max && 9 * before <= most) before *= 10;
  return before;
}

// A full stop, so that client 26, "C26", and client 2, "C", never make the same text.
std::string text_of(Token token) {
  constexpr std::uint32_t letters = 26;
  std::array<char, 24> text{'C'};
  const bool is_its_identity = is_identity(token.number);
  char* end = text.data() + 1;
  if (token.client.value < letters) {
    text[0] = static_cast<char>('A' + token.client.value);
  } else {
    end = std::to_chars(end, text.data() + 11, token.client.value).ptr;
    *end++ = '.';
  }
  if (is_its_identity) *end++ = '.';
  const std::uint32_t number = token.number - (is_its_identity ? identities : 0);
  end = std::to_chars(end, text.data() + text.size(), number).ptr;
  return std::string(text.data(), end);
}

Wording Clients::wording_of(std::string_view text) const {
  const std::optional<Dated> dated = has_mark(text) ? marks_in(text)
                                     : ignore_dates_ ? dates_in(text)
                                                     : std::nullopt;
  const std::string_view rest = dated ? dated->text : text;
  Wording said{.rest = digest_of(rest)};
  std::string without_counts;
  bool may_have_names = false;
  if (dated) said.dates = dated->times;
  if (!made_.empty()) {
    const auto found = made_.find(rest);
    if (found != made_.end()) said.token = found->second;
    may_have_names = !said.token && has_name(rest);
  } else if (!(said.token = whole_token(rest)) && has_name(rest)) {
    may_have_names = true;
    said.several = tokens_within(rest, without_counts);
    if (said.several && are_all_same(said.several->all) && said.several->all.front().client != counter) {
      said.token = said.several->all.front();
      said.several.reset();
    }
  }
  said.has_names = said.token || may_have_names;
  said.may_say_when = ignore_dates_ && has_long_number(said.several ? without_counts : rest);
  return said;
}

void Clients::note_others(History& history, const Wording& said, Knowledge& told) const {
  history.add(0);
  const bool is_clear = said.token || said.several;
  if (said.has_names && is_clear && have_ranks() && !told.of_names) {
    note_others(told);
    if (said.several) history.add(said.several->around);
    else history.add(said.token->around);
    if (said.token) return history.add(*said.token);
    for (const Token& each : said.several->all) history.add(each);
    return;
  }
  told.of_names |= said.has_names;
  history.add(said.rest);
}

void Clients::note_text(History& history, std::string_view text, Knowledge& told) const {
  const Wording said = wording_of(text);
  told.of_date |= said.may_say_when;
  note_others(history, said, told);
  for (const Instant each : said.dates) history.add(each);
}

bool Clients::note_rank(Token token) {
  if (token.number == 0 || is_identity(token.number) || at(token.client).knows_token(token.number))
    return true;
  const std::uint64_t packed = std::uint64_t{token.client.value} << 32 | token.number;
  auto* const end = ranked_.data() + ranked_count_;
  auto* const place = std::lower_bound(ranked_.data(), end, packed);
  if (place != end && *place == packed) return true;
  if (ranked_count_ == ranked_.size()) return false;
  std::copy_backward(place, end, end + 1);
  *place = packed;
  ++ranked_count_;
  return true;
}

std::optional<std::uint32_t> Clients::rank_of(Token token) const {
  const std::uint64_t first = std::uint64_t{token.client.value} << 32;
  const auto* const end = ranked_.data() + ranked_count_;
  const auto* const begin = std::lower_bound(ranked_.data(), end, first);
  const auto* const place = std::lower_bound(begin, end, first | token.number);
  if (place == end || *place != (first | token.number)) return std::nullopt;
  return static_cast<std::uint32_t>(place - begin);
}

// A letter and a number; or "C", a number, a full stop and a number. Numbers begin with no zero. Before the
// number of an identity is one more full stop.
std::optional<Token> Clients::whole_token(std::string_view text) const {
  constexpr std::uint64_t letters = 26;
  if (text.size() < 2 || !is_letter(text[0])) return std::nullopt;
  std::array<std::uint64_t, 2> numbers{};
  std::size_t part = 0;
  bool is_its_identity = false;
  for (const char sign : text.substr(1)) {
    if (sign == '.' && part == 0 && numbers[0] >= letters && text[0] == 'C') {
      part = 1;
      continue;
    }
    if (sign == '.' && numbers[part] == 0 && !is_its_identity) {
      is_its_identity = true;
      continue;
    }
    if (!is_digit(sign) || numbers[part] > 100'000'000 || (sign == '0' && numbers[part] == 0))
      return std::nullopt;
    numbers[part] = numbers[part] * 10 + static_cast<std::uint64_t>(sign - '0');
  }
  const std::uint64_t client = part == 0 ? static_cast<std::uint64_t>(text[0] - 'A') : numbers[0];
  const std::uint64_t number = numbers[part];
  if (number == 0 || client >= all_.size()) return std::nullopt;
  const Client& maker = *all_[client];
  if (number > (is_its_identity ? maker.lives() : maker.tokens())) return std::nullopt;
  const std::uint64_t whole = number + (is_its_identity ? identities : 0);
  return Token{ClientId{static_cast<std::uint32_t>(client)}, static_cast<std::uint32_t>(whole)};
}

// Of a text that has other signs around them. nullopt: there may be one of which it is not clear where it
// begins and ends.
std::optional<Tokens> Clients::tokens_within(std::string_view text, std::string& around) const {
  Tokens found;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::optional<Token> count = count_at(text, at)) {
      found.all.push_back(*count);
      around += '\0';
      at += count_digits;
      continue;
    }
    if (!begins_token(text.substr(at))) {
      around += text[at++];
      continue;
    }
    const std::size_t size = std::min(text.find_first_not_of("0123456789.", at + 1), text.size()) - at;
    const std::optional<Token> token = whole_token(text.substr(at, size));
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool is_apart =
        !is_of_word(before) || (token && is_long(*token) && !is_digit(before) && !is_letter(before));
    if (!token || !is_apart || (at + size < text.size() && is_of_word(text[at + size]))) return std::nullopt;
    found.all.push_back(*token);
    around += '\0';
    at += size;
  }
  found.around = digest_of(around);
  for (Token& each : found.all) each.around = found.around.low;
  return found;
}

std::optional<Token> Clients::count_at(std::string_view text, std::size_t at) const {
  if (!has_counts_ || (at > 0 && is_of_word(text[at - 1]))) return std::nullopt;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
  if (end - at != count_digits || (end < text.size() && is_of_word(text[end]))) return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(text.data() + at, text.data() + end, number);
  return count_of(number);
}

bool Clients::note_made(std::string_view text, Token token, const ProgramRandom::Made& made) {
  const auto known = std::find(runs_.begin(), runs_.end(), made.chance);
  const auto run = static_cast<std::size_t>(known - runs_.begin());
  if (known == runs_.end()) runs_.push_back(made.chance);
  for (std::size_t place = 0; place < made.parts.size(); ++place)
    if (made.others != nullptr && !made.parts[place].empty())
      parts_.emplace(made.parts[place], Part{run, place, made.others});
  return made_.emplace(text, token).second;
}

// Whole words, or what has other signs at its ends.
std::string Clients::instead(std::string_view text, std::size_t number) const {
  const auto goes_on = [&](std::size_t place) {
    return place > 0 && place < text.size() && is_of_word(text[place - 1]) && is_of_word(text[place]);
  };
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const auto* found = static_cast<const std::pair<const std::string, Part>*>(nullptr);
    for (const auto& each : parts_) {
      const std::size_t size = each.first.size();
      if (text.substr(at, size) == each.first && !goes_on(at) && !goes_on(at + size) &&
          (found == nullptr || found->first.size() < size))
        found = &each;
    }
    if (found == nullptr) {
      made += text[at++];
      continue;
    }
    const auto& [run, place, others] = found->second;
    // As many as a prime number: two runs are never given the same.
    const std::size_t other = (number + run * (1 + number / others->size())) % others->size();
    made += (*others)[other][place];
    at += found->first.size();
  }
  return made;
}

std::size_t Clients::count() const {
  constexpr std::size_t rounds = 8;
  std::size_t most = 0;
  for (const auto& [text, part] : parts_) most = std::max(most, part.others->size());
  return most * std::min(rounds, runs_.size());
}

bool Clients::has_name(std::string_view text) const {
  if (!made_.empty())
    return std::any_of(made_.begin(), made_.end(), [&](const auto& each) {
      return !each.first.empty() && text.find(each.first) != text.npos;
    });
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    if (begins_token(text.substr(i)) || (has_counts_ && count_at(text, i))) return true;
  return false;
}

}  // namespace holdfast
