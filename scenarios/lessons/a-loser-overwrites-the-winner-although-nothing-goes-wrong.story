✘ redis-objects × none: owner-only-change is violated
  3 clients · ttl 9s · timeout 0s · 14 steps, and 3 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000010.0 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SETNX job 1700000010.0 to redis-1.
3. At 0ms redis-1 carries out the SETNX job 1700000010.0 of A and answers 1. A's command creates the
   key job with "1700000010.0", without an expiry.
4. At 0ms redis-1 carries out the SETNX job 1700000010.0 of B and answers 0.
5. At 0ms A gets its answer: 1. A believes that it holds the lock, until 10s. A works under the lock
   for 1s.
6. At 0ms B gets its answer: 0. B sends GET job to redis-1.
7. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends DEL job to redis-1.
8. At 1s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, its
   own.
9. At 1s redis-1 carries out the GET job of B and answers nil.
10. At 1s B gets its answer: nil. B sends GETSET job 1700000011.0 to redis-1.
11. At 2s C starts. C tries to acquire the lock job. C sends SETNX job 1700000012.0 to redis-1.
12. At 2s redis-1 carries out the SETNX job 1700000012.0 of C and answers 1. C's command creates the
    key job with "1700000012.0", without an expiry.
13. At 2s redis-1 carries out the GETSET job 1700000011.0 of B and answers 1700000012.0. B's command
    overwrites the key job, set by C, with "1700000011.0", without an expiry.
14. At 2s C gets its answer: 1. C believes that it holds the lock, until 12s. C works under the lock
    for 1s.

  why     At 2s a command of B changed the key that C had written; at 2s C was granted the lock all
          the same. (steps 13 and 14)
  code    algorithms/redis_objects.cpp:33 sends GETSET job 1700000011.0 (step 13)
  code    algorithms/redis_objects.cpp:24 sends SETNX job 1700000012.0 (step 14)
