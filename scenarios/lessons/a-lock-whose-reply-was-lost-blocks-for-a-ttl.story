✘ redismutex × lost-reply: recovery is violated
  1 client · ttl 4s · blocking no · 13 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 2 job job:lock-intent A1
   4000 0 to redis-1.
2. At 0ms redis-1 carries out the EVAL script 2 job job:lock-intent A1 4000 0 of A and answers nil.
   A's command creates the key job with "A1", alive until 4s.
3. At 0ms the answer to the EVAL script 2 job job:lock-intent A1 4000 0 of A is lost on its way.
4. At 1s A's driver waits no longer for the answer to EVAL script 2 job job:lock-intent A1 4000 0,
   and sends it again. A sends EVAL script 2 job job:lock-intent A1 4000 0 to redis-1.
5. At 1s redis-1 carries out the EVAL script 2 job job:lock-intent A1 4000 0 of A and answers 3000.
6. At 1s A gets its answer: 3000. A leaves what it wrote where it keeps the others out. A does not
   get the lock: "redismutex: lock not obtained". A is finished.
7. At 1s the faults are over; a new client, B, now tries to get the lock within 1s. B starts. B
   tries to acquire the lock job. B sends EVAL script 2 job job:lock-intent B1 4000 0 to redis-1.
8. At 1s redis-1 carries out the EVAL script 2 job job:lock-intent B1 4000 0 of B and answers 3000.
9. At 1s B gets its answer: 3000. B does not get the lock: "redismutex: lock not obtained".
10. At 2s B tries to acquire the lock job. B sends EVAL script 2 job job:lock-intent B2 4000 0 to
    redis-1.
11. At 2s redis-1 carries out the EVAL script 2 job job:lock-intent B2 4000 0 of B and answers 2000.
12. At 2s B gets its answer: 2000. B does not get the lock: "redismutex: lock not obtained". B is
    finished.
13. At 2s the run is over.

  why     A new client, B, tried for 1s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and expires at 4s. (steps 2 and 13)
  code    algorithms/redismutex.cpp:62 sends EVAL script 2 job job:lock-intent A1 4000 0 (step 2)
