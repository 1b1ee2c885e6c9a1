✘ python-redis-lock × pause: progress is violated
  2 clients · ttl 0s · 24 steps, and 3 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends GET job to redis-1.
2. At 0ms B starts. B tries to acquire the lock job.
3. At 0ms redis-1 carries out the GET job of A and answers nil.
4. At 0ms B sends GET job to redis-1.
5. At 0ms A gets its answer: nil. A sends SET job A1 NX to redis-1.
6. At 0ms redis-1 carries out the GET job of B and answers nil.
7. At 0ms redis-1 carries out the SET job A1 NX of A and answers OK. A's command creates the key job
   with "A1", without an expiry.
8. At 0ms B gets its answer: nil.
9. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
10. At 0ms B sends SET job B1 NX to redis-1.
11. At 0ms redis-1 carries out the SET job B1 NX of B and answers nil.
12. At 0ms B is stopped in the middle of what it does.
13. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
    it holds it. A sends EVAL script 2 job lock-signal:job A1 1000 to redis-1.
14. At 1s redis-1 carries out the EVAL script 2 job lock-signal:job A1 1000 of A and answers 0. A's
    command removes the key job, its own.
15. At 1s A gets its answer: 0. A reports that it has released the lock. A is finished.
16. At 3s B goes on, as if the last 3s had not passed.
17. At 3s B gets its answer: nil. B sends BLPOP lock-signal:job 0 to redis-1.
18. At 3s redis-1 takes the BLPOP lock-signal:job 0 of B, which has to wait for its answer.
19. At 3s the faults are over; a new client, C, now tries to get the lock within 10s. C starts. C
    tries to acquire the lock job. C sends GET job to redis-1.
20. At 3s redis-1 carries out the GET job of C and answers nil.
21. At 3s C gets its answer: nil. C sends SET job C1 NX to redis-1.
22. At 3s redis-1 carries out the SET job C1 NX of C and answers OK. C's command creates the key job
    with "C1", without an expiry.
23. At 3s C gets its answer: OK. C believes that it holds the lock. C is finished.
24. At 3s B waits for the lock in vain: nothing is left that could wake it in time. The run is over.

  why     B has been waiting since 0ms, and nothing is left that could wake it in time, although the
          lock is free. (steps 2 and 24)
  code    algorithms/python_redis_lock.cpp:66 sends GET job (step 2)
  code    algorithms/python_redis_lock.cpp:75 sends SET job C1 NX (step 24)
