✘ redlock × server-clock-jump: mutual-exclusion is violated
  2 clients · ttl 3s · nodes 5 · blocking no · 26 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 3000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job A1 PX 3000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 3s.
4. At 0ms A gets its answer: OK. A sends SET job A1 PX 3000 NX to redis-2.
5. At 0ms redis-2 carries out the SET job A1 PX 3000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 3s.
6. At 0ms A gets its answer: OK. A sends SET job A1 PX 3000 NX to redis-3.
7. At 0ms redis-3 carries out the SET job A1 PX 3000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 3s.
8. At 0ms A gets its answer: OK. A sends SET job A1 PX 3000 NX to redis-4.
9. At 0ms redis-4 carries out the SET job A1 PX 3000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 3s.
10. At 0ms A gets its answer: OK. A sends SET job A1 PX 3000 NX to redis-5.
11. At 0ms redis-5 carries out the SET job A1 PX 3000 NX of A and answers OK. A's command creates
    the key job with "A1", alive until 3s.
12. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 2s.
13. At 0ms the clock of redis-1 is set: it is 3s ahead now.
14. At 0ms the clock of redis-2 is set: it is 3s ahead now.
15. At 0ms the clock of redis-3 is set: it is 3s ahead now.
16. At 1ms the key job, set by A, expires. The key job, set by A, expires. The key job, set by A,
    expires. B starts. B tries to acquire the lock job. B sends SET job B1 PX 3000 NX to redis-1.
17. At 1s redis-1 carries out the SET job B1 PX 3000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 4s.
18. At 1s B gets its answer: OK. B sends SET job B1 PX 3000 NX to redis-2.
19. At 1s redis-2 carries out the SET job B1 PX 3000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 4s.
20. At 1s B gets its answer: OK. B sends SET job B1 PX 3000 NX to redis-3.
21. At 1s redis-3 carries out the SET job B1 PX 3000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 4s.
22. At 1s B gets its answer: OK. B sends SET job B1 PX 3000 NX to redis-4.
23. At 1s redis-4 carries out the SET job B1 PX 3000 NX of B and answers nil.
24. At 1s B gets its answer: nil. B sends SET job B1 PX 3000 NX to redis-5.
25. At 1s redis-5 carries out the SET job B1 PX 3000 NX of B and answers nil.
26. At 1s B gets its answer: nil. B believes that it holds the lock. B works under the lock for 1s.

  why     At 1s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key still stands. (steps 12 and 26)
  code    algorithms/redlock.cpp:58 sends SET job A1 PX 3000 NX (step 12)
