✘ resty-lock × none: single-fill is violated
  2 clients · ttl 4s · timeout 10s · step 1s · 28 steps

2. At 0ms A starts. A looks into the cache and does not find what it wants. A tries to acquire the
   lock job. A sends ADD job true 4 to redis-1.
3. At 0ms B starts. B looks into the cache and does not find what it wants. B tries to acquire the
   lock job. B sends ADD job true 4 to redis-1.
4. At 0ms redis-1 carries out the ADD job true 4 of A and answers OK. A's command creates the key
   job with "true", alive until 4s.
5. At 0ms redis-1 carries out the ADD job true 4 of B and answers error exists.
6. At 0ms A gets its answer: OK. A believes that it holds the lock. A looks into the cache and does
   not find what it wants. A asks the backend, which takes 6s.
7. At 0ms B gets its answer: error exists.
8. At 1s B sends ADD job true 4 to redis-1.
9. At 1s redis-1 carries out the ADD job true 4 of B and answers error exists.
10. At 1s B gets its answer: error exists.
11. At 1.5s B sends ADD job true 4 to redis-1.
12. At 1.5s redis-1 carries out the ADD job true 4 of B and answers error exists.
13. At 1.5s B gets its answer: error exists.
14. At 2s B sends ADD job true 4 to redis-1.
15. At 2s redis-1 carries out the ADD job true 4 of B and answers error exists.
16. At 2s B gets its answer: error exists.
17. At 2.5s B sends ADD job true 4 to redis-1.
18. At 2.5s redis-1 carries out the ADD job true 4 of B and answers error exists.
19. At 2.5s B gets its answer: error exists.
20. At 3s B sends ADD job true 4 to redis-1.
21. At 3s redis-1 carries out the ADD job true 4 of B and answers error exists.
22. At 3s B gets its answer: error exists.
23. At 3.5s B sends ADD job true 4 to redis-1.
24. At 3.5s redis-1 carries out the ADD job true 4 of B and answers error exists.
25. At 3.5s B gets its answer: error exists.
26. At 4s B sends ADD job true 4 to redis-1.
27. At 4s redis-1 carries out the ADD job true 4 of B and answers OK. The key job, set by A,
    expires. B's command creates the key job with "true", alive until 8s.
28. At 4s B gets its answer: OK. B believes that it holds the lock. B looks into the cache and does
    not find what it wants. B asks the backend, which takes 6s.

  why     At 4s B asked the backend for what A had asked it for at 0ms. (steps 6 and 28)
  code    algorithms/resty_lock.hpp:93 sends ADD job true 4 (step 6)
