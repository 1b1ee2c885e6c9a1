✘ redis-objects-px × none: owner-only-release is violated
  2 clients · timeout 0s · 12 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job "" PX 1000 NX to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SET job "" PX 1000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job "" PX 1000 NX of A and answers OK. A's command creates the
   key job with "", alive until 1s.
4. At 0ms redis-1 carries out the SET job "" PX 1000 NX of B and answers nil.
5. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 3s.
6. At 0ms B gets its answer: nil. B does not get the lock: "Timeout on lock job exceeded 0 sec".
7. At 1s B tries to acquire the lock job. B sends SET job "" PX 1000 NX to redis-1.
8. At 1.001s the key job, set by A, expires.
9. At 2s redis-1 carries out the SET job "" PX 1000 NX of B and answers OK. B's command creates the
   key job with "", alive until 3s.
10. At 2s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 3s.
11. At 3s A writes to the guarded resource. A begins to release the lock and no longer believes that
    it holds it. A sends DEL job to redis-1.
12. At 3s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, set
    by B.

  why     At 3s a command of A removed the key of the lock that B was granted at 2s and still holds.
          (steps 10 and 12)
  code    algorithms/redis_objects_px.cpp:24 sends SET job "" PX 1000 NX (step 10)
  code    algorithms/redis_objects_px.cpp:48 sends DEL job (step 12)
