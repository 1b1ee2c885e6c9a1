✘ aioredlock × none: no-stale-write is violated
  2 clients · ttl 5s · blocking no · auto-extend no · belief notified · 10 steps, and 2 in which
  only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless another's" 1 job A1
   5000 to redis-1.
2. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job A1 5000 of A and answers OK.
   A's command creates the key job with "A1", alive until 5s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 8s.
4. At 5.001s the key job, set by A, expires. B starts. B tries to acquire the lock job. B sends EVAL
   "take unless another's" 1 job B1 5000 to redis-1.
5. At 6s redis-1 carries out the EVAL "take unless another's" 1 job B1 5000 of B and answers OK. B's
   command creates the key job with "B1", alive until 11s.
6. At 6s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.
7. At 7s B begins to release the lock and no longer believes that it holds it. B sends EVAL script 1
   job B1 to redis-1.
8. At 7s redis-1 carries out the EVAL script 1 job B1 of B and answers 1. B's command removes the
   key job, its own.
9. At 7s B gets its answer: 1. B reports that it has released the lock. B is finished.
10. At 8s A writes to the guarded resource. A begins to release the lock and no longer believes that
    it holds it. A sends EVAL script 1 job A1 to redis-1.

  why     At 8s a write of A, granted at 0ms, reached the resource although B had been granted the
          lock at 6s. (steps 6 and 10)
  code    algorithms/aioredlock.cpp:88 sends EVAL "take unless another's" 1 job B1 5000 (step 6)
  code    algorithms/aioredlock.cpp:70 sends EVAL script 1 job A1 (step 10)
