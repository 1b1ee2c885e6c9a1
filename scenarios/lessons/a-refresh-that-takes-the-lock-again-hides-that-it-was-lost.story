✘ redis-semaphore × lost-request: no-stale-write is violated
  2 clients · ttl 5s · blocking no · refresh takes-again · 21 steps, and 3 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET mutex:job A1 PX 5000 NX to redis-1.
2. At 0ms redis-1 carries out the SET mutex:job A1 PX 5000 NX of A and answers OK. A's command
   creates the key mutex:job with "A1", alive until 5s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 15s.
4. At 4s A sends EVAL script 1 mutex:job A1 5000 to redis-1.
5. At 4s the EVAL script 1 mutex:job A1 5000 of A is lost on its way.
6. At 5.001s the key mutex:job, set by A, expires. B starts. B tries to acquire the lock job. B
   sends SET mutex:job B1 PX 5000 NX to redis-1.
7. At 6s redis-1 carries out the SET mutex:job B1 PX 5000 NX of B and answers OK. B's command
   creates the key mutex:job with "B1", alive until 11s.
8. At 6s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.
9. At 7s A's driver waits no longer for the answer to EVAL script 1 mutex:job A1 5000, and sends it
   again. A sends EVAL script 1 mutex:job A1 5000 to redis-1.
10. At 7s B writes to the guarded resource. B begins to release the lock and no longer believes that
    it holds it. B sends EVAL "delete if mine" 1 mutex:job B1 to redis-1.
11. At 7s redis-1 carries out the EVAL "delete if mine" 1 mutex:job B1 of B and answers 1. B's
    command removes the key mutex:job, its own.
12. At 7s redis-1 carries out the EVAL script 1 mutex:job A1 5000 of A and answers 1. A's command
    creates the key mutex:job with "A1", alive until 12s. A's command changes the expiry of the key
    mutex:job, its own; it is now alive until 12s.
13. At 7s B gets its answer: 1. B reports that it has released the lock. B is finished.
14. At 7s A gets its answer: 1.
15. At 8s A sends EVAL script 1 mutex:job A1 5000 to redis-1.
16. At 8s redis-1 carries out the EVAL script 1 mutex:job A1 5000 of A and answers 1. A's command
    changes the expiry of the key mutex:job, its own; it is now alive until 13s.
17. At 8s A gets its answer: 1.
18. At 12s A sends EVAL script 1 mutex:job A1 5000 to redis-1.
19. At 12s redis-1 carries out the EVAL script 1 mutex:job A1 5000 of A and answers 1. A's command
    changes the expiry of the key mutex:job, its own; it is now alive until 17s.
20. At 12s A gets its answer: 1.
21. At 15s A writes to the guarded resource. A begins to release the lock and no longer believes
    that it holds it. A sends EVAL "delete if mine" 1 mutex:job A1 to redis-1.

  why     At 15s a write of A, granted at 0ms, reached the resource although B had been granted the
          lock at 6s. (steps 8 and 21)
  code    algorithms/redis_semaphore.cpp:37 sends SET mutex:job B1 PX 5000 NX (step 8)
  code    algorithms/redis_semaphore.cpp:47 sends EVAL "delete if mine" 1 mutex:job A1 (step 21)
