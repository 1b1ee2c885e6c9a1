✘ redlock × restart: mutual-exclusion is violated
  2 clients · ttl 8s · nodes 5 · blocking no · 23 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 8000 NX to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SET job B1 PX 8000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job A1 PX 8000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 8s.
4. At 0ms redis-1 carries out the SET job B1 PX 8000 NX of B and answers nil.
5. At 0ms A gets its answer: OK. A sends SET job A1 PX 8000 NX to redis-2.
6. At 0ms B gets its answer: nil. B sends SET job B1 PX 8000 NX to redis-2.
7. At 0ms redis-2 carries out the SET job A1 PX 8000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 8s.
8. At 0ms redis-2 carries out the SET job B1 PX 8000 NX of B and answers nil.
9. At 0ms A gets its answer: OK. A sends SET job A1 PX 8000 NX to redis-3.
10. At 0ms B gets its answer: nil. B sends SET job B1 PX 8000 NX to redis-3.
11. At 0ms redis-3 carries out the SET job A1 PX 8000 NX of A and answers OK. A's command creates
    the key job with "A1", alive until 8s.
12. At 0ms A gets its answer: OK. A sends SET job A1 PX 8000 NX to redis-4.
13. At 0ms redis-3 restarts and has lost its data. The key job, set by A, is lost.
14. At 0ms redis-3 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates
    the key job with "B1", alive until 8s.
15. At 0ms B gets its answer: OK. B sends SET job B1 PX 8000 NX to redis-4.
16. At 0ms redis-4 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates
    the key job with "B1", alive until 8s.
17. At 0ms redis-4 carries out the SET job A1 PX 8000 NX of A and answers nil.
18. At 0ms B gets its answer: OK. B sends SET job B1 PX 8000 NX to redis-5.
19. At 0ms A gets its answer: nil. A sends SET job A1 PX 8000 NX to redis-5.
20. At 0ms redis-5 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates
    the key job with "B1", alive until 8s.
21. At 0ms redis-5 carries out the SET job A1 PX 8000 NX of A and answers nil.
22. At 0ms B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.
23. At 0ms A gets its answer: nil. A believes that it holds the lock. A works under the lock for 3s.

  why     At 0ms A was granted the lock while B, granted at 0ms, still believes that it holds it: B
          has neither released it nor noticed a loss; its key still stands. (steps 22 and 23)
  code    algorithms/redlock.cpp:59 sends SET job B1 PX 8000 NX (step 22)
