✘ aioredlock × lost-reply: mutual-exclusion is violated
  2 clients · ttl 10s · blocking no · 11 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless another's" 1 job A1
   10000 to redis-1.
2. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job A1 10000 of A and answers OK.
   A's command creates the key job with "A1", alive until 10s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 14s.
4. At 6s A sends EVAL "take unless another's" 1 job A1 10000 to redis-1.
5. At 6s redis-1 carries out the EVAL "take unless another's" 1 job A1 10000 of A and answers OK.
   A's command overwrites the key job, its own, with "A1", alive until 16s.
6. At 6s the answer to the EVAL "take unless another's" 1 job A1 10000 of A is lost on its way.
7. At 9s A stops waiting for the answer to EVAL "take unless another's" 1 job A1 10000. A sends EVAL
   script 1 job A1 to redis-1.
8. At 9s redis-1 carries out the EVAL script 1 job A1 of A and answers 1. A's command removes the
   key job, its own. an answer to A arrives, but A no longer waits for it.
9. At 10s B starts. B tries to acquire the lock job. B sends EVAL "take unless another's" 1 job B1
   10000 to redis-1.
10. At 10s redis-1 carries out the EVAL "take unless another's" 1 job B1 10000 of B and answers OK.
    B's command creates the key job with "B1", alive until 20s.
11. At 10s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 10s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its own command removed its key. (steps 3 and
          11)
  code    algorithms/aioredlock.cpp:88 sends EVAL "take unless another's" 1 job A1 10000 (step 3)
