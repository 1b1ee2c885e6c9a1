// owner-only-change: only the acquisition that owns a current grant overwrites its key or changes its expiry.
#include "sim/check/owner_only.hpp"

namespace holdfast::checkers {
namespace {

class OwnerOnlyChange final : public OwnerOnly {
 public:
  OwnerOnlyChange()
      : OwnerOnly(Property::owner_only_change, {Fact::phase, Fact::lease, Fact::early_change}) {}

 private:
  bool is_harm(const KeyChanged& change) const override {
    using Kind = KeyChanged::Kind;
    return (change.kind == Kind::overwritten && !removes(change)) || change.kind == Kind::ttl_changed;
  }
  std::optional<Deed> early_harm(const Account& account) const override { return account.early_change; }
  std::string_view verb() const override { return "changed"; }
};

}  // namespace

std::unique_ptr<Checker> owner_only_change() { return std::make_unique<OwnerOnlyChange>(); }

}  // namespace holdfast::checkers
