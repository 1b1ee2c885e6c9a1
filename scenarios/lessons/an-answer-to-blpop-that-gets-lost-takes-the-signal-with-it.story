✘ python-redis-lock × lost-reply: progress is violated
  2 clients · ttl 0s · 21 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends GET job to redis-1.
2. At 0ms redis-1 carries out the GET job of A and answers nil.
3. At 0ms A gets its answer: nil. A sends SET job A1 NX to redis-1.
4. At 0ms redis-1 carries out the SET job A1 NX of A and answers OK. A's command creates the key job
   with "A1", without an expiry.
5. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
6. At 1s B starts. B tries to acquire the lock job. B sends GET job to redis-1.
7. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends EVAL script 2 job lock-signal:job A1 1000 to redis-1.
8. At 1s redis-1 carries out the GET job of B and answers A1.
9. At 1s B gets its answer: A1. B sends SET job B1 NX to redis-1.
10. At 1s redis-1 carries out the SET job B1 NX of B and answers nil.
11. At 1s redis-1 carries out the EVAL script 2 job lock-signal:job A1 1000 of A and answers 0. A's
    command removes the key job, its own.
12. At 1s B gets its answer: nil. B sends BLPOP lock-signal:job 0 to redis-1.
13. At 1s A gets its answer: 0. A reports that it has released the lock. A is finished.
14. At 1s redis-1 carries out the BLPOP lock-signal:job 0 of B and answers [lock-signal:job 1].
15. At 1s the answer to the BLPOP lock-signal:job 0 of B is lost on its way.
16. At 1s the faults are over; a new client, C, now tries to get the lock within 10s. C starts. C
    tries to acquire the lock job. C sends GET job to redis-1.
17. At 1s redis-1 carries out the GET job of C and answers nil.
18. At 1s C gets its answer: nil. C sends SET job C1 NX to redis-1.
19. At 1s redis-1 carries out the SET job C1 NX of C and answers OK. C's command creates the key job
    with "C1", without an expiry.
20. At 1s C gets its answer: OK. C believes that it holds the lock. C is finished.
21. At 1s B waits for the lock in vain: nothing is left that could wake it in time. The run is over.

  why     B has been waiting since 1s, and nothing is left that could wake it in time, although the
          lock is free. (steps 6 and 21)
  code    algorithms/python_redis_lock.cpp:66 sends GET job (step 6)
  code    algorithms/python_redis_lock.cpp:75 sends SET job C1 NX (step 21)
