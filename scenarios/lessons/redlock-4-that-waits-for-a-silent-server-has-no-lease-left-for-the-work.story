✘ node-redlock-4 × lost-request: mutual-exclusion is violated
  2 clients · ttl 4s · blocking no · 14 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 job A1 4000 to redis-1. A
   sends EVAL script 1 job A1 4000 to redis-2. A sends EVAL script 1 job A1 4000 to redis-3.
2. At 0ms the EVAL script 1 job A1 4000 of A is lost on its way.
3. At 0ms redis-1 carries out the EVAL script 1 job A1 4000 of A and answers 1. A's command creates
   the key job with "A1", alive until 4s.
4. At 0ms redis-2 carries out the EVAL script 1 job A1 4000 of A and answers 1. A's command creates
   the key job with "A1", alive until 4s.
5. At 0ms A gets its answer: 1.
6. At 0ms A gets its answer: 1.
7. At 3s A stops waiting for the answer to EVAL script 1 job A1 4000. A believes that it holds the
   lock. A works under the lock for 3s.
8. At 4.001s the key job, set by A, expires. The key job, set by A, expires. B starts. B tries to
   acquire the lock job. B sends EVAL script 1 job B1 4000 to redis-1. B sends EVAL script 1 job B1
   4000 to redis-2. B sends EVAL script 1 job B1 4000 to redis-3.
9. At 5s redis-1 carries out the EVAL script 1 job B1 4000 of B and answers 1. B's command creates
   the key job with "B1", alive until 9s.
10. At 5s redis-2 carries out the EVAL script 1 job B1 4000 of B and answers 1. B's command creates
    the key job with "B1", alive until 9s.
11. At 5s redis-3 carries out the EVAL script 1 job B1 4000 of B and answers 1. B's command creates
    the key job with "B1", alive until 9s.
12. At 5s B gets its answer: 1.
13. At 5s B gets its answer: 1.
14. At 5s B gets its answer: 1. B believes that it holds the lock. B works under the lock for 1s.

  why     At 5s B was granted the lock while A, granted at 3s, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 4.001s. (steps 7 and 14)
  code    algorithms/node_redlock_4.cpp:80 sends EVAL script 1 job A1 4000 (step 7)
