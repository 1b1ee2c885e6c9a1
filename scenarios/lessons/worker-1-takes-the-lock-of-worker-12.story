✘ bsm-redislock × none: mutual-exclusion is violated
  2 clients · ttl 4s · token worker · 6 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 job worker-1 8 4000 to
   redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends EVAL script 1 job worker-12 9 4000 to
   redis-1.
3. At 0ms redis-1 carries out the EVAL script 1 job worker-12 9 4000 of B and answers OK. B's
   command creates the key job with "worker-12", alive until 4s. B's command changes the expiry of
   the key job, its own; it is now alive until 4s.
4. At 0ms redis-1 carries out the EVAL script 1 job worker-1 8 4000 of A and answers OK. A's command
   overwrites the key job, set by B, with "worker-1", alive until 4s. A's command changes the expiry
   of the key job, its own; it is now alive until 4s.
5. At 0ms B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.
6. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.

  why     At 0ms A was granted the lock while B, granted at 0ms, still believes that it holds it: B
          has neither released it nor noticed a loss; its key was overwritten by A at 0ms. (steps 5
          and 6)
  code    algorithms/bsm_redislock.cpp:47 sends EVAL script 1 job worker-1 8 4000 (step 4)
