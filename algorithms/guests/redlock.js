// npm redlock on ioredis, unchanged:
// ./holdfast check algorithms/guests/redlock.guest.json --param nodes=1
const Redis = require('ioredis');
const Redlock = require('redlock').default ?? require('redlock');

const ttl = Number(process.env.HOLDFAST_TTL_MS ?? 4000);
const clients = Array.from({ length: Number(process.env.HOLDFAST_NODES ?? 1) }, (_, i) => {
  const client = new Redis({ host: '127.0.0.1', port: 6379 + i, enableReadyCheck: false, maxRetriesPerRequest: 0 });
  client.on('error', () => {});
  return client;
});
const redlock = new Redlock(clients, { retryCount: 0 });
redlock.on('error', () => {});
redlock.on('clientError', () => {});
let lock;

async function perform([word, key]) {
  try {
    if (word === 'acquire') {
      lock = redlock.acquire ? await redlock.acquire([key], ttl) : await redlock.lock(key, ttl);
      return `granted ${lock.value} ${ttl}`;
    }
    await (lock.release ?? lock.unlock).call(lock);
    return 'released';
  } catch (error) {
    return `${word === 'acquire' ? 'refused' : 'unknown'} ${error.name}`;
  }
}

require('readline').createInterface({ input: process.stdin }).on('line', async line =>
  process.stdout.write(await perform(line.split(' ')) + '\n'));
