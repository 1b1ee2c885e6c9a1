#include "sim/stores/redis/scripts.hpp"

#include <algorithm>

#include "sim/core/arena.hpp"
#include "sim/core/time_text.hpp"
#include "sim/stores/redis/disguise.hpp"
#include "sim/stores/redis/engine.hpp"
#include "sim/stores/redis/script_memo.hpp"

namespace holdfast::redis {
namespace {

// Where time is dense, what is done with one is a choice.
bool tells_time(const Reply& reply) {
  const std::vector<Reply>& elements = reply.elements();
  return reply.is_unknown() || has_mark(reply.text()) ||
         std::any_of(elements.begin(), elements.end(), [](const Reply& each) { return tells_time(each); });
}

// The engine outlives the world that calls it: what it keeps lies outside of the world's arena, and what the
// world keeps inside. So everything that crosses is copied. What the script was told before it lost its way
// in the memo is told again; the calls were made.
class BackInside final : public Scripts::Host {
 public:
  // `course`: where to note what the script did; null: nowhere.
  BackInside(Scripts::Host& host, Arena* arena, std::span<const ScriptMemo::Answer> told,
             ScriptMemo::Course* course)
      : host_(host), arena_(arena), told_(told), course_(course) {}
  Reply call(WordsView argv, std::size_t& elements) override {
    const ScriptMemo::Answer answer = calls_ < told_.size() ? told_[calls_] : call_inside(argv);
    ++calls_;
    elements = answer.elements;
    is_told_time_ |= tells_time(answer.reply);
    const Arena::Outside outside;
    if (course_ != nullptr) course_->calls.emplace_back(Command(argv), answer);
    return Reply(answer.reply);
  }
  bool has_command(WordsView argv) const override { return host_.has_command(argv); }
  void note_not_simulated(std::string_view what) override {
    is_simulated_ = false;
    host_.note_not_simulated(what);
  }
  // It does the same again when told the same.
  bool is_told_time() const { return is_told_time_; }
  bool is_memorable() const { return is_simulated_ && !is_told_time_; }

 private:
  ScriptMemo::Answer call_inside(WordsView argv) {
    const Arena::Inside inside(arena_);
    return ScriptMemo::ask(host_, argv);
  }
  Scripts::Host& host_;
  Arena* arena_;
  std::span<const ScriptMemo::Answer> told_;
  ScriptMemo::Course* course_;
  std::size_t calls_ = 0;
  bool is_simulated_ = true;
  bool is_told_time_ = false;
};

// Shows the server the texts of a run, and hides from the script what they say.
class Disguised final : public Scripts::Host {
 public:
  Disguised(Scripts::Host& host, Disguise& disguise) : host_(host), disguise_(disguise) {}
  Reply call(WordsView argv, std::size_t& elements) override {
    Reply reply = host_.call(shown(argv).argv(), elements);
    disguise_.hide(reply);
    return reply;
  }
  bool has_command(WordsView argv) const override { return host_.has_command(shown(argv).argv()); }
  void note_not_simulated(std::string_view what) override { host_.note_not_simulated(what); }

 private:
  Command shown(WordsView argv) const {
    Command command(Command::Reserve{argv.size(), argv.bytes() + disguise_.hidden_bytes()});
    for (const std::string_view word : argv) command.add(disguise_.show(word));
    return command;
  }
  Scripts::Host& host_;
  Disguise& disguise_;
};

Command instead(WordsView words, const ByChance& by_chance, std::size_t number) {
  Command others;
  for (const std::string_view word : words) others.add(by_chance.instead(word, number));
  return others;
}

Reply instead(const Reply& reply, const ByChance& by_chance, std::size_t number) {
  std::vector<Reply> elements;
  for (const Reply& each : reply.elements()) elements.push_back(instead(each, by_chance, number));
  switch (reply.kind()) {
    case Reply::Kind::bulk: return Reply::bulk(by_chance.instead(reply.text(), number));
    case Reply::Kind::status: return Reply::status(by_chance.instead(reply.text(), number));
    case Reply::Kind::error: return Reply::error(by_chance.instead(reply.text(), number));
    case Reply::Kind::array: return Reply::array(std::move(elements));
    default: return reply;
  }
}

// Answers as in an earlier run, with other texts, as long as the script calls what it called then.
class WithOthers final : public Scripts::Host {
 public:
  WithOthers(const ScriptCourse& course, const ByChance& by_chance, std::size_t number)
      : course_(course), by_chance_(by_chance), number_(number) {}
  Reply call(WordsView argv, std::size_t& elements) override {
    const std::size_t place = calls_++;
    is_same_ = is_same_ && place < course_.calls.size() &&
               instead(course_.calls[place].first.argv(), by_chance_, number_).argv() == argv;
    if (!is_same_) return Reply::nil();
    elements = course_.calls[place].second.elements;
    return instead(course_.calls[place].second.reply, by_chance_, number_);
  }
  bool has_command(WordsView) const override { return true; }
  void note_not_simulated(std::string_view) override {}  // the run that is compared has noted it
  bool was_same(const Reply& result) const {
    return is_same_ && calls_ == course_.calls.size() &&
           result == instead(course_.result, by_chance_, number_);
  }

