#include "sim/process/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <sstream>
#include <utility>

#include "sim/core/beyond_model.hpp"
#include "sim/core/invariant.hpp"
#include "sim/core/store.hpp"

namespace holdfast::process {
namespace {

using guest::Effect;
using guest::Told;
using guest::Unusable;

constexpr std::uint32_t party = 1;

constexpr std::int64_t lease_ms_max = 315'360'000'000;  // ten years

std::optional<std::int64_t> number_in(const std::string& word) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

ProcessSession::ProcessSession(Program& program, std::uint64_t chance, std::size_t late)
    : program_(program), chance_(chance), late_(late) {}

Effect& ProcessSession::add(Effect::Kind kind) {
  Effect& effect = action_.effects.emplace_back();
  effect.kind = kind;
  effect.party = party;
  return effect;
}

void ProcessSession::begin(const Told& event) {
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i + 1 < event.words.size(); i += 2) {
    std::string name = event.words[i];
    for (char& each : name)
      each = each == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(each)));
    const std::string& value = event.words[i + 1];
    const std::optional<std::int64_t> time =
        value.ends_with("us") ? number_in(value.substr(0, value.size() - 2)) : std::nullopt;
    constexpr std::int64_t in_millisecond = 1000;
    parameters.push_back(time ? fmt::format("HOLDFAST_{}_MS={}", name, *time / in_millisecond)
                              : fmt::format("HOLDFAST_{}={}", name, value));
  }
  running_ =
      program_.begin(chance_, late_, static_cast<int>(std::max<std::int64_t>(event.number, 1)), parameters);
}

guest::Action ProcessSession::tell(const Told& event) {
  action_ = {};
  if (event.party > party) throw Unusable("several clients share a process: a program is one client");
  if (event.kind == Told::Kind::begin) {
    begin(event);
    go_on();
    return std::move(action_);
  }
  if (!running_.guest) throw Unusable("it did not begin");
  running_.guest->begin_step(event);
  switch (event.kind) {
    case Told::Kind::acquire:
    case Told::Kind::release: {
      const bool acquires = event.kind == Told::Kind::acquire;
      is_in_call_ = true;
      const bool is_shared = acquires && event.words[1] != "exclusive";
      running_.guest->tell_line((acquires ? "acquire " : "release ") + event.words[0] +
                                (is_shared ? " " + event.words[1] : ""));
      break;
    }
    case Told::Kind::abort:
      if (is_in_call_) ++given_up_;
      is_in_call_ = false;
      break;
    case Told::Kind::reply: receive(event); break;
    case Told::Kind::woke: {
      constexpr int without_server_max = 8;
      if (!running_.guest->sockets().tried().empty() && ++woken_ > without_server_max) require_connection("");
      for (auto each = sleeps_.begin(); each != sleeps_.end(); ++each) {
        if (each->second.id != event.id) continue;
        running_.guest->end_wait(each->first);
        sleeps_.erase(each);
        break;
      }
      break;
    }
    default: INVARIANT(false, "nobody tells what a process does not ask");
  }
  go_on();
  return std::move(action_);
}

ProcessSession::Line& ProcessSession::line_of(const Connection& connection) {
  Line& line = lines_[connection.number];
  if (line.wire == nullptr) line.wire = program_.command().protocol->connect();
  return line;
}

void ProcessSession::receive(const Told& event) {
  for (Connection& connection : running_.guest->sockets().all()) {
    Line& line = line_of(connection);
    if (line.sent != event.id) continue;
    line.sent = 0;
    line.listens = false;
    if (!event.reply.is_lost()) {
      Sockets::feed(connection, line.wire->bytes_of(event.reply));
      return;
    }
    // TCP loses nothing in the middle: what is lost takes its connection along.
    line.queue.clear();
    connection.end.close();
    return;
  }
}

void ProcessSession::go_on() {
  do running_.guest->run();
  while (greet());
  action_.reads = running_.guest->reads();
  report_connections();
  report_waits();
  report_lines();
  require_sense();
}

