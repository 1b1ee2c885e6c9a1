# redis-py's asyncio lock, unchanged: ./holdfast check --guest 'python3 algorithms/guests/redis_asyncio.py'
import asyncio
import os
import random
import signal

import encodings.idna, uuid  # what redis-py imports late
import redis.asyncio as redis
from redis.exceptions import LockError, RedisError


async def serve():
    ttl = int(os.environ.get("HOLDFAST_TTL_MS", "4000")) / 1000
    lock = redis.Redis(host="127.0.0.1", port=6379).lock("", timeout=ttl)
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), os.fdopen(0))
    while words := (await lines.readline()).decode().split():
        try:
            if words[0] == "release":
                await lock.release()
                answer = "released"
            else:
                lock.name = words[1]
                is_granted = await lock.acquire(blocking=False)
                answer = f"granted {lock.local.token.decode()} {int(ttl * 1000)}" if is_granted else "refused"
        except LockError as error:
            answer = f"not-held {error}"
        except RedisError as error:
            answer = f"{'unknown' if words[0] == 'release' else 'failed'} {error}"
        os.write(1, f"{answer}\n".encode())


# A run begins with a fork of this process, where everything is loaded already.
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if "HOLDFAST_GUEST" in os.environ:
    os.write(1, b"zygote\n")
    while os.read(0, 4096):
        if os.fork() == 0:
            break
random.seed(os.urandom(16))
asyncio.run(serve())
