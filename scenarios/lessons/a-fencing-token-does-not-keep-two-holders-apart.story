✘ fenced × slow-section: mutual-exclusion is violated
  2 clients · ttl 4s · 8 steps, and 3 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless held" 2 job job:fence
   A1 4000 to redis-1.
2. At 0ms redis-1 carries out the EVAL "take unless held" 2 job job:fence A1 4000 of A and answers
   1. A's command creates the key job with "A1", alive until 4s.
3. At 0ms A gets its answer: 1. A believes that it holds the lock, with the fencing token 1. A works
   under the lock for 1s.
4. At 1s the work of A under the lock will take too long.
5. At 4.001s the key job, set by A, expires.
6. At 5s B starts. B tries to acquire the lock job. B sends EVAL "take unless held" 2 job job:fence
   B1 4000 to redis-1.
7. At 5s redis-1 carries out the EVAL "take unless held" 2 job job:fence B1 4000 of B and answers 2.
   B's command creates the key job with "B1", alive until 9s.
8. At 5s B gets its answer: 2. B believes that it holds the lock, with the fencing token 2. B works
   under the lock for 1s.

  why     At 5s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 4.001s. (steps 3 and 8)
  code    algorithms/fenced.cpp:23 sends EVAL "take unless held" 2 job job:fence A1 4000 (step 3)
