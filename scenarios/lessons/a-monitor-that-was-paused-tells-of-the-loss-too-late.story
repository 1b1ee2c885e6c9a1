✘ distributedlock-redis × pause: mutual-exclusion is violated
  2 clients · ttl 10s · blocking no · belief notified · 8 steps, and 7 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 10000 NX to redis-1.
2. At 0ms redis-1 carries out the SET job A1 PX 10000 NX of A and answers OK. A's command creates
   the key job with "A1", alive until 10s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 14s.
4. At 3s A is stopped in the middle of what it does.
5. At 10.001s the key job, set by A, expires.
6. At 11s B starts. B tries to acquire the lock job. B sends SET job B1 PX 10000 NX to redis-1.
7. At 11s redis-1 carries out the SET job B1 PX 10000 NX of B and answers OK. B's command creates
   the key job with "B1", alive until 21s.
8. At 11s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 11s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 10.001s. (steps 3 and 8)
  code    algorithms/distributedlock_redis.cpp:42 sends SET job A1 PX 10000 NX (step 3)
