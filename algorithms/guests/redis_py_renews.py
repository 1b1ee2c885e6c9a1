# redis-py's own lock, renewed by a thread that the program begins with each grant
import os
import random
import signal
import threading

import encodings.idna, uuid  # what redis-py imports late
import redis


def say(line):
    os.write(1, f"{line}\n".encode())


class Renewal(threading.Thread):
    def __init__(self, lock, ttl):
        super().__init__(daemon=True)
        self.lock, self.ttl, self.is_over = lock, ttl, threading.Event()

    def run(self):
        while not self.is_over.wait(self.ttl / 2):
            try:
                self.lock.reacquire()
                say(f"renewed {int(self.ttl * 1000)}")
            except redis.exceptions.LockError:
                return say("lost")
            except redis.exceptions.RedisError:
                pass


def serve():
    ttl = int(os.environ.get("HOLDFAST_TTL_MS", "4000")) / 1000
    lock = redis.Redis(host="127.0.0.1", port=6379).lock("", timeout=ttl, blocking=False, thread_local=False)
    renewal = None
    while words := os.read(0, 4096).decode().split():
        try:
            if words[0] == "release":
                renewal.is_over.set()
                renewal.join()
                lock.release()
                answer = "released"
            else:
                lock.name = words[1]
                is_granted = lock.acquire()
                answer = f"granted {lock.local.token.decode()} {int(ttl * 1000)}" if is_granted else "refused"
                if is_granted:
                    renewal = Renewal(lock, ttl)
                    renewal.start()
        except redis.exceptions.LockError as error:
            answer = f"not-held {error}"
        except redis.exceptions.RedisError as error:
            answer = f"{'unknown' if words[0] == 'release' else 'failed'} {error}"
        say(answer)


# A run begins with a fork of this process, where everything is loaded already.
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if "HOLDFAST_GUEST" in os.environ:
    os.write(1, b"zygote\n")
    while os.read(0, 4096):
        if os.fork() == 0:
            break
random.seed(os.urandom(16))
serve()
