✘ stackexchange-redis × none: mutual-exclusion is violated
  2 clients · ttl 4s · 6 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 EX 4 NX to redis-1.
2. At 0ms redis-1 carries out the SET job A1 EX 4 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 4s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 8s.
4. At 4.001s the key job, set by A, expires. B starts. B tries to acquire the lock job. B sends SET
   job B1 EX 4 NX to redis-1.
5. At 5s redis-1 carries out the SET job B1 EX 4 NX of B and answers OK. B's command creates the key
   job with "B1", alive until 9s.
6. At 5s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 5s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 4.001s. (steps 3 and 6)
  code    algorithms/stackexchange_redis.cpp:32 sends SET job A1 EX 4 NX (step 3)
