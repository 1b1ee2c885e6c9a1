✘ set-nx-px-as-printed × none: mutual-exclusion is violated
  2 clients · ttl 4s · 6 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job 1234 PX 4000 NX to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SET job 1234 PX 4000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job 1234 PX 4000 NX of A and answers OK. A's command creates
   the key job with "1234", alive until 4s.
4. At 0ms redis-1 carries out the SET job 1234 PX 4000 NX of B and answers nil.
5. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
6. At 0ms B gets its answer: nil. B believes that it holds the lock. B works under the lock for 1s.

  why     At 0ms B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key still stands. (steps 5 and 6)
  code    algorithms/set_nx_px_as_printed.cpp:16 sends SET job 1234 PX 4000 NX (step 5)
