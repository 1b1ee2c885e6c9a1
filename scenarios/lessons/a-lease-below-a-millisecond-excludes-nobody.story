✘ bsm-redislock × none: mutual-exclusion is violated
  2 clients · ttl 500us · 6 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 job A1 2 0 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends EVAL script 1 job B1 2 0 to redis-1.
3. At 0ms redis-1 carries out the EVAL script 1 job A1 2 0 of A and answers OK. A's command creates
   the key job with "", without an expiry. A's command removes the key job, its own.
4. At 0ms redis-1 carries out the EVAL script 1 job B1 2 0 of B and answers OK. B's command creates
   the key job with "", without an expiry. B's command removes the key job, its own.
5. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
6. At 0ms B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 0ms B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its own command removed its key. (steps 5 and
          6)
  code    algorithms/bsm_redislock.cpp:47 sends EVAL script 1 job A1 2 0 (step 5)
