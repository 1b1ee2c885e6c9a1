✘ celery-once × crash: recovery is violated
  1 client · ttl 0s · 26 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 NX to redis-1.
3. At 0ms redis-1 carries out the SET job A1 NX of A and answers OK. A's command creates the key job
   with "A1", without an expiry.
4. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
5. At 0ms A crashes and forgets everything.
6. At 1s A starts. A tries to acquire the lock job. A sends SET job A2 NX to redis-1.
7. At 1s redis-1 carries out the SET job A2 NX of A and answers nil.
8. At 1s A gets its answer: nil. A sends PTTL job to redis-1.
9. At 1s redis-1 carries out the PTTL job of A and answers -1.
10. At 1s A gets its answer: -1. A does not get the lock: "AlreadyQueued". A is finished.
11. At 1s the faults are over; a new client, B, now tries to get the lock within 10s. B starts. B
    tries to acquire the lock job. B sends SET job B1 NX to redis-1.
12. At 1s redis-1 carries out the SET job B1 NX of B and answers nil.
13. At 1s B gets its answer: nil. B sends PTTL job to redis-1.
14. At 1s redis-1 carries out the PTTL job of B and answers -1.
15. At 1s B gets its answer: -1. B does not get the lock: "AlreadyQueued".
16. At 6s B tries to acquire the lock job. B sends SET job B2 NX to redis-1.
17. At 6s redis-1 carries out the SET job B2 NX of B and answers nil.
18. At 6s B gets its answer: nil. B sends PTTL job to redis-1.
19. At 6s redis-1 carries out the PTTL job of B and answers -1.
20. At 6s B gets its answer: -1. B does not get the lock: "AlreadyQueued".
21. At 11s B tries to acquire the lock job. B sends SET job B3 NX to redis-1.
22. At 11s redis-1 carries out the SET job B3 NX of B and answers nil.
23. At 11s B gets its answer: nil. B sends PTTL job to redis-1.
24. At 11s redis-1 carries out the PTTL job of B and answers -1.
25. At 11s B gets its answer: -1. B does not get the lock: "AlreadyQueued". B is finished.
26. At 11s the run is over.

  why     A new client, B, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and has no expiry. (steps 3 and 26)
  code    algorithms/celery_once.cpp:31 sends SET job A1 NX (step 3)
  code    algorithms/celery_once.cpp:36 sends PTTL job (step 26)
