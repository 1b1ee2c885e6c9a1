✘ redis-in-action × none: mutual-exclusion is violated
  3 clients · ttl 10s · version fair · 15 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 3 job job:owner job:counter
   1699999990.0 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends EVAL script 3 job job:owner job:counter
   1699999990.0 to redis-1.
3. At 0ms C starts. C tries to acquire the lock job. C sends EVAL script 3 job job:owner job:counter
   1699999990.0 to redis-1.
4. At 0ms redis-1 carries out the EVAL script 3 job job:owner job:counter 1699999990.0 of A and
   answers 1.
5. At 0ms redis-1 carries out the EVAL script 3 job job:owner job:counter 1699999990.0 of B and
   answers 2.
6. At 0ms redis-1 carries out the EVAL script 3 job job:owner job:counter 1699999990.0 of C and
   answers 3.
7. At 0ms A gets its answer: 1. A sends EVAL script 2 job job:owner A1 1700000000.0 1 to redis-1.
8. At 0ms B gets its answer: 2. B sends EVAL script 2 job job:owner B1 1700000000.0 2 to redis-1.
9. At 0ms C gets its answer: 3. C sends EVAL script 2 job job:owner C1 1700000000.0 3 to redis-1.
10. At 0ms redis-1 carries out the EVAL script 2 job job:owner A1 1700000000.0 1 of A and answers 0.
    A's command creates the key job with "zset "A1" 1700000000", without an expiry.
11. At 0ms redis-1 carries out the EVAL script 2 job job:owner C1 1700000000.0 3 of C and answers 1.
    C's command overwrites the key job, with "zset "A1" 1700000000 "C1" 1700000000", without an
    expiry.
12. At 0ms redis-1 carries out the EVAL script 2 job job:owner B1 1700000000.0 2 of B and answers 1.
    B's command overwrites the key job, with "zset "A1" 1700000000 "B1" 1700000000 "C1" 1700000000",
    without an expiry.
13. At 0ms A gets its answer: 0. A believes that it holds the lock. A works under the lock for 3s.
14. At 0ms C gets its answer: 1. C believes that it holds the lock. C works under the lock for 1s.
15. At 0ms B gets its answer: 1. B believes that it holds the lock. B works under the lock for 3s.

  why     At 0ms B was granted the lock while C, granted at 0ms, still believes that it holds it: C
          has neither released it nor noticed a loss, and so have 1 more, where the lock is for 2 at
          once; its key still stands. (steps 14 and 15)
  code    algorithms/redis_in_action.cpp:61 sends EVAL script 2 job job:owner C1 1700000000.0 3
          (step 14)
