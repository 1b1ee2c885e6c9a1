✘ laravel × crash: recovery is violated
  2 clients · ttl 4s · version 5.8 · 26 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job.
2. At 0ms B starts. B tries to acquire the lock job. B sends SETNX job B1 to redis-1.
3. At 0ms A sends SETNX job A1 to redis-1.
4. At 0ms redis-1 carries out the SETNX job A1 of A and answers 1. A's command creates the key job
   with "A1", without an expiry.
5. At 0ms redis-1 carries out the SETNX job B1 of B and answers 0.
6. At 0ms B gets its answer: 0. B does not get the lock: "get(): false".
7. At 0ms A crashes and forgets everything.
8. At 1s B tries to acquire the lock job. B sends SETNX job B2 to redis-1.
9. At 1s A starts. A tries to acquire the lock job. A sends SETNX job A2 to redis-1.
10. At 1s redis-1 carries out the SETNX job B2 of B and answers 0.
11. At 1s redis-1 carries out the SETNX job A2 of A and answers 0.
12. At 1s B gets its answer: 0. B does not get the lock: "get(): false". B is finished.
13. At 1s A gets its answer: 0. A does not get the lock: "get(): false".
14. At 2s A tries to acquire the lock job. A sends SETNX job A3 to redis-1.
15. At 2s redis-1 carries out the SETNX job A3 of A and answers 0.
16. At 2s A gets its answer: 0. A does not get the lock: "get(): false". A is finished.
17. At 2s the faults are over; a new client, C, now tries to get the lock within 10s. C starts. C
    tries to acquire the lock job. C sends SETNX job C1 to redis-1.
18. At 2s redis-1 carries out the SETNX job C1 of C and answers 0.
19. At 2s C gets its answer: 0. C does not get the lock: "get(): false".
20. At 7s C tries to acquire the lock job. C sends SETNX job C2 to redis-1.
21. At 7s redis-1 carries out the SETNX job C2 of C and answers 0.
22. At 7s C gets its answer: 0. C does not get the lock: "get(): false".
23. At 12s C tries to acquire the lock job. C sends SETNX job C3 to redis-1.
24. At 12s redis-1 carries out the SETNX job C3 of C and answers 0.
25. At 12s C gets its answer: 0. C does not get the lock: "get(): false". C is finished.
26. At 12s the run is over.

  why     A new client, C, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and has no expiry. (steps 4 and 26)
  code    algorithms/laravel.cpp:76 sends SETNX job A1 (step 4)
