#include "sim/cli/library_lines.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace holdfast::cli {
namespace {

// {ms}: milliseconds; {s}: seconds with a fraction; {whole}: whole seconds, for what takes no fractions.
struct Lines {
  std::string_view id;
  std::string_view text;
};
constexpr std::array lines{
    Lines{"aioredlock", "lock_manager = Aioredlock(servers, internal_lock_timeout={s})"},
    Lines{"bsm-redislock",
          "lock, err := redislock.New(client).Obtain(ctx, \"job\", {ms}*time.Millisecond, nil)"},
    Lines{"bullmq", "new Worker('job', work, {{ connection, lockDuration: {ms} }})"},
    Lines{"celery-cookbook", "LOCK_EXPIRE = {whole}"},
    Lines{"celery-once", "@app.task(base=QueueOnce, once={{'timeout': {whole}}})"},
    Lines{"distributedlock-redis",
          "new RedisDistributedLock(\"job\", database, o => o.Expiry(TimeSpan.FromMilliseconds({ms})))"},
    Lines{"jedis-lock", "new JedisLock(jedis, \"job\", acquireTimeoutMillis, {ms})"},
    Lines{"laravel", "Cache::lock('job', {whole})->get(fn () => work());"},
    Lines{"node-redlock", "const lock = await redlock.acquire(['job'], {ms});"},
    Lines{"node-redlock-4", "const lock = await redlock.lock('job', {ms});"},
    Lines{"python-redis-lock", "redis_lock.Lock(connection, 'job', expire={whole})"},
    Lines{"redbeat", "app.conf.redbeat_lock_timeout = {s}"},
    Lines{"redis-objects", "lock :job, expiration: {s}"},
    Lines{"redis-objects-px", "lock :job, expiration: {s}"},
    Lines{"redis-py", "with connection.lock('job', timeout={s}):"},
    Lines{"redis-semaphore", "new Mutex(client, 'job', {{ lockTimeout: {ms} }})"},
    Lines{"redisson", "config.setLockWatchdogTimeout({ms}); redisson.getLock(\"job\").lock();"},
    Lines{"redisson-fair", "config.setLockWatchdogTimeout({ms}); redisson.getFairLock(\"job\").lock();"},
    Lines{"redisson-fenced",
          "config.setLockWatchdogTimeout({ms}); "
          "Long number = redisson.getFencedLock(\"job\").lockAndGetToken();"},
    Lines{"redisson-multi",
          "config.setLockWatchdogTimeout({ms}); redisson.getMultiLock(redisson.getLock(\"one\"), "
          "redisson.getLock(\"other\")).tryLock();"},
    Lines{"redisson-rw",
          "config.setLockWatchdogTimeout({ms}); redisson.getReadWriteLock(\"job\").writeLock().lock();"},
    Lines{"redisson-spin", "config.setLockWatchdogTimeout({ms}); redisson.getSpinLock(\"job\").lock();"},
    Lines{"redlock-net", "await factory.CreateLockAsync(\"job\", TimeSpan.FromMilliseconds({ms}))"},
    Lines{"redlock-rb", "Redlock::Client.new(servers).lock('job', {ms})"},
    Lines{"redsync", "rs.NewMutex(\"job\", redsync.WithExpiry({ms}*time.Millisecond))"},
    Lines{"resty-lock", "resty_lock:new(\"locks\", {{exptime = {s}}})"},
    Lines{"rslock", "manager.lock(\"job\", Duration::from_millis({ms})).await"},
    Lines{"shedlock", "@SchedulerLock(name = \"job\", lockAtMostFor = \"PT{s}S\")"},
    Lines{"spring-integration", "new RedisLockRegistry(connectionFactory, \"locks\", {ms})"},
    Lines{"stackexchange-redis", "db.LockTake(\"job\", token, TimeSpan.FromMilliseconds({ms}))"},
    Lines{"symfony-lock", "$lock = $factory->createLock('job', {s}); $lock->acquire();"},
};

}  // namespace

std::string library_lines(const Card& card, Duration ttl) {
  const auto known =
      std::find_if(lines.begin(), lines.end(), [&](const Lines& each) { return each.id == card.id; });
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(ttl).count();
  if (known != lines.end())
    return fmt::format(fmt::runtime(known->text), fmt::arg("ms", ms),
                       fmt::arg("s", static_cast<double>(ms) / 1000),
                       fmt::arg("whole", std::chrono::ceil<std::chrono::seconds>(ttl).count()));
  std::string text = fmt::format("take: {}; give back: {}", card.protocol.acquire, card.protocol.release);
  if (!card.protocol.renew.empty()) text += fmt::format("; renew: {}", card.protocol.renew);
  return text;
}

}  // namespace holdfast::cli
