✘ getset × clock-skew: mutual-exclusion is violated
  2 clients · ttl 10s · 11 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000010000 to redis-1.
2. At 0ms redis-1 carries out the SETNX job 1700000010000 of A and answers 1. A's command creates
   the key job with "1700000010000", without an expiry.
3. At 0ms A gets its answer: 1. A believes that it holds the lock, until 10s. A works under the lock
   for 1s.
4. At 0ms the wall clock of B is 20s ahead.
5. At 0ms B starts; its wall clock is 20s ahead. B tries to acquire the lock job. B sends SETNX job
   1700000030000 to redis-1.
6. At 0ms redis-1 carries out the SETNX job 1700000030000 of B and answers 0.
7. At 0ms B gets its answer: 0. B sends GET job to redis-1.
8. At 0ms redis-1 carries out the GET job of B and answers 1700000010000.
9. At 0ms B gets its answer: 1700000010000. B sends GETSET job 1700000030000 to redis-1.
10. At 0ms redis-1 carries out the GETSET job 1700000030000 of B and answers 1700000010000. B's
    command overwrites the key job, set by A, with "1700000030000", without an expiry.
11. At 0ms B gets its answer: 1700000010000. B believes that it holds the lock, until 10s. B works
    under the lock for 1s.

  why     At 0ms B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key was overwritten by B at 0ms. (steps 3
          and 11)
  code    algorithms/getset.cpp:20 sends SETNX job 1700000010000 (step 3)
  code    algorithms/getset.cpp:32 sends GETSET job 1700000030000 (step 10)
