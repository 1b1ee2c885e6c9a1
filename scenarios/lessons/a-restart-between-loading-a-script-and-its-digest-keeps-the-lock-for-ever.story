✘ redis-py × restart: recovery is violated
  2 clients · blocking no · scripts registered · 27 steps, and 2 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 NX to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SET job B1 NX to redis-1.
3. At 0ms redis-1 carries out the SET job A1 NX of A and answers OK. A's command creates the key job
   with "A1", without an expiry.
4. At 0ms redis-1 carries out the SET job B1 NX of B and answers nil.
5. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
6. At 0ms B gets its answer: nil. B does not get the lock: "Unable to acquire lock within the time
   specified".
7. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends EVALSHA digest 1 job A1 to redis-1.
8. At 1s B tries to acquire the lock job. B sends SET job B2 NX to redis-1.
9. At 1s redis-1 carries out the EVALSHA digest 1 job A1 of A and answers error NOSCRIPT No matching
   script. Please use EVAL..
10. At 1s redis-1 carries out the SET job B2 NX of B and answers nil.
11. At 1s A gets its answer: error NOSCRIPT No matching script. Please use EVAL.. A sends SCRIPT
    LOAD "delete if mine" to redis-1.
12. At 1s B gets its answer: nil. B does not get the lock: "Unable to acquire lock within the time
    specified". B is finished.
13. At 1s redis-1 carries out the SCRIPT LOAD "delete if mine" of A and answers
    2aef8d7ce63503709a01cbf6ad6bb4b93d5c3909.
14. At 1s A gets its answer: 2aef8d7ce63503709a01cbf6ad6bb4b93d5c3909. A sends EVALSHA digest 1 job
    A1 to redis-1.
15. At 1s redis-1 restarts and still has its data.
16. At 1s redis-1 carries out the EVALSHA digest 1 job A1 of A and answers error NOSCRIPT No
    matching script. Please use EVAL..
17. At 1s A gets its answer: error NOSCRIPT No matching script. Please use EVAL.. A leaves what it
    wrote where it keeps the others out. A cannot tell whether it has released the lock. A is
    finished.
18. At 1s the faults are over; a new client, C, now tries to get the lock within 10s. C starts. C
    tries to acquire the lock job. C sends SET job C1 NX to redis-1.
19. At 1s redis-1 carries out the SET job C1 NX of C and answers nil.
20. At 1s C gets its answer: nil. C does not get the lock: "Unable to acquire lock within the time
    specified".
21. At 6s C tries to acquire the lock job. C sends SET job C2 NX to redis-1.
22. At 6s redis-1 carries out the SET job C2 NX of C and answers nil.
23. At 6s C gets its answer: nil. C does not get the lock: "Unable to acquire lock within the time
    specified".
24. At 11s C tries to acquire the lock job. C sends SET job C3 NX to redis-1.
25. At 11s redis-1 carries out the SET job C3 NX of C and answers nil.
26. At 11s C gets its answer: nil. C does not get the lock: "Unable to acquire lock within the time
    specified". C is finished.
27. At 11s the run is over.

  why     A new client, C, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and has no expiry. (steps 3 and 27)
  code    algorithms/redis_py.cpp:42 sends SET job A1 NX (step 3)
