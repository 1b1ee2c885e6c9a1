✘ resty-lock × none: single-fill is violated
  2 clients · ttl 8s · timeout 10s · step 1s · 11 steps, and 1 in which only time passes

1. At 0ms A starts. A looks into the cache and does not find what it wants. A tries to acquire the
   lock job. A sends ADD job true 8 to nginx shared memory.
2. At 0ms B starts. B looks into the cache and does not find what it wants. B tries to acquire the
   lock job. B sends ADD job true 8 to nginx shared memory.
3. At 0ms nginx shared memory carries out the ADD job true 8 of A and answers OK. A's command
   creates the key job with "true", alive until 8s.
4. At 0ms nginx shared memory carries out the ADD job true 8 of B and answers error exists.
5. At 0ms A gets its answer: OK. A believes that it holds the lock. A asks the backend, which takes
   1s.
6. At 0ms B gets its answer: error exists.
7. At 1s A puts the answer into the cache. A begins to release the lock and no longer believes that
   it holds it. A sends DELETE job to nginx shared memory.
8. At 1s B sends ADD job true 8 to nginx shared memory.
9. At 1s nginx shared memory carries out the DELETE job of A and answers OK. A's command removes the
   key job, its own.
10. At 1s nginx shared memory carries out the ADD job true 8 of B and answers OK. B's command
    creates the key job with "true", alive until 9s.
11. At 1s B gets its answer: OK. B believes that it holds the lock. B asks the backend, which takes
    1s.

  why     At 1s B asked the backend for what A had asked it for at 0ms. (steps 5 and 11)
  code    algorithms/resty_lock.hpp:93 sends ADD job true 8 (step 5)
