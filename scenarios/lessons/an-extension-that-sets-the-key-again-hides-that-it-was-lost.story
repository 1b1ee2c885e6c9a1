✘ redlock-net × eviction: no-stale-write is violated
  2 clients · ttl 6s · nodes 1 · blocking no · belief notified · 20 steps, and 6 in which only time
  passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET redlock:job A1 EX 6 NX to redis-1.
2. At 0ms redis-1 carries out the SET redlock:job A1 EX 6 NX of A and answers OK. A's command
   creates the key redlock:job with "A1", alive until 6s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 10s.
4. At 3s A sends EVAL script 1 redlock:job A1 6000 to redis-1.
5. At 3s redis-1 carries out the EVAL script 1 redlock:job A1 6000 of A and answers 1. A's command
   changes the expiry of the key redlock:job, its own; it is now alive until 9s.
6. At 3s redis-1 needs room and drops the key redlock:job, which was alive. The key redlock:job, set
   by A, is lost.
7. At 3s A gets its answer: 1.
8. At 4s B starts. B tries to acquire the lock job. B sends SET redlock:job B1 EX 6 NX to redis-1.
9. At 4s redis-1 carries out the SET redlock:job B1 EX 6 NX of B and answers OK. B's command creates
   the key redlock:job with "B1", alive until 10s.
10. At 4s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.
11. At 5s B writes to the guarded resource. B begins to release the lock and no longer believes that
    it holds it. B sends EVAL "delete if mine" 1 redlock:job B1 to redis-1.
12. At 5s redis-1 carries out the EVAL "delete if mine" 1 redlock:job B1 of B and answers 1. B's
    command removes the key redlock:job, its own.
13. At 5s B gets its answer: 1. B reports that it has released the lock. B is finished.
14. At 6s A sends EVAL script 1 redlock:job A1 6000 to redis-1.
15. At 6s redis-1 carries out the EVAL script 1 redlock:job A1 6000 of A and answers 1. A's command
    creates the key redlock:job with "A1", alive until 12s.
16. At 6s A gets its answer: 1.
17. At 9s A sends EVAL script 1 redlock:job A1 6000 to redis-1.
18. At 9s redis-1 carries out the EVAL script 1 redlock:job A1 6000 of A and answers 1. A's command
    changes the expiry of the key redlock:job, its own; it is now alive until 15s.
19. At 9s A gets its answer: 1.
20. At 10s A writes to the guarded resource. A begins to release the lock and no longer believes
    that it holds it. A sends EVAL "delete if mine" 1 redlock:job A1 to redis-1.

  why     At 10s a write of A, granted at 0ms, reached the resource although B had been granted the
          lock at 4s. (steps 10 and 20)
  code    algorithms/redlock_net.cpp:104 sends SET redlock:job B1 EX 6 NX (step 10)
  code    algorithms/redlock_net.cpp:83 sends EVAL "delete if mine" 1 redlock:job A1 (step 20)
