✘ getset × late-request: mutual-exclusion is violated
  2 clients · ttl 4s · 16 steps, and 4 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000004000 to redis-1.
2. At 0ms the SETNX job 1700000004000 of A will arrive late.
3. At 0ms B starts. B tries to acquire the lock job. B sends SETNX job 1700000004000 to redis-1.
4. At 0ms the SETNX job 1700000004000 of B will arrive late.
5. At 4s redis-1 carries out the SETNX job 1700000004000 of A and answers 0.
6. At 4s redis-1 carries out the SETNX job 1700000004000 of B and answers 0.
7. At 5s A gets its answer: 0. A sends GET job to redis-1.
8. At 5s B gets its answer: 0. B sends GET job to redis-1.
9. At 5s redis-1 carries out the GET job of A and answers 1700000004000.
10. At 5s redis-1 carries out the GET job of B and answers 1700000004000.
11. At 5s A gets its answer: 1700000004000. A sends GETSET job 1700000004000 to redis-1.
12. At 5s B gets its answer: 1700000004000. B sends GETSET job 1700000004000 to redis-1.
13. At 5s redis-1 carries out the GETSET job 1700000004000 of A and answers 1700000004000. A's
    command overwrites the key job, with "1700000004000", without an expiry.
14. At 5s redis-1 carries out the GETSET job 1700000004000 of B and answers 1700000004000. B's
    command overwrites the key job, set by A, with "1700000004000", without an expiry.
15. At 5s A gets its answer: 1700000004000. A believes that it holds the lock, until 4s. A works
    under the lock for 1s.
16. At 5s B gets its answer: 1700000004000. B believes that it holds the lock, until 4s. B works
    under the lock for 1s.

  why     At 5s B was granted the lock while A, granted at 5s, still believes that it holds it: A
          has neither released it nor noticed a loss; its key was overwritten by B at 5s. (steps 15
          and 16)
  code    algorithms/getset.cpp:32 sends GETSET job 1700000004000 (step 14)
