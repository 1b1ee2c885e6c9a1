✘ redlock × restart: mutual-exclusion is violated
  2 clients · ttl 8s · nodes 5 · blocking no · 25 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 8000 NX to redis-1.
2. At 0ms redis-1 carries out the SET job A1 PX 8000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 8s.
3. At 0ms A gets its answer: OK. A sends SET job A1 PX 8000 NX to redis-2.
4. At 0ms redis-2 carries out the SET job A1 PX 8000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 8s.
5. At 0ms A gets its answer: OK. A sends SET job A1 PX 8000 NX to redis-3.
6. At 0ms redis-3 carries out the SET job A1 PX 8000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 8s.
7. At 0ms A gets its answer: OK. A sends SET job A1 PX 8000 NX to redis-4.
8. At 0ms redis-4 carries out the SET job A1 PX 8000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 8s.
9. At 0ms A gets its answer: OK. A sends SET job A1 PX 8000 NX to redis-5.
10. At 0ms redis-5 carries out the SET job A1 PX 8000 NX of A and answers OK. A's command creates
    the key job with "A1", alive until 8s.
11. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 3s.
12. At 0ms redis-1 restarts and has lost its data. The key job, set by A, is lost.
13. At 0ms redis-2 restarts and has lost its data. The key job, set by A, is lost.
14. At 0ms redis-3 restarts and has lost its data. The key job, set by A, is lost.
15. At 1s B starts. B tries to acquire the lock job. B sends SET job B1 PX 8000 NX to redis-1.
16. At 1s redis-1 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 9s.
17. At 1s B gets its answer: OK. B sends SET job B1 PX 8000 NX to redis-2.
18. At 1s redis-2 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 9s.
19. At 1s B gets its answer: OK. B sends SET job B1 PX 8000 NX to redis-3.
20. At 1s redis-3 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 9s.
21. At 1s B gets its answer: OK. B sends SET job B1 PX 8000 NX to redis-4.
22. At 1s redis-4 carries out the SET job B1 PX 8000 NX of B and answers nil.
23. At 1s B gets its answer: nil. B sends SET job B1 PX 8000 NX to redis-5.
24. At 1s redis-5 carries out the SET job B1 PX 8000 NX of B and answers nil.
25. At 1s B gets its answer: nil. B believes that it holds the lock. B works under the lock for 1s.

  why     At 1s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key still stands. (steps 11 and 25)
  code    algorithms/redlock.cpp:59 sends SET job A1 PX 8000 NX (step 11)
