#include "reports/events_test.hpp"

#include <string>
#include <variant>

#include "reports/event_fields.hpp"

namespace holdfast::reports {
namespace {

// A visitor of event_fields.hpp: fills every field at random.
struct AnyFields {
  template <class Field>
  void operator()(const char*, Field& field) {
    fill(field);
  }

  static void fill(ClientId& client) { client.value = *rc::gen::inRange(0u, 3u); }
  static void fill(NodeId& node) { node.value = 0; }
  static void fill(MessageId& message) { message.value = *rc::gen::inRange(0u, 6u); }
  static void fill(Acquisition& acquisition) {
    acquisition = *rc::gen::arbitrary<bool>()
                      ? Acquisition{}
                      : Acquisition{ClientId{*rc::gen::inRange(0u, 3u)}, *rc::gen::inRange(0u, 4u)};
  }
  static void fill(Duration& duration) { duration = Duration(*rc::gen::arbitrary<std::int32_t>()); }
  static void fill(Instant& at) {
    at = *rc::gen::arbitrary<bool>() ? never : Instant(Duration(*rc::gen::arbitrary<std::int32_t>()));
  }
  static void fill(bool& flag) { flag = *rc::gen::arbitrary<bool>(); }
  static void fill(std::uint32_t& number) { number = *rc::gen::inRange(0u, 9u); }
  static void fill(std::string& text) { text = *rc::gen::arbitrary<std::string>(); }
  static void fill(std::vector<std::string>& words) {
    words = *rc::gen::arbitrary<std::vector<std::string>>();
  }
  static void fill(std::optional<std::uint64_t>& number) {
    number.reset();
    if (*rc::gen::arbitrary<bool>()) number = *rc::gen::arbitrary<std::uint32_t>();
  }
  static void fill(SourceLine& where) {
    where = *rc::gen::arbitrary<bool>() ? SourceLine{}
                                        : SourceLine{"algorithms/token.cpp", *rc::gen::inRange(1u, 99u)};
  }
  static void fill(Reply& reply) { reply = any_reply(2); }
  template <class Enum>
    requires std::is_enum_v<Enum>
  static void fill(Enum& word) {
    word = static_cast<Enum>(*rc::gen::inRange<std::size_t>(0, ids_of<Enum>().size()));
  }

  static Reply any_reply(int depth) {
    switch (*rc::gen::inRange(0, depth == 0 ? 6 : 7)) {
      case 0: return Reply::nil();
      case 1: return Reply::status(*rc::gen::arbitrary<std::string>());
      case 2: return Reply::integer(*rc::gen::arbitrary<std::int64_t>());
      case 3: return Reply::bulk(*rc::gen::arbitrary<std::string>());
      case 4: return Reply::error(*rc::gen::arbitrary<std::string>());
      case 5: return Reply::lost();
      default: return Reply::array({any_reply(depth - 1), any_reply(depth - 1)});
    }
  }
};

template <std::size_t index = 0>
What any_what(std::size_t kind) {
  if constexpr (index < std::variant_size_v<AnyEvent>) {
    if (kind != index) return any_what<index + 1>(kind);
    std::variant_alternative_t<index, AnyEvent> what;
    AnyFields fields;
    describe(fields, what);
    return what;
  }
  return Ended{};
}

Actor any_actor() {
  switch (*rc::gen::inRange(0, 3)) {
    case 0: return {};
    case 1: return actor_of(ClientId{*rc::gen::inRange(0u, 40u)});
    default: return actor_of(NodeId{*rc::gen::inRange(0u, 5u)});
  }
}

}  // namespace

rc::Gen<std::vector<Event>> any_events() {
  return rc::gen::exec([] {
    std::vector<Event> events;
    const int count = *rc::gen::inRange(0, 20);
    Step step{1};
    Instant at{};
    for (int i = 0; i < count; ++i) {
      step.value += *rc::gen::inRange(0u, 3u);
      at += Duration(*rc::gen::inRange(0, 2'000'000));
      events.push_back({step, at, any_actor(),
                        any_what(*rc::gen::inRange<std::size_t>(0, std::variant_size_v<AnyEvent>))});
    }
    return events;
  });
}

Action any_action(Actor actor) {
  Action action{.kind = static_cast<Action::Kind>(*rc::gen::inRange<std::size_t>(0, action_ids.size())),
                .actor = actor,
                .nth = *rc::gen::inRange(0u, 3u)};
  if (action.kind == Action::Kind::strike)
    action.fault = static_cast<Fault>(*rc::gen::inRange<std::size_t>(1, fault_ids.size()));
  action.how = how_of_number(action, *rc::gen::inRange(0u, 7u));
  return action;
}

Tape any_tape() {
  Tape tape;
  const int count = *rc::gen::inRange(0, 20);
  for (int i = 0; i < count; ++i) {
    const std::uint32_t options = *rc::gen::inRange(2u, 9u);
    Choice choice{Site::step, any_actor(), options, *rc::gen::inRange(0u, options)};
    AnyFields::fill(choice.site);
    if (choice.site == Site::step) choice.action = any_action(std::exchange(choice.actor, Actor{}));
    tape.push_back(choice);
  }
  return tape;
}

}  // namespace holdfast::reports
