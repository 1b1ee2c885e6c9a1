// The options of commands that use a real Redis server, or are one.
#include <fmt/format.h>

#include "sim/cli/commands.hpp"
#include "sim/cli/parser.hpp"
#include "sim/live/address.hpp"
#include "sim/scenario/problem.hpp"
#include "sim/serve/rule.hpp"

namespace holdfast::cli {
namespace {

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

}  // namespace

void add_servers(CLI::App* command, RealServers& into) {
  const auto set = [&into](const std::vector<std::string>& urls) {
    try {
      for (const std::string& url : urls) live::parse_address(url);
    } catch (const std::invalid_argument& error) {
      throw CLI::ValidationError("--redis", error.what());
    }
    into.redis = urls;
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

void add_live_flags(CLI::App* command, Confirming& into, const char* help) {
  command->add_flag("--live", into.is_live, help);
  add_servers(command, into);
}

namespace {

void add_live_command(Parser& parser) {
  const auto [app, options] = parser.command<LiveOptions>(
      "live", "The same locks against a real Redis: throughput, latency, violations.",
      "  holdfast live token\n"
      "  holdfast live token,getset --clients 64 --seconds 10\n"
      "  holdfast live '*' --count 10000 --locks 8 --work 0s --format json\n"
      "  holdfast live token --faults slow-section,late-request --clients 16\n"
      "  holdfast live set-nx-px --processes --faults pause --param ttl=200ms --work 20ms\n"
      "  holdfast live redlock --param nodes=3 --faults restart\n"
      "  holdfast live token --faults failover,eviction\n"
      "  holdfast live token --redis redis://localhost:6379/0",
      live);
  app->add_option("LOCK", options.names, "ids or globs of locks; see: holdfast list algorithms")
      ->delimiter(',')
      ->required();
  CLI::Option* const seconds =
      add_number(app, "--seconds", options.seconds, 1, 86'400, "how long each lock is measured")
          ->default_str("5");
  add_number(app, "--count", options.pairs, 1, 1'000'000'000'000,
             "instead: how many pairs of acquire and release are measured for each lock")
      ->excludes(seconds);
  CLI::Option* const processes = app->add_flag(
      "--processes", options.in_processes,
      "each client is a process: it is stopped by SIGSTOP (fault pause) and dies by SIGKILL (fault crash)");
  add_number(app, "--clients", options.clients, 1, 10'000,
             "closed-loop clients, at most 10000; in processes of their own, 1000")
      ->default_str(std::to_string(options.clients));
  add_number(app, "--locks", options.locks, 1, 10'000, "locks that the clients share, one for each client")
      ->default_str(std::to_string(options.locks));
  add_number(app, "--connections", options.connections, 1, 10'000, "connections that the clients share")
      ->excludes(processes)
      ->default_str("1; through a proxy, one for each client");
  add_time(app, "--work", options.work, 0s, "how long a client works under the lock");
  add_time(app, "--retry", options.retry, 0s, "how long a client waits after a failed attempt");
  add_time(app, "--timeout", options.timeout, 1ms, "how long a client waits for a reply");
  app->add_option(
         "--faults,--fault", options.faults,
         "the faults, globs; of clients: crash, pause (of processes), slow-section, clock-skew; of private "
         "servers: restart, failover (to a replica that lacks the last writes), eviction (of a key of the "
         "lock); of a proxy: late-request, late-reply, lost-request, lost-reply, duplicate, partition")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("GLOBS")
      ->default_str("none");
  add_number(app, "--one-in", options.one_in, 1, 1'000'000,
             "each fault strikes one in so many messages, sections or turns of 10 ms")
      ->default_str(std::to_string(options.one_in));
  add_servers(app, options);
  add_params(app, options);
  add_guest(app, options);
  parser.add_output(app, options, {"text", "json"});
}

void add_hunt_command(Parser& parser) {
  const auto [app, options] = parser.command<HuntOptions>(
      "hunt", "A second opinion: looks on a real Redis for violations of properties that hold.",
      "  holdfast hunt\n"
      "  holdfast hunt token,redis-py --faults pause,crash --seconds 60\n"
      "  holdfast hunt set-nx-px --faults pause --violated\n"
      "  holdfast hunt 'redis-*' --format json > hunt.json",
      hunt);
  app->add_option("LOCK", options.names, "ids or globs of locks; default: all that can be hunted")
      ->delimiter(',')
      ->default_str("");
  add_number(app, "--seconds", options.seconds, 1, 86'400,
             "how long the hunt lasts in all, after the exploration")
      ->default_str("30");
  app->add_flag("--violated", options.violated,
                "instead: hunt violated properties, to see whether the hunt finds them");
  add_globs(app, "--faults,--fault", options.faults, "only under these faults; globs, separated by commas");
  add_globs(app, "--properties,--property", options.properties, "judge only these; globs");
  add_params(app, options);
  add_seed(app, options);
  add_jobs(app, options, "threads that explore; default: one for each core");
  parser.add_progress(app, options.progress);
  parser.add_output(app, options, {"text", "json"});
}

}  // namespace

void add_live(Parser& parser) {
  add_live_command(parser);
  add_hunt_command(parser);
}

CLI::Option* add_serving(CLI::App* command, RedisOptions& into) {
  const auto set_address = [&into](const std::string& url) {
    try {
      live::parse_address(url, 0);
    } catch (const std::invalid_argument& error) {
      throw CLI::ValidationError("--listen", error.what());
    }
    into.listen = url;
  };
  CLI::Option* const listen =
      command
          ->add_option_function<std::string>("--listen", set_address,
                                             "be a server at unix:/path or redis://127.0.0.1:port, until "
                                             "SIGTERM or Ctrl-C; port 0: any free port")
          ->type_name("URL");
  const auto set_rules = [&into](const std::vector<std::string>& rules) {
    try {
      for (const std::string& rule : rules) serve::parse_rule(rule);
    } catch (const std::invalid_argument& error) {
      throw CLI::ValidationError("--rule", error.what());
    }
    into.rules = rules;
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
