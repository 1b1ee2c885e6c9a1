✘ redis-objects-px × none: recovery is violated
  1 client · ttl 1s · timeout 0s · 15 steps, and 1 in which only time passes

1. At 0ms A starts; its wall clock is 900ms ahead. A tries to acquire the lock job. A sends SET job
   "" PX 1000 NX to redis-1.
2. At 0ms redis-1 carries out the SET job "" PX 1000 NX of A and answers OK. A's command creates the
   key job with "", alive until 1s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for
   500ms.
4. At 500ms A writes to the guarded resource. A begins to release the lock and no longer believes
   that it holds it. A leaves what it wrote where it keeps the others out. A reports that it has
   released the lock. A is finished.
5. At 500ms the faults are over; a new client, B, now tries to get the lock within 100ms. B starts.
   B tries to acquire the lock job. B sends SET job "" PX 1000 NX to redis-1.
6. At 500ms redis-1 carries out the SET job "" PX 1000 NX of B and answers nil.
7. At 500ms B gets its answer: nil. B sends GET job to redis-1.
8. At 500ms redis-1 carries out the GET job of B and answers "".
9. At 500ms B gets its answer: "". B does not get the lock: "Timeout on lock job exceeded 0 sec".
10. At 600ms B tries to acquire the lock job. B sends SET job "" PX 1000 NX to redis-1.
11. At 600ms redis-1 carries out the SET job "" PX 1000 NX of B and answers nil.
12. At 600ms B gets its answer: nil. B sends GET job to redis-1.
13. At 600ms redis-1 carries out the GET job of B and answers "".
14. At 600ms B gets its answer: "". B does not get the lock: "Timeout on lock job exceeded 0 sec". B
    is finished.
15. At 600ms the run is over.

  why     A new client, B, tried for 100ms after the last fault and was not granted the lock: the
          key that A wrote at 0ms still stands and expires at 1s. (steps 2 and 15)
  code    algorithms/redis_objects_px.cpp:24 sends SET job "" PX 1000 NX (step 2)
  code    algorithms/redis_objects_px.cpp:29 sends GET job (step 15)
