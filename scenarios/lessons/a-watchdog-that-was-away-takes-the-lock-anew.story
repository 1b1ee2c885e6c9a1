✘ aioredlock × pause: no-stale-write is violated
  2 clients · ttl 5s · blocking no · belief notified · 19 steps, and 5 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless another's" 1 job A1
   5000 to redis-1.
2. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job A1 5000 of A and answers OK.
   A's command creates the key job with "A1", alive until 5s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 14s.
4. At 3s A is stopped in the middle of what it does.
5. At 5.001s the key job, set by A, expires.
6. At 6s B starts. B tries to acquire the lock job. B sends EVAL "take unless another's" 1 job B1
   5000 to redis-1.
7. At 6s redis-1 carries out the EVAL "take unless another's" 1 job B1 5000 of B and answers OK. B's
   command creates the key job with "B1", alive until 11s.
8. At 6s B gets its answer: OK. B believes that it holds the lock.
9. At 6s B writes to the guarded resource. B begins to release the lock and no longer believes that
   it holds it. B sends EVAL script 1 job B1 to redis-1.
10. At 6s redis-1 carries out the EVAL script 1 job B1 of B and answers 1. B's command removes the
    key job, its own.
11. At 6s B gets its answer: 1. B reports that it has released the lock. B is finished.
12. At 8s A goes on, as if the last 5s had not passed.
13. At 8s A sends EVAL "take unless another's" 1 job A1 5000 to redis-1.
14. At 8s redis-1 carries out the EVAL "take unless another's" 1 job A1 5000 of A and answers OK.
    A's command creates the key job with "A1", alive until 13s.
15. At 8s A gets its answer: OK.
16. At 11s A sends EVAL "take unless another's" 1 job A1 5000 to redis-1.
17. At 11s redis-1 carries out the EVAL "take unless another's" 1 job A1 5000 of A and answers OK.
    A's command overwrites the key job, its own, with "A1", alive until 16s.
18. At 11s A gets its answer: OK.
19. At 14s A writes to the guarded resource. A begins to release the lock and no longer believes
    that it holds it. A sends EVAL script 1 job A1 to redis-1.

  why     At 14s a write of A, granted at 0ms, reached the resource although B had been granted the
          lock at 6s. (steps 8 and 19)
  code    algorithms/aioredlock.cpp:88 sends EVAL "take unless another's" 1 job B1 5000 (step 8)
  code    algorithms/aioredlock.cpp:70 sends EVAL script 1 job A1 (step 19)
