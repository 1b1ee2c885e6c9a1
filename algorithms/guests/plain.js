// Node without a library, and the lock of the Redis documentation:
// ./holdfast check --guest 'node algorithms/guests/plain.js'
const { randomBytes } = require('crypto');
const net = require('net');

const ttl = process.env.HOLDFAST_TTL_MS ?? '4000';
const release = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
let token;

// A connection for each command.
function ask(...words) {
  return new Promise((answer, fail) => {
    const socket = net.connect(6379, '127.0.0.1');
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the connection is lost')));
    socket.on('data', bytes => { answer(bytes.toString()); socket.destroy(); });
    socket.write(`*${words.length}\r\n` + words.map(word => `$${word.length}\r\n${word}\r\n`).join(''));
  });
}

async function perform([word, key]) {
  try {
    if (word === 'release')
      return await ask('EVAL', release, '1', key, token) === ':1\r\n' ? 'released' : 'not-held';
    const mine = randomBytes(16).toString('hex');
    if (await ask('SET', key, mine, 'NX', 'PX', ttl) !== '+OK\r\n') return 'refused';
    token = mine;
    return `granted ${token} ${ttl}`;
  } catch (error) {
    return `${word === 'acquire' ? 'failed' : 'unknown'} ${error.message}`;
  }
}

// One command after the other: answers have their order.
let last = Promise.resolve();
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  last = last.then(async () => process.stdout.write(await perform(line.split(' ')) + '\n'));
});
