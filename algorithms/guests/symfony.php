<?php
// Symfony's Lock component on phpredis, unchanged: ./holdfast check --guest 'php algorithms/guests/symfony.php'
require '/usr/share/php/Symfony/Component/Lock/autoload.php';
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\RedisStore;

function serve(): void {
  $ttl = (int)(getenv('HOLDFAST_TTL_MS') ?: '4000') / 1000;
  $redis = new Redis();
  $factory = $lock = null;
  while ($line = fgets(STDIN)) {
    [$word, $key] = explode(' ', trim($line));
    $answer = $word === 'acquire' ? 'failed ' : 'unknown ';
    try {
      if (!$factory) {
        $redis->connect('127.0.0.1', 6379);
        $factory = new LockFactory(new RedisStore($redis, $ttl));
      }
      if ($word === 'acquire') {
        $lock = $factory->createLock($key, $ttl, false);
        $answer = $lock->acquire() ? 'granted lock ' . (int)($ttl * 1000) : 'refused';
      } else {
        $lock->release();
        $answer = 'released';
      }
    } catch (\Throwable $e) {
      $answer .= get_class($e);
    }
    fwrite(STDOUT, $answer . "\n");
  }
}

// A run begins with a fork of this process, where everything is loaded already.
if (getenv('HOLDFAST_GUEST') && function_exists('pcntl_fork')) {
  foreach (['Lock', 'Key', 'LockFactory', 'Store\RedisStore'] as $name)
    class_exists("Symfony\\Component\\Lock\\$name");
  pcntl_signal(SIGCHLD, SIG_IGN);
  fwrite(STDOUT, "zygote\n");
  do {
    if (!fgets(STDIN)) exit;
  } while (pcntl_fork() !== 0);
}
serve();
