✘ token-semaphore × none: mutual-exclusion is violated
  3 clients · ttl 4s · 9 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 job A1 2 4000 to redis-1.
2. At 0ms redis-1 carries out the EVAL script 1 job A1 2 4000 of A and answers 1. A's command
   creates the key job with "zset "A1" 1700000004000", alive until 4s. A's command changes the
   expiry of the key job, its own; it is now alive until 4s.
3. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 7s.
4. At 4.001s the key job, set by A, expires. B starts. B tries to acquire the lock job. B sends EVAL
   script 1 job B1 2 4000 to redis-1.
5. At 5s C starts. C tries to acquire the lock job. C sends EVAL script 1 job C1 2 4000 to redis-1.
6. At 5s redis-1 carries out the EVAL script 1 job B1 2 4000 of B and answers 1. B's command creates
   the key job with "zset "B1" 1700000009000", alive until 9s. B's command changes the expiry of the
   key job, its own; it is now alive until 9s.
7. At 5s redis-1 carries out the EVAL script 1 job C1 2 4000 of C and answers 1. C's command
   overwrites the key job, with "zset "B1" 1700000009000 "C1" 1700000009000", alive until 9s. C's
   command changes the expiry of the key job, set by B; it is now alive until 9s.
8. At 5s B gets its answer: 1. B believes that it holds the lock. B works under the lock for 1s.
9. At 5s C gets its answer: 1. C believes that it holds the lock. C works under the lock for 1s.

  why     At 5s C was granted the lock while B, granted at 5s, still believes that it holds it: B
          has neither released it nor noticed a loss, and so have 1 more, where the lock is for 2 at
          once; its key still stands. (steps 8 and 9)
  code    algorithms/token_semaphore.cpp:34 sends EVAL script 1 job B1 2 4000 (step 8)
