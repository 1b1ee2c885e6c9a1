✘ setnx-expire × lost-request: recovery is violated
  2 clients · ttl 4s · 24 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1234 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SETNX job 1234 to redis-1.
3. At 0ms redis-1 carries out the SETNX job 1234 of A and answers 1. A's command creates the key job
   with "1234", without an expiry.
4. At 0ms redis-1 carries out the SETNX job 1234 of B and answers 0.
5. At 0ms A gets its answer: 1. A sends EXPIRE job 4 to redis-1.
6. At 0ms B gets its answer: 0. B does not get the lock: "lock already exists."
7. At 0ms the EXPIRE job 4 of A is lost on its way.
8. At 1s B tries to acquire the lock job. B sends SETNX job 1234 to redis-1.
9. At 1s redis-1 carries out the SETNX job 1234 of B and answers 0.
10. At 1s B gets its answer: 0. B does not get the lock: "lock already exists." B is finished.
11. At 3s A stops waiting for the answer to EXPIRE job 4. A fails to get the lock: "failed to expire
    lock: timeout".
12. At 4s A tries to acquire the lock job. A sends SETNX job 1234 to redis-1.
13. At 4s redis-1 carries out the SETNX job 1234 of A and answers 0.
14. At 4s A gets its answer: 0. A does not get the lock: "lock already exists." A is finished.
15. At 4s the faults are over; a new client, C, now tries to get the lock within 10s. C starts. C
    tries to acquire the lock job. C sends SETNX job 1234 to redis-1.
16. At 4s redis-1 carries out the SETNX job 1234 of C and answers 0.
17. At 4s C gets its answer: 0. C does not get the lock: "lock already exists."
18. At 9s C tries to acquire the lock job. C sends SETNX job 1234 to redis-1.
19. At 9s redis-1 carries out the SETNX job 1234 of C and answers 0.
20. At 9s C gets its answer: 0. C does not get the lock: "lock already exists."
21. At 14s C tries to acquire the lock job. C sends SETNX job 1234 to redis-1.
22. At 14s redis-1 carries out the SETNX job 1234 of C and answers 0.
23. At 14s C gets its answer: 0. C does not get the lock: "lock already exists." C is finished.
24. At 14s the run is over.

  why     A new client, C, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and has no expiry. (steps 3 and 24)
  code    algorithms/setnx_expire.cpp:16 sends SETNX job 1234 (step 3)
