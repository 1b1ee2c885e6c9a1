#include "sim/redis/scripts.hpp"

#include "sim/core/arena.hpp"
#include "sim/redis/engine.hpp"

namespace holdfast::redis {
namespace {

// The engine outlives the world that calls it: what it keeps lies outside of the world's arena, and what the
// world keeps inside. So everything that crosses is copied.
class BackInside final : public Scripts::Host {
 public:
  BackInside(Scripts::Host& host, Arena* arena) : host_(host), arena_(arena) {}
  Reply call(const std::vector<std::string>& argv, std::size_t& elements) override {
    const Reply reply = call_inside(argv, elements);
    const Arena::Outside outside;
    return Reply(reply);
  }
  bool has_command(const std::vector<std::string>& argv) const override { return host_.has_command(argv); }

 private:
  Reply call_inside(const std::vector<std::string>& argv, std::size_t& elements) {
    const Arena::Inside inside(arena_);
    return host_.call(argv, elements);
  }
  Scripts::Host& host_;
  Arena* arena_;
};

}  // namespace

Scripts::Scripts() : Scripts(Limits()) {}
Scripts::Scripts(Limits limits) : engine_(std::make_unique<Engine>(limits)) {}
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

Reply Scripts::run(const Script& script, std::span<const std::string> keys, std::span<const std::string> args,
                   Host& host) {
  Reply outer;
  {
    const Arena::Outside outside;
    BackInside back(host, outside.before());
    outer = engine_->run(script, keys, args, back);
  }
  const Reply& result = outer;
  return result;
}

}  // namespace holdfast::redis
