#include "sim/cli/live_options.hpp"

#include <fmt/format.h>

#include "sim/cli/usage.hpp"
#include "sim/live/address.hpp"
#include "sim/scenario/problem.hpp"
#include "sim/serve/rule.hpp"

namespace holdfast::cli {
namespace {

template <class Number>
void add_count(CLI::App* command, const char* name, Number& into, std::uint64_t high, const char* help) {
  const auto set = [name, &into, high](const std::string& text) {
    into = static_cast<Number>(whole_number(name, text, 1, high));
  };
  command->add_option_function<std::string>(name, set, help)
      ->type_name("N")
      ->default_str(std::to_string(into));
}

void add_time(CLI::App* command, const char* name, Duration& into, Duration least, const char* help) {
  const auto set = [name, &into, least](const std::string& text) {
    const std::optional<Duration> time = parse_duration(text);
    if (!time) throw CLI::ValidationError(name, in_quotes(text) + " " + duration_complaint(text));
    if (*time < least)
      throw CLI::ValidationError(name, fmt::format("{} is shorter than {}", in_quotes(text), to_text(least)));
    into = *time;
  };
  command->add_option_function<std::string>(name, set, help)->type_name("TIME")->default_str(to_text(into));
}

// How long each lock is measured: a time or a number of rounds.
void add_length(CLI::App* command, LiveOptions& live) {
  const auto set_seconds = [&live](const std::string& text) {
    live.length = std::chrono::seconds(whole_number("--seconds", text, 1, 86'400));
  };
  CLI::Option* const seconds =
      command->add_option_function<std::string>("--seconds", set_seconds, "how long each lock is measured")
          ->type_name("N")
          ->default_str("5");
  const auto set_count = [&live](const std::string& text) {
    live.pairs = whole_number("--count", text, 1, 1'000'000'000'000);
  };
  command
      ->add_option_function<std::string>("--count", set_count,
                                         "how many pairs of acquire and release each lock is measured for, "
                                         "instead")
      ->type_name("N")
      ->excludes(seconds);
}

}  // namespace

void add_redis(CLI::App* command, Options& options) {
  LiveOptions& live = options.live;
  const auto set = [&live](const std::vector<std::string>& urls) {
    try {
      for (const std::string& url : urls) live::parse_address(url);
    } catch (const std::invalid_argument& error) {
      throw CLI::ValidationError("--redis", error.what());
    }
    live.redis = urls;
  };
  command
      ->add_option_function<std::vector<std::string>>(
          "--redis", set,
          "an existing server: unix:/path or redis://[user:password@]host:port/database; once for each "
          "server "
          "of a lock on several; only keys under a random prefix are touched, and deleted at the end")
      ->allow_extra_args(false)
      ->type_name("URL")
      ->default_str("private servers that end with this command");
}

void add_live_flags(CLI::App* command, Options& options, const char* help) {
  command->add_flag("--live", options.live.is_asked_for, help);
  add_redis(command, options);
}

CLI::App* add_live_command(CLI::App& app, Options& options) {
  LiveOptions& live = options.live;
  CLI::App* command =
      app.add_subcommand("live", "The same locks against a real Redis: throughput, latency, violations.");
  command->footer(
      "Examples:\n"
      "  holdfast live token\n"
      "  holdfast live token,getset --clients 64 --seconds 10\n"
      "  holdfast live '*' --count 10000 --locks 8 --work 0s --format json\n"
      "  holdfast live token --faults slow-section,late-request --clients 16\n"
      "  holdfast live set-nx-px --processes --faults pause --param ttl=200ms --work 20ms\n"
      "  holdfast live redlock --param nodes=3 --faults restart\n"
      "  holdfast live token --faults failover,eviction\n"
      "  holdfast live token --redis redis://localhost:6379/0");
  command->add_option("ALG", options.names, "ids or globs of locks; see: holdfast list algorithms")
      ->delimiter(',')
      ->required();
  add_length(command, live);
  CLI::Option* const processes = command->add_flag(
      "--processes", live.in_processes,
      "each client is a process: it is stopped by SIGSTOP (fault pause) and dies by SIGKILL (fault crash)");
  add_count(command, "--clients", live.clients, 10'000,
            "closed-loop clients, at most 10000; in processes of their own, 1000");
  add_count(command, "--locks", live.locks, 10'000, "locks that they share, each client one");
  const auto set_connections = [&live](const std::string& text) {
    live.connections = static_cast<std::uint32_t>(whole_number("--connections", text, 1, 10'000));
  };
  command->add_option_function<std::string>("--connections", set_connections, "connections that they share")
      ->excludes(processes)
      ->type_name("N")
      ->default_str("1; through a proxy, one for each client");
  add_time(command, "--work", live.work, 0s, "how long a client works under the lock");
  add_time(command, "--retry", live.retry, 0s, "how long it waits after an attempt in vain");
  add_time(command, "--timeout", live.timeout, 1ms, "how long it waits for a reply");
  command
      ->add_option(
          "--faults,--fault", options.faults,
          "what goes wrong, globs: crash, pause (of processes), slow-section, clock-skew; what is done to a "
          "private server: restart, failover (to a replica that lacks the last writes), eviction (of a key "
          "of "
          "the lock); and what a proxy does: late-request, late-reply, lost-request, lost-reply, duplicate, "
          "partition")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("GLOBS")
      ->default_str("none");
  add_count(command, "--one-in", live.one_in, 1'000'000,
            "each fault strikes one in so many messages, sections or turns of 10 ms");
  add_redis(command, options);
  return command;
}

CLI::App* add_hunt_command(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand(
      "hunt", "A second opinion: looks on a real Redis for violations of what the comparison says holds.");
  command->footer(
      "Examples:\n"
      "  holdfast hunt\n"
      "  holdfast hunt token,redis-py --faults pause,crash --seconds 60\n"
      "  holdfast hunt set-nx-px --faults pause --violated\n"
      "  holdfast hunt 'redis-*' --format json > hunt.json");
  command->add_option("LOCK", options.names, "ids or globs of locks; else all that can be hunted")
      ->delimiter(',')
      ->default_str("");
  const auto set_seconds = [&live = options.live](const std::string& text) {
    live.length = std::chrono::seconds(whole_number("--seconds", text, 1, 86'400));
  };
  command
      ->add_option_function<std::string>("--seconds", set_seconds,
                                         "how long the hunt lasts in all, after the exploration")
      ->type_name("N")
      ->default_str("30");
  command->add_flag("--violated", options.hunt_violated,
                    "instead: hunt what the comparison says is violated, to see whether it is found");
  return command;
}

CLI::Option* add_serving(CLI::App* command, Options& options) {
  ServeOptions& serve = options.serve;
  const auto set_address = [&serve](const std::string& url) {
    try {
      live::parse_address(url, 0);
    } catch (const std::invalid_argument& error) {
      throw CLI::ValidationError("--listen", error.what());
    }
    serve.listen = url;
  };
  CLI::Option* const listen =
      command
          ->add_option_function<std::string>("--listen", set_address,
                                             "be a server at unix:/path or redis://127.0.0.1:port, until it "
                                             "is told to end; port 0: any that is free")
          ->type_name("URL");
  const auto set_rules = [&serve](const std::vector<std::string>& rules) {
    try {
      for (const std::string& rule : rules) serve::parse_rule(rule);
    } catch (const std::invalid_argument& error) {
      throw CLI::ValidationError("--rule", error.what());
    }
    serve.rules = rules;
  };
  command
      ->add_option_function<std::vector<std::string>>(
          "--rule", set_rules,
          "FAULT [TIME] [of COMMAND] [with GLOB] [once | every N | one in N], such as 'late-reply 500ms of "
          "SET every 3'; once for each rule")
      ->allow_extra_args(false)
      ->needs(listen)
      ->type_name("RULE");
  return listen;
}

}  // namespace holdfast::cli
