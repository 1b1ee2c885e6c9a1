✘ redlock × pause: mutual-exclusion is violated
  2 clients · ttl 8s · nodes 5 · blocking no · belief until-release · 24 steps, and 11 in which only
  time passes

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
12. At 3s A is stopped in the middle of what it does.
13. At 8.001s the key job, set by A, expires. The key job, set by A, expires. The key job, set by A,
    expires. The key job, set by A, expires. The key job, set by A, expires.
14. At 9s B starts. B tries to acquire the lock job. B sends SET job B1 PX 8000 NX to redis-1.
15. At 9s redis-1 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 17s.
16. At 9s B gets its answer: OK. B sends SET job B1 PX 8000 NX to redis-2.
17. At 9s redis-2 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 17s.
18. At 9s B gets its answer: OK. B sends SET job B1 PX 8000 NX to redis-3.
19. At 9s redis-3 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 17s.
20. At 9s B gets its answer: OK. B sends SET job B1 PX 8000 NX to redis-4.
21. At 9s redis-4 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 17s.
22. At 9s B gets its answer: OK. B sends SET job B1 PX 8000 NX to redis-5.
23. At 9s redis-5 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 17s.
24. At 9s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 9s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 8.001s. (steps 11 and 24)
  code    algorithms/redlock.cpp:59 sends SET job A1 PX 8000 NX (step 11)
