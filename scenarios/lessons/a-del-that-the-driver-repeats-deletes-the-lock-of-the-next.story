✘ redis-objects-px × lost-reply: owner-only-release is violated
  2 clients · ttl 4s · timeout 0s · 16 steps, and 5 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job "" PX 4000 NX to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SET job "" PX 4000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job "" PX 4000 NX of A and answers OK. A's command creates the
   key job with "", alive until 4s.
4. At 0ms redis-1 carries out the SET job "" PX 4000 NX of B and answers nil.
5. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
6. At 0ms B gets its answer: nil. B sends GET job to redis-1.
7. At 0ms redis-1 carries out the GET job of B and answers "".
8. At 0ms B gets its answer: "". B does not get the lock: "Timeout on lock job exceeded 0 sec".
9. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends DEL job to redis-1.
10. At 1s B tries to acquire the lock job. B sends SET job "" PX 4000 NX to redis-1.
11. At 1s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, its
    own.
12. At 1s the answer to the DEL job of A is lost on its way.
13. At 2s redis-1 carries out the SET job "" PX 4000 NX of B and answers OK. B's command creates the
    key job with "", alive until 6s.
14. At 3s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.
15. At 4s A's driver waits no longer for the answer to DEL job, and sends it again. A sends DEL job
    to redis-1.
16. At 4s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, set
    by B.

  why     At 4s a command of A removed the key of the lock that B was granted at 3s and still holds.
          (steps 14 and 16)
  code    algorithms/redis_objects_px.cpp:24 sends SET job "" PX 4000 NX (step 14)
  code    algorithms/redis_objects_px.cpp:48 sends DEL job (step 16)