bool ProcessSession::greet() {
  bool has_answered = false;
  running_.guest->sockets().drain();
  for (Connection& connection : running_.guest->sockets().all()) {
    Line& line = line_of(connection);
    std::string_view bytes = connection.in;
    while (std::optional<Request> request = line.wire->take(bytes)) line.queue.push_back(*std::move(request));
    connection.in.erase(0, connection.in.size() - bytes.size());
    while (line.sent == 0 && !line.queue.empty()) {
      const std::optional<std::string> answer = line.wire->answer_to_greeting(line.queue.front());
      if (!answer) break;
      line.queue.pop_front();
      Sockets::feed(connection, *answer);
      has_answered = true;
    }
  }
  return has_answered;
}

// A program that waits on until the same time, after something else has come, sleeps on: if it is known when
// both waits began. A step that looked at no clock may have happened at any time.
void ProcessSession::report_waits() {
  const std::list<Wait>& waits = running_.guest->waits();
  const bool is_dated =
      program_.time_to_tell() == guest::TimeToTell::nothing || action_.reads != guest::TimeToTell::nothing;
  std::vector<Sleep> ended;
  std::erase_if(sleeps_, [&](const auto& each) {
    const bool is_there =
        std::any_of(waits.begin(), waits.end(), [&](const Wait& wait) { return wait.number == each.first; });
    if (!is_there) ended.push_back(each.second);
    return !is_there;
  });
  std::vector<const Wait*> begun;
  for (const Wait& wait : waits) {
    if (!wait.span || sleeps_.contains(wait.number)) continue;
    // Event loops count in milliseconds.
    constexpr Ns as_good_as_equal = 1'000 * microsecond;
    const auto same = std::find_if(ended.begin(), ended.end(), [&](const Sleep& sleep) {
      return is_dated && sleep.is_dated && std::abs(sleep.until - wait.until) <= as_good_as_equal;
    });
    if (same == ended.end()) {
      begun.push_back(&wait);
    } else {
      sleeps_.emplace(wait.number, *same);
      ended.erase(same);
    }
  }
  for (const Sleep& each : ended) add(Effect::Kind::drop).id = each.id;
  for (const Wait* const wait : begun) {
    Effect& sleep = add(Effect::Kind::sleep);
    sleep.id = ++ids_;
    sleep.duration = Duration((*wait->span + microsecond - 1) / microsecond);
    sleeps_.emplace(wait->number, Sleep{sleep.id, wait->until, is_dated});
  }
}

void ProcessSession::report_connections() {
  std::list<Connection>& connections = running_.guest->sockets().all();
  for (auto each = connections.begin(); each != connections.end();) {
    Line& line = line_of(*each);
    if (line.listens && !line.queue.empty()) {
      add(Effect::Kind::drop).id = std::exchange(line.sent, 0);
      line.listens = false;
    }
    if (line.sent == 0 && (!line.queue.empty() || line.is_subscribed) && !each->is_hung_up) send(*each, line);
    if (!each->is_hung_up) {
      ++each;
      continue;
    }
    // It waits for nothing that it sent before it hung up; what it sent without waiting is on its way.
    while (!line.queue.empty() && each->end.is_open()) {
      if (line.sent != 0) add(Effect::Kind::drop).id = line.sent;
      send(*each, line);
    }
    if (line.sent != 0) add(Effect::Kind::drop).id = line.sent;
    if (line.is_own) add(Effect::Kind::hang_up).connection = each->number;
    lines_.erase(each->number);
    each = connections.erase(each);
  }
}

// The next request; or listens.
void ProcessSession::send(const Connection& connection, Line& line) {
  Request request;
  if (!line.queue.empty()) {
    request = std::move(line.queue.front());
    line.queue.pop_front();
  }
  line.listens = request.words.empty();
  if (!line.listens && !database_) database_ = line.wire->database();
  if (!line.listens && *database_ != line.wire->database())
    throw BeyondModel("not simulated: a program that uses several databases");
  line.is_subscribed = line.is_subscribed || request.subscribes;
  line.is_own = line.is_own || request.needs_session;
  Effect& sent = add(Effect::Kind::send);
  sent.id = line.sent = ++ids_;
  sent.server = running_.guest->sockets().server_of(connection);
  sent.connection = line.is_own ? connection.number : 0;
  if (request.waits) sent.duration = *request.waits;
  if (line.listens) sent.duration = OwnConnection::for_ever;
  // Its timeouts are its own: it is woken when they are over.
  sent.is_patient = !request.waits && !line.listens;
  sent.words = std::move(request.words);
  sent.line = {program_.command().id.c_str(), 0};
}

