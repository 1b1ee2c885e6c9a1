✘ resty-lock × eviction: mutual-exclusion is violated
  2 clients · ttl 4s · timeout 0s · 8 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends ADD job true 4 to redis-1.
3. At 0ms B starts. B tries to acquire the lock job. B sends ADD job true 4 to redis-1.
4. At 0ms redis-1 carries out the ADD job true 4 of A and answers OK. A's command creates the key
   job with "true", alive until 4s.
5. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
6. At 0ms redis-1 needs room and drops the key job, which was alive. The key job, set by A, is lost.
7. At 0ms redis-1 carries out the ADD job true 4 of B and answers OK. B's command creates the key
   job with "true", alive until 4s.
8. At 0ms B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 0ms B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; the server lost its key at 0ms. (steps 5 and
          8)
  code    algorithms/resty_lock.hpp:93 sends ADD job true 4 (step 5)
