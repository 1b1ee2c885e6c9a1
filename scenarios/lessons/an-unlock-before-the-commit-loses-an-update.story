✘ with-advisory-lock × none: no-lost-update is violated
  2 clients · timeout 0s · 10 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends pg_try_advisory_lock job to postgres-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends pg_try_advisory_lock job to postgres-1.
3. At 0ms postgres-1 carries out the pg_try_advisory_lock job of A and answers 1. A's command
   creates the key lock:job with "held", without an expiry.
4. At 0ms A gets its answer: 1. A believes that it holds the lock. A reads the guarded resource. A
   begins to release the lock and no longer believes that it holds it. A sends pg_advisory_unlock
   job to postgres-1.
5. At 0ms postgres-1 carries out the pg_advisory_unlock job of A and answers 1. A's command removes
   the key lock:job, its own.
6. At 0ms postgres-1 carries out the pg_try_advisory_lock job of B and answers 1. B's command
   creates the key lock:job with "held", without an expiry.
7. At 0ms B gets its answer: 1. B believes that it holds the lock. B reads the guarded resource. B
   begins to release the lock and no longer believes that it holds it. B sends pg_advisory_unlock
   job to postgres-1.
8. At 0ms A gets its answer: 1. A reports that it has released the lock. A writes to the guarded
   resource. A is finished.
9. At 0ms postgres-1 carries out the pg_advisory_unlock job of B and answers 1. B's command removes
   the key lock:job, its own.
10. At 0ms B gets its answer: 1. B reports that it has released the lock. B writes to the guarded
    resource. B is finished.

  why     At 0ms a write of B replaced what A had written at 0ms: B had read the resource before, at
          0ms, and knew nothing of it. (steps 8 and 10)
  code    algorithms/with_advisory_lock.cpp:36 sends pg_advisory_unlock job (step 8)