void ProcessSession::report_lines() {
  for (std::string& line : running_.guest->take_lines()) {
    // What is told of it ends where a text of C does.
    std::replace(line.begin(), line.end(), '\0', ' ');
    report_line(line);
  }
}

void ProcessSession::report_line(const std::string& line) {
  std::istringstream text(line);
  std::string word;
  text >> word;
  constexpr std::array<std::pair<std::string_view, Effect::Kind>, 8> words{
      {{"granted", Effect::Kind::granted},
       {"refused", Effect::Kind::refused},
       {"failed", Effect::Kind::failed},
       {"released", Effect::Kind::released},
       {"not-held", Effect::Kind::not_held},
       {"unknown", Effect::Kind::unknown},
       {"renewed", Effect::Kind::renewed},
       {"lost", Effect::Kind::lost}}};
  const auto found =
      std::find_if(words.begin(), words.end(), [&](const auto& each) { return each.first == word; });
  if (found == words.end())
    throw Unusable(
        fmt::format("it says \"{}\"; it may say granted [TOKEN [LEASE_MS]], refused WHY, failed WHY, "
                    "released, not-held, unknown WHY, renewed or lost",
                    line));
  const Effect::Kind kind = found->second;
  const bool is_trouble = kind == Effect::Kind::failed || kind == Effect::Kind::unknown;
  if (is_trouble || !running_.guest->sockets().tried().empty()) require_connection(line);
  const bool is_news = kind == Effect::Kind::renewed || kind == Effect::Kind::lost;
  if (!is_news && given_up_ > 0) return --given_up_, void();
  if (!is_news && !is_in_call_) throw Unusable(fmt::format("it says \"{}\", and was asked nothing", line));
  if (!is_news) is_in_call_ = false;
  Effect& effect = add(kind);
  std::string rest;
  std::getline(text >> std::ws, rest);
  effect.text = rest;
  if (kind == Effect::Kind::granted || kind == Effect::Kind::renewed) {
    std::istringstream parts(rest);
    std::string lease;
    parts >> effect.text >> lease;
    if (rest.empty()) effect.text = token_;
    token_ = effect.text;
    if (std::string more; !lease.empty()) {
      const std::optional<std::int64_t> ms = number_in(lease);
      if (!ms || *ms < 1 || *ms > lease_ms_max || parts >> more)
        throw Unusable(
            fmt::format("it says \"{}\"; after the token comes LEASE_MS, a whole number of "
                        "milliseconds from 1 to {}, or nothing if the lock has no lease",
                        line, lease_ms_max));
      lease_ = Duration(std::chrono::milliseconds(*ms));
    }
    effect.duration = lease_;
  }
  if (kind == Effect::Kind::lost) effect.text = token_;
}

// Nothing that it says is of use to anybody, if it says so without a server.
void ProcessSession::require_connection(const std::string& said) const {
  const Sockets& sockets = running_.guest->sockets();
  if (sockets.has_connected()) return;
  throw Unusable(fmt::format(
      "it never connected to a server{}; it tried {}; {}{}",
      said.empty() ? "" : fmt::format(", and says \"{}\"", said),
      sockets.tried().empty() ? "nothing" : fmt::format("{}", fmt::join(sockets.tried(), " and ")),
      sockets.servers_in_words(), running_.guest->last_errors()));
}

// REQUIRES: the program ended, answers, or waits for something that can come. Throws Unusable otherwise.
void ProcessSession::require_sense() const {
  const Guest& guest = *running_.guest;
  if (guest.is_finished()) throw Unusable(guest.end_in_words() + guest.last_errors());
  const bool is_waiting = !sleeps_.empty() || std::any_of(lines_.begin(), lines_.end(), [](const auto& each) {
    return each.second.sent != 0;
  });
  if (is_in_call_ && !is_waiting)
    throw Unusable("it has not answered, and waits for nothing that can come" + guest.last_errors());
}

}  // namespace holdfast::process
