✘ celery-once × crash: recovery is violated
  1 client · ttl 0s · 25 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 NX to redis-1.
2. At 0ms redis-1 carries out the SET job A1 NX of A and answers OK. A's command creates the key job
   with "A1", without an expiry.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
4. At 0ms A crashes and forgets everything.
5. At 1s A starts. A tries to acquire the lock job. A sends SET job A2 NX to redis-1.
6. At 1s redis-1 carries out the SET job A2 NX of A and answers nil.
7. At 1s A gets its answer: nil. A sends PTTL job to redis-1.
8. At 1s redis-1 carries out the PTTL job of A and answers -1.
9. At 1s A gets its answer: -1. A does not get the lock: "AlreadyQueued". A is finished.
10. At 1s the faults are over; a new client, B, now tries to get the lock within 10s. B starts. B
    tries to acquire the lock job. B sends SET job B1 NX to redis-1.
11. At 1s redis-1 carries out the SET job B1 NX of B and answers nil.
12. At 1s B gets its answer: nil. B sends PTTL job to redis-1.
13. At 1s redis-1 carries out the PTTL job of B and answers -1.
14. At 1s B gets its answer: -1. B does not get the lock: "AlreadyQueued".
15. At 6s B tries to acquire the lock job. B sends SET job B2 NX to redis-1.
16. At 6s redis-1 carries out the SET job B2 NX of B and answers nil.
17. At 6s B gets its answer: nil. B sends PTTL job to redis-1.
18. At 6s redis-1 carries out the PTTL job of B and answers -1.
19. At 6s B gets its answer: -1. B does not get the lock: "AlreadyQueued".
20. At 11s B tries to acquire the lock job. B sends SET job B3 NX to redis-1.
21. At 11s redis-1 carries out the SET job B3 NX of B and answers nil.
22. At 11s B gets its answer: nil. B sends PTTL job to redis-1.
23. At 11s redis-1 carries out the PTTL job of B and answers -1.
24. At 11s B gets its answer: -1. B does not get the lock: "AlreadyQueued". B is finished.
25. At 11s the run is over.

  why     A new client, B, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and has no expiry. (steps 2 and 25)
  code    algorithms/celery_once.cpp:31 sends SET job A1 NX (step 2)
  code    algorithms/celery_once.cpp:36 sends PTTL job (step 25)
