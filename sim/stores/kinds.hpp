// The kinds of stores, and what servers of one kind share.
#pragma once

#include <memory>

#include "sim/core/by_chance.hpp"
#include "sim/core/vocabulary.hpp"
#include "sim/stores/server.hpp"

namespace holdfast::redis {
class Scripts;
}

namespace holdfast::stores {

// Makes servers, which it must outlive. They share what no client can see: a script that one has run is not
// run again by another.
class Kinds {
 public:
  Kinds();
  ~Kinds();
  Kinds(const Kinds&) = delete;

  std::unique_ptr<Server> make(StoreKind kind);
  const Traits& traits_of(StoreKind kind) { return make(kind)->traits(); }  // live for ever
  // Whether a script that does what it did before is left out.
  void remember_scripts(bool remembers);
  // From now on these texts are made by chance; nullptr: none is. A server that looks into them says so.
  void suppose(const ByChance* texts);

 private:
  std::unique_ptr<Server> make_redis();
  static std::unique_ptr<Server> make_shared_dict();
  static std::unique_ptr<Server> make_postgres();
  static std::unique_ptr<Server> make_etcd();
  static std::unique_ptr<Server> make_zookeeper();
  std::unique_ptr<redis::Scripts> scripts_;
};

// Of a kind that is not in the vocabulary. Defined by who has one: a test.
[[gnu::weak]] std::unique_ptr<Server> make_own(StoreKind kind);

}  // namespace holdfast::stores
