✘ redlock × pause: mutual-exclusion is violated
  2 clients · ttl 8s · nodes 5 · blocking no · belief until-release · 35 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 8000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job A1 PX 8000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 8s.
4. At 0ms A gets its answer: OK. A sends SET job A1 PX 8000 NX to redis-2.
5. At 0ms redis-2 carries out the SET job A1 PX 8000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 8s.
6. At 0ms A gets its answer: OK. A sends SET job A1 PX 8000 NX to redis-3.
7. At 0ms redis-3 carries out the SET job A1 PX 8000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 8s.
8. At 0ms A gets its answer: OK. A sends SET job A1 PX 8000 NX to redis-4.
9. At 0ms redis-4 carries out the SET job A1 PX 8000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 8s.
10. At 0ms A gets its answer: OK. A sends SET job A1 PX 8000 NX to redis-5.
11. At 0ms redis-5 carries out the SET job A1 PX 8000 NX of A and answers OK. A's command creates
    the key job with "A1", alive until 8s.
12. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 3s.
13. At 3s A is stopped in the middle of what it does.
23. At 8.001s the key job, set by A, expires. The key job, set by A, expires. The key job, set by A,
    expires. The key job, set by A, expires. The key job, set by A, expires.
25. At 9s B starts. B tries to acquire the lock job. B sends SET job B1 PX 8000 NX to redis-1.
26. At 9s redis-1 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 17s.
27. At 9s B gets its answer: OK. B sends SET job B1 PX 8000 NX to redis-2.
28. At 9s redis-2 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 17s.
29. At 9s B gets its answer: OK. B sends SET job B1 PX 8000 NX to redis-3.
30. At 9s redis-3 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 17s.
31. At 9s B gets its answer: OK. B sends SET job B1 PX 8000 NX to redis-4.
32. At 9s redis-4 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 17s.
33. At 9s B gets its answer: OK. B sends SET job B1 PX 8000 NX to redis-5.
34. At 9s redis-5 carries out the SET job B1 PX 8000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 17s.
35. At 9s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 9s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 8.001s. (steps 12 and 35)
  code    algorithms/redlock.cpp:58 sends SET job A1 PX 8000 NX (step 12)
