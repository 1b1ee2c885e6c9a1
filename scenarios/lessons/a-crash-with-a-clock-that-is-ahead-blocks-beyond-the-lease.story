✘ redis-objects × crash: recovery is violated
  2 clients · ttl 3s · timeout 0s · 30 steps, and 1 in which only time passes

1. At 0ms A starts; its wall clock is 20s ahead. A tries to acquire the lock job. A sends SETNX job
   1700000024.0 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SETNX job 1700000004.0 to redis-1.
3. At 0ms redis-1 carries out the SETNX job 1700000024.0 of A and answers 1. A's command creates the
   key job with "1700000024.0", without an expiry.
4. At 0ms redis-1 carries out the SETNX job 1700000004.0 of B and answers 0.
5. At 0ms A gets its answer: 1. A believes that it holds the lock, until 4s. A works under the lock
   for 1s.
6. At 0ms B gets its answer: 0. B sends GET job to redis-1.
7. At 0ms redis-1 carries out the GET job of B and answers 1700000024.0.
8. At 0ms B gets its answer: 1700000024.0. B does not get the lock: "Timeout on lock job exceeded 0
   sec". B is finished.
9. At 0ms A crashes and forgets everything.
10. At 1s A starts; its wall clock is 20s ahead. A tries to acquire the lock job. A sends SETNX job
    1700000025.0 to redis-1.
11. At 1s redis-1 carries out the SETNX job 1700000025.0 of A and answers 0.
12. At 1s A gets its answer: 0. A sends GET job to redis-1.
13. At 1s redis-1 carries out the GET job of A and answers 1700000024.0.
14. At 1s A gets its answer: 1700000024.0. A does not get the lock: "Timeout on lock job exceeded 0
    sec". A is finished.
15. At 1s the faults are over; a new client, C, now tries to get the lock within 10s. C starts. C
    tries to acquire the lock job. C sends SETNX job 1700000005.0 to redis-1.
16. At 1s redis-1 carries out the SETNX job 1700000005.0 of C and answers 0.
17. At 1s C gets its answer: 0. C sends GET job to redis-1.
18. At 1s redis-1 carries out the GET job of C and answers 1700000024.0.
19. At 1s C gets its answer: 1700000024.0. C does not get the lock: "Timeout on lock job exceeded 0
    sec".
20. At 6s C tries to acquire the lock job. C sends SETNX job 1700000010.0 to redis-1.
21. At 6s redis-1 carries out the SETNX job 1700000010.0 of C and answers 0.
22. At 6s C gets its answer: 0. C sends GET job to redis-1.
23. At 6s redis-1 carries out the GET job of C and answers 1700000024.0.
24. At 6s C gets its answer: 1700000024.0. C does not get the lock: "Timeout on lock job exceeded 0
    sec".
25. At 11s C tries to acquire the lock job. C sends SETNX job 1700000015.0 to redis-1.
26. At 11s redis-1 carries out the SETNX job 1700000015.0 of C and answers 0.
27. At 11s C gets its answer: 0. C sends GET job to redis-1.
28. At 11s redis-1 carries out the GET job of C and answers 1700000024.0.
29. At 11s C gets its answer: 1700000024.0. C does not get the lock: "Timeout on lock job exceeded 0
    sec". C is finished.
30. At 11s the run is over.

  why     A new client, C, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and has no expiry. (steps 3 and 30)
  code    algorithms/redis_objects.cpp:24 sends SETNX job 1700000024.0 (step 3)
  code    algorithms/redis_objects.cpp:28 sends GET job (step 30)
