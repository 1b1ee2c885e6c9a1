✘ redlock-rb × none: no-stale-write is violated
  2 clients · ttl 4s · nodes 1 · blocking no · again extend · belief notified · 13 steps, and 1 in
  which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 job A1 4000 yes to
   redis-1.
2. At 0ms redis-1 carries out the EVAL script 1 job A1 4000 yes of A and answers OK. A's command
   creates the key job with "A1", alive until 4s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 7s.
4. At 4.001s the key job, set by A, expires. B starts. B tries to acquire the lock job. B sends EVAL
   script 1 job B1 4000 yes to redis-1.
5. At 5s redis-1 carries out the EVAL script 1 job B1 4000 yes of B and answers OK. B's command
   creates the key job with "B1", alive until 9s.
6. At 5s B gets its answer: OK. B believes that it holds the lock.
7. At 5s B writes to the guarded resource. B begins to release the lock and no longer believes that
   it holds it. B sends EVAL "delete if mine" 1 job B1 to redis-1.
8. At 5s redis-1 carries out the EVAL "delete if mine" 1 job B1 of B and answers 1. B's command
   removes the key job, its own.
9. At 5s B gets its answer: 1. B reports that it has released the lock. B is finished.
10. At 7s A sends EVAL script 1 job A1 4000 yes to redis-1.
11. At 7s redis-1 carries out the EVAL script 1 job A1 4000 yes of A and answers OK. A's command
    creates the key job with "A1", alive until 11s.
12. At 7s A gets its answer: OK. A, which holds the lock, acquires it once more and is told yes.
13. At 7s A writes to the guarded resource. A sends EVAL "delete if mine" 1 job A1 to redis-1.

  why     At 7s a write of A, granted at 0ms, reached the resource although B had been granted the
          lock at 5s. (steps 6 and 13)
  code    algorithms/redlock_rb.cpp:89 sends EVAL script 1 job B1 4000 yes (step 6)
  code    algorithms/redlock_rb.cpp:113 sends EVAL "delete if mine" 1 job A1 (step 13)
