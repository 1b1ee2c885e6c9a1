// npm redis-semaphore's Mutex on ioredis, which renews it; unchanged:
// ./holdfast check algorithms/guests/redis_semaphore.guest.json
const Redis = require('ioredis');
const { Mutex } = require('redis-semaphore');

const ttl = Number(process.env.HOLDFAST_TTL_MS ?? 4000);
const say = line => process.stdout.write(line + '\n');
let client, mutex;

// A connection that is lost is replaced with the next command: timers of its own would cost many histories.
function server() {
  if (client && client.status !== 'end') return client;
  client = new Redis({ host: '127.0.0.1', port: 6379, enableReadyCheck: false, connectTimeout: 0, retryStrategy: null });
  client.on('error', () => {});
  return client;
}

async function perform([word, key]) {
  try {
    if (word === 'release') {
      await mutex.release();
      return 'released';
    }
    mutex = new Mutex(server(), key, { lockTimeout: ttl, acquireAttemptsLimit: 1, onLockLost: () => say('lost') });
    return await mutex.tryAcquire() ? `granted ${mutex.identifier} ${ttl}` : 'refused';
  } catch (error) {
    return `${word === 'acquire' ? 'failed' : 'unknown'} ${error.name}`;
  }
}

// One command after the other: answers have their order.
let last = Promise.resolve();
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  last = last.then(async () => say(await perform(line.split(' '))));
});
