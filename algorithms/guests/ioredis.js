// The lock of the Redis documentation on ioredis:
// ./holdfast check algorithms/guests/ioredis.guest.json
const { randomBytes } = require('crypto');
const Redis = require('ioredis');

const ttl = Number(process.env.HOLDFAST_TTL_MS ?? 4000);
const release = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
let client, token;

// A connection that is lost is replaced with the next command: timers of its own would cost many histories.
function server() {
  if (client && client.status !== 'end') return client;
  client = new Redis({ host: '127.0.0.1', port: 6379, enableReadyCheck: false, connectTimeout: 0, retryStrategy: null });
  client.on('error', () => {});
  return client;
}

async function perform([word, key]) {
  try {
    if (word === 'release')
      return await server().eval(release, 1, key, token) === 1 ? 'released' : 'not-held';
    const mine = randomBytes(16).toString('hex');
    if (await server().set(key, mine, 'PX', ttl, 'NX') === null) return 'refused';
    token = mine;
    return `granted ${token} ${ttl}`;
  } catch (error) {
    return `${word === 'acquire' ? 'failed' : 'unknown'} ${error.name}`;
  }
}

require('readline').createInterface({ input: process.stdin }).on('line', async line =>
  process.stdout.write(await perform(line.split(' ')) + '\n'));
