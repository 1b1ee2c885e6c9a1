✘ redis-objects-px × none: mutual-exclusion is violated
  2 clients · ttl 4s · timeout 0s · 14 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job "" PX 4000 NX to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SET job "" PX 4000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job "" PX 4000 NX of A and answers nil.
4. At 0ms redis-1 carries out the SET job "" PX 4000 NX of B and answers nil.
5. At 0ms A gets its answer: nil. A sends GET job to redis-1.
6. At 0ms B gets its answer: nil. B sends GET job to redis-1.
7. At 0ms redis-1 carries out the GET job of A and answers 1000000000.5.
8. At 0ms redis-1 carries out the GET job of B and answers 1000000000.5.
9. At 0ms A gets its answer: 1000000000.5. A sends SET job "" PX 4000 to redis-1.
10. At 0ms B gets its answer: 1000000000.5. B sends SET job "" PX 4000 to redis-1.
11. At 0ms redis-1 carries out the SET job "" PX 4000 of A and answers OK. A's command overwrites
    the key job, with "", alive until 4s.
12. At 0ms redis-1 carries out the SET job "" PX 4000 of B and answers OK. B's command overwrites
    the key job, set by A, with "", alive until 4s.
13. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
14. At 0ms B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 0ms B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key was overwritten by B at 0ms. (steps 13
          and 14)
  code    algorithms/redis_objects_px.cpp:34 sends SET job "" PX 4000 (step 12)
