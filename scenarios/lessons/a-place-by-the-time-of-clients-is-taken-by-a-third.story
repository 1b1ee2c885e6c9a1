✘ redis-in-action × none: mutual-exclusion is violated
  3 clients · ttl 10s · 9 steps, and 2 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 job A1 1700000000.0
   1699999990.0 to redis-1.
2. At 0ms redis-1 carries out the EVAL script 1 job A1 1700000000.0 1699999990.0 of A and answers 0.
   A's command creates the key job with "zset "A1" 1700000000", without an expiry.
3. At 0ms A gets its answer: 0. A believes that it holds the lock. A works under the lock for 3s.
4. At 1s B starts. B tries to acquire the lock job. B sends EVAL script 1 job B1 1700000001.0
   1699999991.0 to redis-1.
5. At 2s C starts. C tries to acquire the lock job. C sends EVAL script 1 job C1 1700000002.0
   1699999992.0 to redis-1.
6. At 2s redis-1 carries out the EVAL script 1 job C1 1700000002.0 1699999992.0 of C and answers 1.
   C's command overwrites the key job, with "zset "A1" 1700000000 "C1" 1700000002", without an
   expiry.
7. At 2s redis-1 carries out the EVAL script 1 job B1 1700000001.0 1699999991.0 of B and answers 1.
   B's command overwrites the key job, with "zset "A1" 1700000000 "B1" 1700000001 "C1" 1700000002",
   without an expiry.
8. At 2s C gets its answer: 1. C believes that it holds the lock. C works under the lock for 1s.
9. At 2s B gets its answer: 1. B believes that it holds the lock. B works under the lock for 3s.

  why     At 2s B was granted the lock while C, granted at 2s, still believes that it holds it: C
          has neither released it nor noticed a loss, and so have 1 more, where the lock is for 2 at
          once; its key still stands. (steps 8 and 9)
  code    algorithms/redis_in_action.cpp:63 sends EVAL script 1 job C1 1700000002.0 1699999992.0
          (step 8)
