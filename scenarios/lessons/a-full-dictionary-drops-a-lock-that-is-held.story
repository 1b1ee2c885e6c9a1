✘ resty-lock × eviction: mutual-exclusion is violated
  2 clients · ttl 4s · timeout 0s · 7 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends ADD job true 4 to nginx shared memory.
2. At 0ms B starts. B tries to acquire the lock job. B sends ADD job true 4 to nginx shared memory.
3. At 0ms nginx shared memory carries out the ADD job true 4 of A and answers OK. A's command
   creates the key job with "true", alive until 4s.
4. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
5. At 0ms nginx shared memory needs room and drops the key job, which was alive. The key job, set by
   A, is lost.
6. At 0ms nginx shared memory carries out the ADD job true 4 of B and answers OK. B's command
   creates the key job with "true", alive until 4s.
7. At 0ms B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 0ms B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; the server lost its key at 0ms. (steps 4 and
          7)
  code    algorithms/resty_lock.hpp:93 sends ADD job true 4 (step 4)