 private:
  const ScriptCourse& course_;
  const ByChance& by_chance_;
  std::size_t number_;
  std::size_t calls_ = 0;
  bool is_same_ = true;
};

// What the run was given or told, if others could stand there.
std::optional<std::string> first_by_chance(WordsView words, const ScriptCourse& course,
                                           const ByChance& by_chance) {
  for (const std::string_view word : words)
    if (by_chance.instead(word, 0) != word) return std::string(word);
  for (const auto& [call, answer] : course.calls)
    if (!(instead(answer.reply, by_chance, 0) == answer.reply)) return answer.reply.text();
  return std::nullopt;
}

void hide(WordsView texts, Disguise& disguise, Command& names) {
  for (const std::string_view text : texts) names.add(disguise.hide(text));
}

}  // namespace

Scripts::Scripts() : Scripts(Limits()) {}
Scripts::Scripts(Limits limits)
    : engine_(std::make_unique<Engine>(limits)),
      memo_(std::make_unique<ScriptMemo>()),
      disguised_memo_(std::make_unique<ScriptMemo>()),
      chancy_memo_(std::make_unique<ScriptMemo>()) {}
Scripts::~Scripts() = default;

const Script* Scripts::compile(std::string_view body, Reply& problem) {
  Reply found;
  const Script* script = nullptr;
  {
    const Arena::Outside outside;
    script = engine_->compile(body, found);
  }
  if (script == nullptr) problem = Reply(found);
  return script;
}

const Script* Scripts::find(std::string_view sha) const { return engine_->find(sha); }

Reply Scripts::run(const Script& script, WordsView keys, WordsView args, Host& host) {
  const bool may_look = !script.own_texts;
  if (may_look && by_chance_ != nullptr) return run_along(*chancy_memo_, script, keys, args, host);
  const auto has_time = [](WordsView words) { return std::any_of(words.begin(), words.end(), has_mark); };
  if (!remembers_ || (may_look && (has_time(keys) || has_time(args))))
    return run_in_lua(nullptr, script, keys, args, host, {});
  if (may_look) return run_along(*memo_, script, keys, args, host);
  Disguise disguise(*script.own_texts);
  const std::size_t texts = keys.size() + args.size();
  Command names(Command::Reserve{texts, texts * Disguise::usual_size});
  hide(keys, disguise, names);
  hide(args, disguise, names);
  const WordsView hidden_keys = names.argv().first(keys.size());
  const WordsView hidden_args = names.argv().subspan(keys.size());
  Disguised disguised(host, disguise);
  return disguise.show(run_along(*disguised_memo_, script, hidden_keys, hidden_args, disguised));
}

Reply Scripts::run_along(ScriptMemo& memo, const Script& script, WordsView keys, WordsView args, Host& host) {
  if (memo.is_overrun()) return run_in_lua(nullptr, script, keys, args, host, {});
  const ScriptMemo::Node* node = nullptr;
  {
    const Arena::Outside outside;
    node = memo.find(script, keys, args);
  }
  if (node == nullptr) return run_in_lua(&memo, script, keys, args, host, {});
  while (!node->is_end) {
    ScriptMemo::Answer answer = ScriptMemo::ask(host, node->call.argv());
    const ScriptMemo::Node* const next =
        tells_time(answer.reply) ? nullptr : ScriptMemo::after(*node, answer);
    if (next == nullptr) {
      std::vector<ScriptMemo::Answer> told = ScriptMemo::told_before(*node);
      told.push_back(std::move(answer));
      return run_in_lua(&memo, script, keys, args, host, told);
    }
    node = next;
  }
  return node->result;
}

Reply Scripts::run_in_lua(ScriptMemo* memo, const Script& script, WordsView keys, WordsView args, Host& host,
                          std::span<const ScriptMemo::Answer> told) {
  Reply outer;
  {
    const Arena::Outside outside;
    ScriptMemo::Course course;
    BackInside back(host, outside.before(), told, memo != nullptr ? &course : nullptr);
    outer = engine_->run(script, keys, args, back);
    course.result = outer;
    if (memo == chancy_memo_.get() && back.is_told_time())
      time_oracle->obstruct("a script that may look into texts of a program is told a time");
    else if (memo == chancy_memo_.get()) look_for_looks(script, keys, args, course);
    if (memo != nullptr && back.is_memorable()) memo->note(script, keys, args, std::move(course));
  }
  const Reply& result = outer;
  return result;
}

// Does a run that was given other texts the same?
void Scripts::look_for_looks(const Script& script, WordsView keys, WordsView args,
                             const ScriptCourse& course) {
  Command words;
  for (const WordsView& each : {keys, args})
    for (const std::string_view word : each) words.add(word);
  const std::optional<std::string> text = first_by_chance(words.argv(), course, *by_chance_);
  for (std::size_t number = 0; text && looked_.empty() && number < by_chance_->count(); ++number) {
    const Command others = instead(words.argv(), *by_chance_, number);
    WithOthers host(course, *by_chance_, number);
    const Reply result =
        engine_->run(script, others.argv().first(keys.size()), others.argv().subspan(keys.size()), host);
    if (!host.was_same(result))
      looked_ = "a script looks into \"" + *text +
                "\", which the program makes by chance: with another text it does something else";
  }
}

}  // namespace holdfast::redis
