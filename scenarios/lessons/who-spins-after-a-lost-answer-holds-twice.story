✘ redisson-spin × lost-reply: recovery is violated
  1 client · ttl 30s · blocking no · 21 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 job 30000 A.1:1 to
   redis-1.
2. At 0ms redis-1 carries out the EVAL script 1 job 30000 A.1:1 of A and answers nil. A's command
   creates the key job with "hash "A.1:1" "1"", alive until 30s. A's command changes the expiry of
   the key job, its own; it is now alive until 30s.
3. At 0ms the answer to the EVAL script 1 job 30000 A.1:1 of A is lost on its way.
4. At 3s A stops waiting for the answer to EVAL script 1 job 30000 A.1:1. A fails to get the lock:
   "Redis server response timeout".
5. At 4s A tries to acquire the lock job. A sends EVAL script 1 job 30000 A.1:1 to redis-1.
6. At 4s redis-1 carries out the EVAL script 1 job 30000 A.1:1 of A and answers nil. A's command
   overwrites the key job, with "hash "A.1:1" "2"", alive until 34s. A's command changes the expiry
   of the key job, its own; it is now alive until 34s.
7. At 4s A gets its answer: nil. A believes that it holds the lock. A works under the lock for 1s.
8. At 5s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends EVAL script 2 job redisson_unlock_latch:{job}:A1 30000 A.1:1 16000 to
   redis-1.
9. At 5s redis-1 carries out the EVAL script 2 job redisson_unlock_latch:{job}:A1 30000 A.1:1 16000
   of A and answers 0. A's command overwrites the key job, its own, with "hash "A.1:1" "1"", alive
   until 35s. A's command changes the expiry of the key job, its own; it is now alive until 35s.
10. At 5s A gets its answer: 0. A sends DEL redisson_unlock_latch:{job}:A1 to redis-1. A reports
    that it has released the lock. A is finished.
11. At 5s redis-1 carries out the DEL redisson_unlock_latch:{job}:A1 of A and answers 1. an answer
    to A arrives, but A no longer waits for it.
12. At 5s the faults are over; a new client, B, now tries to get the lock within 10s. B starts. B
    tries to acquire the lock job. B sends EVAL script 1 job 30000 B.1:1 to redis-1.
13. At 5s redis-1 carries out the EVAL script 1 job 30000 B.1:1 of B and answers 30000.
14. At 5s B gets its answer: 30000. B does not get the lock: "tryLock: false".
15. At 10s B tries to acquire the lock job. B sends EVAL script 1 job 30000 B.1:1 to redis-1.
16. At 10s redis-1 carries out the EVAL script 1 job 30000 B.1:1 of B and answers 25000.
17. At 10s B gets its answer: 25000. B does not get the lock: "tryLock: false".
18. At 15s B tries to acquire the lock job. B sends EVAL script 1 job 30000 B.1:1 to redis-1.
19. At 15s redis-1 carries out the EVAL script 1 job 30000 B.1:1 of B and answers 20000.
20. At 15s B gets its answer: 20000. B does not get the lock: "tryLock: false". B is finished.
21. At 15s the run is over.

  why     A new client, B, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and expires at 35s. (steps 2 and 21)
  code    algorithms/redisson_spin.cpp:47 sends EVAL script 1 job 30000 A.1:1 (step 2)
