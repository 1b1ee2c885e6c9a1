✘ redlock-net × lost-request: no-stale-write is violated
  2 clients · ttl 6s · nodes 1 · blocking no · 22 steps, and 2 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET redlock:job A1 EX 6 NX to redis-1.
2. At 0ms redis-1 carries out the SET redlock:job A1 EX 6 NX of A and answers OK. A's command
   creates the key redlock:job with "A1", alive until 6s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 14s.
4. At 3s A sends EVAL script 1 redlock:job A1 6000 to redis-1.
5. At 3s the EVAL script 1 redlock:job A1 6000 of A is lost on its way.
6. At 6.001s the key redlock:job, set by A, expires. B starts. B tries to acquire the lock job. B
   sends SET redlock:job B1 EX 6 NX to redis-1.
7. At 7s redis-1 carries out the SET redlock:job B1 EX 6 NX of B and answers OK. B's command creates
   the key redlock:job with "B1", alive until 13s.
8. At 7s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 4s.
9. At 8s A stops waiting for the answer to EVAL script 1 redlock:job A1 6000.
10. At 9s A sends EVAL script 1 redlock:job A1 6000 to redis-1.
11. At 9s redis-1 carries out the EVAL script 1 redlock:job A1 6000 of A and answers -1.
12. At 9s A gets its answer: -1.
13. At 10s B sends EVAL script 1 redlock:job B1 6000 to redis-1.
14. At 10s redis-1 carries out the EVAL script 1 redlock:job B1 6000 of B and answers 1. B's command
    changes the expiry of the key redlock:job, its own; it is now alive until 16s.
15. At 10s B gets its answer: 1.
16. At 11s B writes to the guarded resource. B begins to release the lock and no longer believes
    that it holds it. B sends EVAL "delete if mine" 1 redlock:job B1 to redis-1.
17. At 11s redis-1 carries out the EVAL "delete if mine" 1 redlock:job B1 of B and answers 1. B's
    command removes the key redlock:job, its own.
18. At 11s B gets its answer: 1. B reports that it has released the lock. B is finished.
19. At 12s A sends EVAL script 1 redlock:job A1 6000 to redis-1.
20. At 12s redis-1 carries out the EVAL script 1 redlock:job A1 6000 of A and answers 1. A's command
    creates the key redlock:job with "A1", alive until 18s.
21. At 12s A gets its answer: 1.
22. At 14s A writes to the guarded resource. A begins to release the lock and no longer believes
    that it holds it. A sends EVAL "delete if mine" 1 redlock:job A1 to redis-1.

  why     At 14s a write of A, granted at 0ms, reached the resource although B had been granted the
          lock at 7s. (steps 8 and 22)
  code    algorithms/redlock_net.cpp:104 sends SET redlock:job B1 EX 6 NX (step 8)
  code    algorithms/redlock_net.cpp:83 sends EVAL "delete if mine" 1 redlock:job A1 (step 22)
