✘ redismutex × late-reply: mutual-exclusion is violated
  2 clients · ttl 4s · blocking no · 13 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 2 job job:lock-intent A1
   4000 0 to redis-1.
3. At 0ms redis-1 carries out the EVAL script 2 job job:lock-intent A1 4000 0 of A and answers nil.
   A's command creates the key job with "A1", alive until 4s.
4. At 0ms A gets its answer: nil. A believes that it holds the lock. A works under the lock for 8s.
5. At 2s A sends EVAL script 1 job A1 4000 to redis-1.
6. At 2s redis-1 carries out the EVAL script 1 job A1 4000 of A and answers 1. A's command changes
   the expiry of the key job, its own; it is now alive until 6s.
7. At 2s the answer to the EVAL script 1 job A1 4000 of A will arrive late.
8. At 4s A gets its answer: 1.
9. At 6s B starts. B tries to acquire the lock job. B sends EVAL script 2 job job:lock-intent B1
   4000 0 to redis-1.
10. At 6s A sends EVAL script 1 job A1 4000 to redis-1.
11. At 6.001s the key job, set by A, expires.
12. At 7s redis-1 carries out the EVAL script 2 job job:lock-intent B1 4000 0 of B and answers nil.
    B's command creates the key job with "B1", alive until 11s.
13. At 7s B gets its answer: nil. B believes that it holds the lock. B works under the lock for 1s.

  why     At 7s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 6.001s. (steps 4 and 13)
  code    algorithms/redismutex.cpp:56 sends EVAL script 2 job job:lock-intent A1 4000 0 (step 4)
