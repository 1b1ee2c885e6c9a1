✘ with-advisory-lock × none: mutual-exclusion is violated
  2 clients · timeout 0s · pooler transaction · 6 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends POOLED 1 pg_try_advisory_lock job to
   postgres-1.
2. At 0ms postgres-1 carries out the POOLED 1 pg_try_advisory_lock job of A and answers 1. A's
   command creates the key lock:job with "held", without an expiry.
3. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 2s.
4. At 1s B starts. B tries to acquire the lock job. B sends POOLED 1 pg_try_advisory_lock job to
   postgres-1.
5. At 1s postgres-1 carries out the POOLED 1 pg_try_advisory_lock job of B and answers 1.
6. At 1s B gets its answer: 1. B believes that it holds the lock. B works under the lock for 2s.

  why     At 1s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key still stands. (steps 3 and 6)
  code    algorithms/with_advisory_lock.cpp:21 sends POOLED 1 pg_try_advisory_lock job (step 3)
