✘ pg-advisory × none: recovery is violated
  1 client · blocking no · pooler transaction · 15 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends POOLED 2 pg_try_advisory_lock job to
   postgres-1.
2. At 0ms postgres-1 carries out the POOLED 2 pg_try_advisory_lock job of A and answers 1. A's
   command creates the key lock:job with "held", without an expiry.
3. At 0ms A gets its answer: 1. A believes that it holds the lock. A begins to release the lock and
   no longer believes that it holds it. A sends POOLED 1 pg_advisory_unlock job to postgres-1.
4. At 0ms postgres-1 carries out the POOLED 1 pg_advisory_unlock job of A and answers 0.
5. At 0ms A gets its answer: 0. A leaves what it wrote where it keeps the others out. A reports that
   the lock was no longer its own. A is finished.
6. At 0ms the faults are over; a new client, B, now tries to get the lock within 10s. B starts. B
   tries to acquire the lock job. B sends POOLED 1 pg_try_advisory_lock job to postgres-1.
7. At 0ms postgres-1 carries out the POOLED 1 pg_try_advisory_lock job of B and answers 0.
8. At 0ms B gets its answer: 0. B does not get the lock: "pg_try_advisory_lock returned false".
9. At 5s B tries to acquire the lock job. B sends POOLED 1 pg_try_advisory_lock job to postgres-1.
10. At 5s postgres-1 carries out the POOLED 1 pg_try_advisory_lock job of B and answers 0.
11. At 5s B gets its answer: 0. B does not get the lock: "pg_try_advisory_lock returned false".
12. At 10s B tries to acquire the lock job. B sends POOLED 1 pg_try_advisory_lock job to postgres-1.
13. At 10s postgres-1 carries out the POOLED 1 pg_try_advisory_lock job of B and answers 0.
14. At 10s B gets its answer: 0. B does not get the lock: "pg_try_advisory_lock returned false". B
    is finished.
15. At 10s the run is over.

  why     A new client, B, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and has no expiry. (steps 2 and 15)
  code    algorithms/pg_advisory.cpp:21 sends POOLED 2 pg_try_advisory_lock job (step 2)
