✘ aioredlock × pause: no-stale-write is violated
  2 clients · ttl 5s · blocking no · belief notified · 24 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 job A1 5000 to redis-1.
3. At 0ms redis-1 carries out the EVAL script 1 job A1 5000 of A and answers OK. A's command creates
   the key job with "A1", alive until 5s.
4. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 14s.
5. At 3s A is stopped in the middle of what it does.
7. At 5.001s the key job, set by A, expires.
8. At 6s B starts. B tries to acquire the lock job. B sends EVAL script 1 job B1 5000 to redis-1.
9. At 6s redis-1 carries out the EVAL script 1 job B1 5000 of B and answers OK. B's command creates
   the key job with "B1", alive until 11s.
10. At 6s B gets its answer: OK. B believes that it holds the lock.
11. At 6s B writes to the guarded resource. B begins to release the lock and no longer believes that
    it holds it. B sends EVAL script 1 job B1 to redis-1.
12. At 6s redis-1 carries out the EVAL script 1 job B1 of B and answers 1. B's command removes the
    key job, its own.
13. At 6s B gets its answer: 1. B reports that it has released the lock. B is finished.
16. At 8s A goes on, as if the last 5s had not passed.
17. At 8s A sends EVAL script 1 job A1 5000 to redis-1.
18. At 8s redis-1 carries out the EVAL script 1 job A1 5000 of A and answers OK. A's command creates
    the key job with "A1", alive until 13s.
19. At 8s A gets its answer: OK.
20. At 11s A sends EVAL script 1 job A1 5000 to redis-1.
21. At 11s redis-1 carries out the EVAL script 1 job A1 5000 of A and answers OK. A's command
    overwrites the key job, its own, with "A1", alive until 16s.
22. At 11s A gets its answer: OK.
24. At 14s A writes to the guarded resource. A begins to release the lock and no longer believes
    that it holds it. A sends EVAL script 1 job A1 to redis-1.

  why     At 14s a write of A, granted at 0ms, reached the resource although B had been granted the
          lock at 6s. (steps 10 and 24)
  code    algorithms/aioredlock.cpp:85 sends EVAL script 1 job B1 5000 (step 10)
  code    algorithms/aioredlock.cpp:62 sends EVAL script 1 job A1 (step 24)
