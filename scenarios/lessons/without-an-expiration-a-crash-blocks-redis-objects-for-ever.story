✘ redis-objects × crash: recovery is violated
  2 clients · timeout 0s · 26 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job.
2. At 0ms A sends SETNX job 1 to redis-1.
3. At 0ms redis-1 carries out the SETNX job 1 of A and answers 1. A's command creates the key job
   with "1", without an expiry.
4. At 0ms A crashes and forgets everything.
5. At 0ms B starts. B tries to acquire the lock job. B sends SETNX job 1 to redis-1.
6. At 0ms redis-1 carries out the SETNX job 1 of B and answers 0.
7. At 0ms B gets its answer: 0. B does not get the lock: "Timeout on lock job exceeded 0 sec".
8. At 1s A starts. A tries to acquire the lock job. A sends SETNX job 1 to redis-1.
9. At 1s B tries to acquire the lock job. B sends SETNX job 1 to redis-1.
10. At 1s redis-1 carries out the SETNX job 1 of A and answers 0.
11. At 1s redis-1 carries out the SETNX job 1 of B and answers 0.
12. At 1s A gets its answer: 0. A does not get the lock: "Timeout on lock job exceeded 0 sec".
13. At 1s B gets its answer: 0. B does not get the lock: "Timeout on lock job exceeded 0 sec". B is
    finished.
14. At 2s A tries to acquire the lock job. A sends SETNX job 1 to redis-1.
15. At 2s redis-1 carries out the SETNX job 1 of A and answers 0.
16. At 2s A gets its answer: 0. A does not get the lock: "Timeout on lock job exceeded 0 sec". A is
    finished.
17. At 2s the faults are over; a new client, C, now tries to get the lock within 10s. C starts. C
    tries to acquire the lock job. C sends SETNX job 1 to redis-1.
18. At 2s redis-1 carries out the SETNX job 1 of C and answers 0.
19. At 2s C gets its answer: 0. C does not get the lock: "Timeout on lock job exceeded 0 sec".
20. At 7s C tries to acquire the lock job. C sends SETNX job 1 to redis-1.
21. At 7s redis-1 carries out the SETNX job 1 of C and answers 0.
22. At 7s C gets its answer: 0. C does not get the lock: "Timeout on lock job exceeded 0 sec".
23. At 12s C tries to acquire the lock job. C sends SETNX job 1 to redis-1.
24. At 12s redis-1 carries out the SETNX job 1 of C and answers 0.
25. At 12s C gets its answer: 0. C does not get the lock: "Timeout on lock job exceeded 0 sec". C is
    finished.
26. At 12s the run is over.

  why     A new client, C, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and has no expiry. (steps 3 and 26)
  code    algorithms/redis_objects.cpp:24 sends SETNX job 1 (step 3)
