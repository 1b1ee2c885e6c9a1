✘ redismutex × late-reply: mutual-exclusion is violated
  2 clients · ttl 4s · blocking no · 12 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 2 job job:lock-intent A1
   4000 0 to redis-1.
2. At 0ms redis-1 carries out the EVAL script 2 job job:lock-intent A1 4000 0 of A and answers nil.
   A's command creates the key job with "A1", alive until 4s.
3. At 0ms A gets its answer: nil. A believes that it holds the lock. A works under the lock for 8s.
4. At 2s A sends EVAL script 1 job A1 4000 to redis-1.
5. At 2s redis-1 carries out the EVAL script 1 job A1 4000 of A and answers 1. A's command changes
   the expiry of the key job, its own; it is now alive until 6s.
6. At 2s the answer to the EVAL script 1 job A1 4000 of A will arrive late.
7. At 4s A gets its answer: 1.
8. At 6s B starts. B tries to acquire the lock job. B sends EVAL script 2 job job:lock-intent B1
   4000 0 to redis-1.
9. At 6s A sends EVAL script 1 job A1 4000 to redis-1.
10. At 6.001s the key job, set by A, expires.
11. At 7s redis-1 carries out the EVAL script 2 job job:lock-intent B1 4000 0 of B and answers nil.
    B's command creates the key job with "B1", alive until 11s.
12. At 7s B gets its answer: nil. B believes that it holds the lock. B works under the lock for 1s.

  why     At 7s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 6.001s. (steps 3 and 12)
  code    algorithms/redismutex.cpp:62 sends EVAL script 2 job job:lock-intent A1 4000 0 (step 3)
