#include "sim/redis/scripts.hpp"

#include "sim/redis/engine.hpp"

namespace holdfast::redis {

Scripts::Scripts() : Scripts(Limits()) {}
Scripts::Scripts(Limits limits) : engine_(std::make_unique<Engine>(limits)) {}
Scripts::~Scripts() = default;

const Script* Scripts::compile(std::string_view body, Reply& problem) { return engine_->compile(body, problem); }
const Script* Scripts::find(std::string_view sha) const { return engine_->find(sha); }
Reply Scripts::run(const Script& script, std::span<const std::string> keys, std::span<const std::string> args,
                   Host& host) {
  return engine_->run(script, keys, args, host);
}

}  // namespace holdfast::redis
