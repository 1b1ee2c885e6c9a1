✘ redis-objects-px × none: recovery is violated
  1 client · ttl 1s · timeout 0s · 16 steps

2. At 0ms A starts; its wall clock is 900ms ahead. A tries to acquire the lock job. A sends SET job
   "" PX 1000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job "" PX 1000 NX of A and answers OK. A's command creates the
   key job with "", alive until 1s.
4. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for
   500ms.
5. At 500ms A writes to the guarded resource. A begins to release the lock and no longer believes
   that it holds it. A reports that it has released the lock. A is finished.
6. At 500ms the faults are over; a new client, B, now tries to get the lock within 100ms. B starts.
   B tries to acquire the lock job. B sends SET job "" PX 1000 NX to redis-1.
7. At 500ms redis-1 carries out the SET job "" PX 1000 NX of B and answers nil.
8. At 500ms B gets its answer: nil. B sends GET job to redis-1.
9. At 500ms redis-1 carries out the GET job of B and answers "".
10. At 500ms B gets its answer: "". B does not get the lock: "Timeout on lock job exceeded 0 sec".
11. At 600ms B tries to acquire the lock job. B sends SET job "" PX 1000 NX to redis-1.
12. At 600ms redis-1 carries out the SET job "" PX 1000 NX of B and answers nil.
13. At 600ms B gets its answer: nil. B sends GET job to redis-1.
14. At 600ms redis-1 carries out the GET job of B and answers "".
15. At 600ms B gets its answer: "". B does not get the lock: "Timeout on lock job exceeded 0 sec". B
    is finished.
16. At 600ms the run is over.

  why     A new client, B, tried for 100ms after the last fault and was not granted the lock: the
          key that A wrote at 0ms still stands and expires at 1s. (steps 3 and 16)
  code    algorithms/redis_objects_px.cpp:24 sends SET job "" PX 1000 NX (step 3)
  code    algorithms/redis_objects_px.cpp:29 sends GET job (step 16)
