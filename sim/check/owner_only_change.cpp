// owner-only-change: only the acquisition that owns a current grant overwrites its key, and only its client
// changes the expiry of that: a late renewal of what the client held before gives it its own lease once more.
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
    return (change.kind == Kind::overwritten && !removes(change)) || renews_of_another(change);
  }
  std::optional<Deed> early_harm(const Account& account) const override { return account.early_change; }
  std::string_view verb() const override { return "changed"; }
};

}  // namespace

std::unique_ptr<Checker> owner_only_change() { return std::make_unique<OwnerOnlyChange>(); }

}  // namespace holdfast::checkers
