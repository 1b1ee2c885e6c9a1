✘ resty-lock × none: single-fill is violated
  2 clients · ttl 4s · timeout 10s · step 1s · 27 steps, and 1 in which only time passes

1. At 0ms A starts. A looks into the cache and does not find what it wants. A tries to acquire the
   lock job. A sends ADD job true 4 to nginx shared memory.
2. At 0ms B starts. B looks into the cache and does not find what it wants. B tries to acquire the
   lock job. B sends ADD job true 4 to nginx shared memory.
3. At 0ms nginx shared memory carries out the ADD job true 4 of A and answers OK. A's command
   creates the key job with "true", alive until 4s.
4. At 0ms nginx shared memory carries out the ADD job true 4 of B and answers error exists.
5. At 0ms A gets its answer: OK. A believes that it holds the lock. A looks into the cache and does
   not find what it wants. A asks the backend, which takes 6s.
6. At 0ms B gets its answer: error exists.
7. At 1s B sends ADD job true 4 to nginx shared memory.
8. At 1s nginx shared memory carries out the ADD job true 4 of B and answers error exists.
9. At 1s B gets its answer: error exists.
10. At 1.5s B sends ADD job true 4 to nginx shared memory.
11. At 1.5s nginx shared memory carries out the ADD job true 4 of B and answers error exists.
12. At 1.5s B gets its answer: error exists.
13. At 2s B sends ADD job true 4 to nginx shared memory.
14. At 2s nginx shared memory carries out the ADD job true 4 of B and answers error exists.
15. At 2s B gets its answer: error exists.
16. At 2.5s B sends ADD job true 4 to nginx shared memory.
17. At 2.5s nginx shared memory carries out the ADD job true 4 of B and answers error exists.
18. At 2.5s B gets its answer: error exists.
19. At 3s B sends ADD job true 4 to nginx shared memory.
20. At 3s nginx shared memory carries out the ADD job true 4 of B and answers error exists.
21. At 3s B gets its answer: error exists.
22. At 3.5s B sends ADD job true 4 to nginx shared memory.
23. At 3.5s nginx shared memory carries out the ADD job true 4 of B and answers error exists.
24. At 3.5s B gets its answer: error exists.
25. At 4s B sends ADD job true 4 to nginx shared memory.
26. At 4s nginx shared memory carries out the ADD job true 4 of B and answers OK. The key job, set
    by A, expires. B's command creates the key job with "true", alive until 8s.
27. At 4s B gets its answer: OK. B believes that it holds the lock. B looks into the cache and does
    not find what it wants. B asks the backend, which takes 6s.

  why     At 4s B asked the backend for what A had asked it for at 0ms. (steps 5 and 27)
  code    algorithms/resty_lock.hpp:93 sends ADD job true 4 (step 5)
