✘ token × restart: mutual-exclusion is violated
  2 clients · ttl 4s · 7 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 4000 NX to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SET job B1 PX 4000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job A1 PX 4000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 4s.
4. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
5. At 0ms redis-1 restarts and lacks its last writes (1). The key job, set by A, is lost.
6. At 0ms redis-1 carries out the SET job B1 PX 4000 NX of B and answers OK. B's command creates the
   key job with "B1", alive until 4s.
7. At 0ms B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 0ms B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; the server lost its key at 0ms. (steps 4 and
          7)
  code    algorithms/token.cpp:24 sends SET job A1 PX 4000 NX (step 4)
