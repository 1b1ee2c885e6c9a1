✘ pg-advisory × restart: no-stale-write is violated
  2 clients · blocking no · 8 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends pg_try_advisory_lock job to postgres-1.
2. At 0ms postgres-1 carries out the pg_try_advisory_lock job of A and answers 1. A's command
   creates the key lock:job with "held", without an expiry.
3. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 1s.
4. At 0ms postgres-1 restarts and still has its data. The key lock:job, set by A, is lost.
5. At 0ms B starts. B tries to acquire the lock job. B sends pg_try_advisory_lock job to postgres-1.
6. At 0ms postgres-1 carries out the pg_try_advisory_lock job of B and answers 1. B's command
   creates the key lock:job with "held", without an expiry.
7. At 0ms B gets its answer: 1. B believes that it holds the lock. B works under the lock for 1s.
8. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it.

  why     At 1s a write of A, granted at 0ms, reached the resource although B had been granted the
          lock at 0ms. (steps 7 and 8)
  code    algorithms/pg_advisory.cpp:21 sends pg_try_advisory_lock job (step 7)
