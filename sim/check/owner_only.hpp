// For owner-only-release and owner-only-change: only its owner touches the key of a current grant.
//
// The owner is an acquisition, not a client: an earlier acquisition of the same client is another owner. A
// grant is current while its client claims it and its lease is not over. A command may take effect before
// acquire() returns, so a key can be harmed before its grant; that counts from the moment of the grant, if
// the harm fell within the lease. Readers share a key, so it is nobody's own: this is about exclusive grants.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string_view>

#include "sim/check/checker.hpp"

namespace holdfast {

class OwnerOnly : public Checker {
 public:
  OwnerOnly(Property property, FactSet depends_on)
      : Checker(property, events_of<Granted, KeyChanged>(), depends_on) {}

  void on(const Event& event, const Ledger& before) final;
  Finding finding() const final;

 private:
  virtual bool is_harm(const KeyChanged& change) const = 0;
  virtual std::optional<Deed> early_harm(const Account& account) const = 0;
  // "removed", "changed"
  virtual std::string_view verb() const = 0;

  struct Evidence {
    Account owner;
    Moment granted;
    Deed harm;
    bool is_early;  // the harm came before the grant
  };
  std::unique_ptr<Evidence> evidence_;
};

inline void OwnerOnly::on(const Event& event, const Ledger& before) {
  const Moment moment{event.step, event.at};
  if (const KeyChanged* const change = std::get_if<KeyChanged>(&event.what)) {
    const Account* const owner = before.find(change->before);
    if (!is_harm(*change) || change->by == change->before || owner == nullptr) return;
    if (owner->mode == Mode::shared || !owner->is_current(event.at)) return;
    evidence_ = std::make_unique<Evidence>(Evidence{*owner, owner->granted, Deed{change->by, moment}, false});
    violated_ = true;
    return;
  }
  const Granted& granted = std::get<Granted>(event.what);
  if (granted.mode == Mode::shared) return;
  const Account* const owner = before.find(granted.acquisition);
  const std::optional<Deed> harm = owner != nullptr ? early_harm(*owner) : std::nullopt;
  if (!harm || harm->moment.at > granted.lease_until) return;
  evidence_ = std::make_unique<Evidence>(Evidence{*owner, moment, *harm, true});
  violated_ = true;
}

inline Finding OwnerOnly::finding() const {
  const auto& [account, granted, harm, is_early] = *evidence_;
  const ClientId owner = account.acquisition.client;
  const std::string by = name_of(harm.by, owner);
  const std::string when = text_of(harm.moment.at);
  if (is_early)
    return {property(), harm.moment.step, granted.step,
            fmt::format("At {} a command of {} {} the key that {} had written; at {} {} was granted the lock "
                        "all the same.",
                        when, by, verb(), name_of(owner), text_of(granted.at), name_of(owner))};
  return {
      property(), granted.step, harm.moment.step,
      fmt::format("At {} a command of {} {} the key of the lock that {} was granted at {} and still holds.",
                  when, by, verb(), name_of(owner), text_of(granted.at))};
}

}  // namespace holdfast
