✘ redis-objects × clock-jump: mutual-exclusion is violated
  2 clients · ttl 3s · timeout 0s · 11 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000004.0 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SETNX job 1700000004.0 to redis-1.
3. At 0ms redis-1 carries out the SETNX job 1700000004.0 of A and answers 1. A's command creates the
   key job with "1700000004.0", without an expiry.
4. At 0ms redis-1 carries out the SETNX job 1700000004.0 of B and answers 0.
5. At 0ms A gets its answer: 1. A believes that it holds the lock, until 4s. A works under the lock
   for 1s.
6. At 0ms B gets its answer: 0. B sends GET job to redis-1.
7. At 0ms redis-1 carries out the GET job of B and answers 1700000004.0.
8. At 0ms the wall clock of B is 8s ahead.
9. At 0ms B gets its answer: 1700000004.0. B sends GETSET job 1700000012.0 to redis-1.
10. At 0ms redis-1 carries out the GETSET job 1700000012.0 of B and answers 1700000004.0. B's
    command overwrites the key job, set by A, with "1700000012.0", without an expiry.
11. At 0ms B gets its answer: 1700000004.0. B believes that it holds the lock, until 4s. B works
    under the lock for 1s.

  why     At 0ms B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key was overwritten by B at 0ms. (steps 5
          and 11)
  code    algorithms/redis_objects.cpp:24 sends SETNX job 1700000004.0 (step 5)
  code    algorithms/redis_objects.cpp:33 sends GETSET job 1700000012.0 (step 10)
