// owner-only-release: only the acquisition that owns a current grant removes its key.
#include "sim/check/owner_only.hpp"

namespace holdfast::checkers {
namespace {

class OwnerOnlyRelease final : public OwnerOnly {
 public:
  OwnerOnlyRelease()
      : OwnerOnly(Property::owner_only_release, {Fact::phase, Fact::lease, Fact::early_removal}) {}

 private:
  bool is_harm(const KeyChanged& change) const override { return removes(change); }
  std::optional<Deed> early_harm(const Account& account) const override { return account.early_removal; }
  std::string_view verb() const override { return "removed"; }
};

}  // namespace

std::unique_ptr<Checker> owner_only_release() { return std::make_unique<OwnerOnlyRelease>(); }

}  // namespace holdfast::checkers
