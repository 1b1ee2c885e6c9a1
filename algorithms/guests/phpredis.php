<?php
// The lock of the Redis documentation on phpredis: ./holdfast check --guest 'php algorithms/guests/phpredis.php'
$ttl = (int)(getenv('HOLDFAST_TTL_MS') ?: '4000');
const RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
function serve(int $ttl): void {
  $redis = null; $token = '';
  while ($line = fgets(STDIN)) {
    [$word, $key] = explode(' ', trim($line));
    try {
      if (!$redis) { $redis = new Redis(); $redis->connect('127.0.0.1', 6379); }
      if ($word === 'acquire') {
        $mine = bin2hex(random_bytes(16));
        if ($redis->set($key, $mine, ['nx', 'px' => $ttl])) { $token = $mine; $answer = "granted $token $ttl"; }
        else $answer = 'refused';
      } else $answer = $redis->eval(RELEASE, [$key, $token], 1) ? 'released' : 'not-held';
    } catch (\Throwable $e) {
      $answer = ($word === 'acquire' ? 'failed ' : 'unknown ') . get_class($e);
      $redis = null;
    }
    fwrite(STDOUT, $answer . "\n");
  }
}
// A run begins with a fork of this process, where everything is loaded already.
if (getenv('HOLDFAST_GUEST')) {
  class_exists('Redis'); pcntl_signal(SIGCHLD, SIG_IGN);
  fwrite(STDOUT, "zygote\n");
  do { if (!fgets(STDIN)) exit; } while (pcntl_fork() !== 0);
}
serve($ttl);
