✘ node-redlock × late-reply: mutual-exclusion is violated
  2 clients · ttl 4s · nodes 1 · blocking no · 8 steps, and 3 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 job A1 4000 to redis-1.
2. At 0ms redis-1 carries out the EVAL script 1 job A1 4000 of A and answers 1. A's command creates
   the key job with "A1", alive until 4s.
3. At 0ms the answer to the EVAL script 1 job A1 4000 of A will arrive late.
4. At 4.001s the key job, set by A, expires.
5. At 5s A gets its answer: 1. A believes that it holds the lock. A works under the lock for 1s.
6. At 6s B starts. B tries to acquire the lock job. B sends EVAL script 1 job B1 4000 to redis-1.
7. At 6s redis-1 carries out the EVAL script 1 job B1 4000 of B and answers 1. B's command creates
   the key job with "B1", alive until 10s.
8. At 6s B gets its answer: 1. B believes that it holds the lock. B works under the lock for 1s.

  why     At 6s B was granted the lock while A, granted at 5s, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 4.001s. (steps 5 and 8)
  code    algorithms/node_redlock.cpp:83 sends EVAL script 1 job A1 4000 (step 5)
