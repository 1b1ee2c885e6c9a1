#include "sim/stores/kinds.hpp"

#include "sim/core/invariant.hpp"
#include "sim/stores/redis/scripts.hpp"

namespace holdfast::stores {

Kinds::Kinds() : scripts_(std::make_unique<redis::Scripts>()) {}
Kinds::~Kinds() = default;
void Kinds::remember_scripts(bool remembers) { scripts_->remember(remembers); }
void Kinds::suppose(const ByChance* texts) { scripts_->suppose(texts); }

std::unique_ptr<Server> Kinds::make(StoreKind kind) {
  switch (kind) {
    case StoreKind::redis: return make_redis();
    case StoreKind::shared_dict: return make_shared_dict();
    case StoreKind::postgres: return make_postgres();
    case StoreKind::etcd: return make_etcd();
    case StoreKind::zookeeper: return make_zookeeper();
  }
  INVARIANT(make_own != nullptr, "a kind of store is known to who makes its servers");
  return make_own(kind);
}

}  // namespace holdfast::stores
