✘ setnx-expire × late-request: recovery is violated
  1 client · ttl 4s · 14 steps, and 3 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1234 to redis-1.
2. At 0ms the SETNX job 1234 of A will arrive late.
3. At 3s A stops waiting for the answer to SETNX job 1234. A fails to get the lock: "failed to setnx
   lock: timeout". A is finished.
4. At 3s redis-1 carries out the SETNX job 1234 of A and answers 1. A's command creates the key job
   with "1234", without an expiry. an answer to A arrives, but A no longer waits for it.
5. At 3s the faults are over; a new client, B, now tries to get the lock within 10s. B starts. B
   tries to acquire the lock job. B sends SETNX job 1234 to redis-1.
6. At 3s redis-1 carries out the SETNX job 1234 of B and answers 0.
7. At 3s B gets its answer: 0. B does not get the lock: "lock already exists."
8. At 8s B tries to acquire the lock job. B sends SETNX job 1234 to redis-1.
9. At 8s redis-1 carries out the SETNX job 1234 of B and answers 0.
10. At 8s B gets its answer: 0. B does not get the lock: "lock already exists."
11. At 13s B tries to acquire the lock job. B sends SETNX job 1234 to redis-1.
12. At 13s redis-1 carries out the SETNX job 1234 of B and answers 0.
13. At 13s B gets its answer: 0. B does not get the lock: "lock already exists." B is finished.
14. At 13s the run is over.

  why     A new client, B, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 3s still stands and has no expiry. (steps 4 and 14)
  code    algorithms/setnx_expire.cpp:16 sends SETNX job 1234 (step 4)
