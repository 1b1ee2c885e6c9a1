✘ redis-objects × clock-skew: owner-only-change is violated
  2 clients · ttl 3s · timeout 0s · 10 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000004.0 to redis-1.
2. At 0ms redis-1 carries out the SETNX job 1700000004.0 of A and answers 1. A's command creates the
   key job with "1700000004.0", without an expiry.
3. At 0ms A gets its answer: 1. A believes that it holds the lock, until 4s. A works under the lock
   for 1s.
4. At 0ms the wall clock of B is 8s ahead.
5. At 0ms B starts; its wall clock is 8s ahead. B tries to acquire the lock job. B sends SETNX job
   1700000012.0 to redis-1.
6. At 0ms redis-1 carries out the SETNX job 1700000012.0 of B and answers 0.
7. At 0ms B gets its answer: 0. B sends GET job to redis-1.
8. At 0ms redis-1 carries out the GET job of B and answers 1700000004.0.
9. At 0ms B gets its answer: 1700000004.0. B sends GETSET job 1700000012.0 to redis-1.
10. At 0ms redis-1 carries out the GETSET job 1700000012.0 of B and answers 1700000004.0. B's
    command overwrites the key job, set by A, with "1700000012.0", without an expiry.

  why     At 0ms a command of B changed the key of the lock that A was granted at 0ms and still
          holds. (steps 3 and 10)
  code    algorithms/redis_objects.cpp:24 sends SETNX job 1700000004.0 (step 3)
  code    algorithms/redis_objects.cpp:33 sends GETSET job 1700000012.0 (step 10)
