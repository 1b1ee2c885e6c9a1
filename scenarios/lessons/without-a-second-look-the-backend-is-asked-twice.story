✘ resty-lock × none: single-fill is violated
  2 clients · ttl 8s · timeout 10s · step 1s · 12 steps

2. At 0ms A starts. A looks into the cache and does not find what it wants. A tries to acquire the
   lock job. A sends ADD job true 8 to redis-1.
3. At 0ms B starts. B looks into the cache and does not find what it wants. B tries to acquire the
   lock job. B sends ADD job true 8 to redis-1.
4. At 0ms redis-1 carries out the ADD job true 8 of A and answers OK. A's command creates the key
   job with "true", alive until 8s.
5. At 0ms redis-1 carries out the ADD job true 8 of B and answers error exists.
6. At 0ms A gets its answer: OK. A believes that it holds the lock. A asks the backend, which takes
   1s.
7. At 0ms B gets its answer: error exists.
8. At 1s A puts the answer into the cache. A begins to release the lock and no longer believes that
   it holds it. A sends DELETE job to redis-1.
9. At 1s B sends ADD job true 8 to redis-1.
10. At 1s redis-1 carries out the DELETE job of A and answers OK. A's command removes the key job,
    its own.
11. At 1s redis-1 carries out the ADD job true 8 of B and answers OK. B's command creates the key
    job with "true", alive until 9s.
12. At 1s B gets its answer: OK. B believes that it holds the lock. B asks the backend, which takes
    1s.

  why     At 1s B asked the backend for what A had asked it for at 0ms. (steps 6 and 12)
  code    algorithms/resty_lock.hpp:93 sends ADD job true 8 (step 6)
