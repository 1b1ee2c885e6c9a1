✘ token × restart: mutual-exclusion is violated
  2 clients · ttl 8s · wait then-look · wait-timeout 1s · 15 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 8000 NX to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SET job B1 PX 8000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job A1 PX 8000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 8s.
4. At 0ms A gets its answer: OK. A sends WAIT 1 1000 to redis-1.
5. At 0ms redis-1 carries out the WAIT 1 1000 of A and answers 1.
6. At 0ms A gets its answer: 1. A sends EVAL look 1 job A1 to redis-1.
7. At 0ms redis-1 carries out the EVAL look 1 job A1 of A and answers 8000.
8. At 0ms A gets its answer: 8000. A believes that it holds the lock. A works under the lock for 1s.
9. At 0ms redis-1 restarts and has lost its data. The key job, set by A, is lost.
10. At 0ms redis-1 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates
    the key job with "B1", alive until 8s.
11. At 0ms B gets its answer: OK. B sends WAIT 1 1000 to redis-1.
12. At 0ms redis-1 carries out the WAIT 1 1000 of B and answers 1.
13. At 0ms B gets its answer: 1. B sends EVAL look 1 job B1 to redis-1.
14. At 0ms redis-1 carries out the EVAL look 1 job B1 of B and answers 8000.
15. At 0ms B gets its answer: 8000. B believes that it holds the lock. B works under the lock for
    1s.

  why     At 0ms B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; the server lost its key at 0ms. (steps 8 and
          15)
  code    algorithms/token.cpp:46 sends EVAL look 1 job A1 (step 8)
