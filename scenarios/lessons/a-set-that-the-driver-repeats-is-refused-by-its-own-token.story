✘ redis-py × lost-reply: recovery is violated
  2 clients · blocking no · 25 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 NX to redis-1.
2. At 0ms redis-1 carries out the SET job A1 NX of A and answers OK. A's command creates the key job
   with "A1", without an expiry.
3. At 0ms the answer to the SET job A1 NX of A is lost on its way.
4. At 0ms B starts. B tries to acquire the lock job. B sends SET job B1 NX to redis-1.
5. At 0ms redis-1 carries out the SET job B1 NX of B and answers nil.
6. At 0ms B gets its answer: nil. B does not get the lock: "Unable to acquire lock within the time
   specified".
7. At 1s B tries to acquire the lock job. B sends SET job B2 NX to redis-1.
8. At 1s redis-1 carries out the SET job B2 NX of B and answers nil.
9. At 1s B gets its answer: nil. B does not get the lock: "Unable to acquire lock within the time
   specified". B is finished.
10. At 3s A's driver waits no longer for the answer to SET job A1 NX, and sends it again. A sends
    SET job A1 NX to redis-1.
11. At 3s redis-1 carries out the SET job A1 NX of A and answers nil.
12. At 3s A gets its answer: nil. A leaves what it wrote where it keeps the others out. A does not
    get the lock: "Unable to acquire lock within the time specified".
13. At 4s A tries to acquire the lock job. A sends SET job A2 NX to redis-1.
14. At 4s redis-1 carries out the SET job A2 NX of A and answers nil.
15. At 4s A gets its answer: nil. A does not get the lock: "Unable to acquire lock within the time
    specified". A is finished.
16. At 4s the faults are over; a new client, C, now tries to get the lock within 10s. C starts. C
    tries to acquire the lock job. C sends SET job C1 NX to redis-1.
17. At 4s redis-1 carries out the SET job C1 NX of C and answers nil.
18. At 4s C gets its answer: nil. C does not get the lock: "Unable to acquire lock within the time
    specified".
19. At 9s C tries to acquire the lock job. C sends SET job C2 NX to redis-1.
20. At 9s redis-1 carries out the SET job C2 NX of C and answers nil.
21. At 9s C gets its answer: nil. C does not get the lock: "Unable to acquire lock within the time
    specified".
22. At 14s C tries to acquire the lock job. C sends SET job C3 NX to redis-1.
23. At 14s redis-1 carries out the SET job C3 NX of C and answers nil.
24. At 14s C gets its answer: nil. C does not get the lock: "Unable to acquire lock within the time
    specified". C is finished.
25. At 14s the run is over.

  why     A new client, C, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and has no expiry. (steps 2 and 25)
  code    algorithms/redis_py.cpp:42 sends SET job A1 NX (step 2)
