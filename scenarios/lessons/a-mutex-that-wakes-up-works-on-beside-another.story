✘ redis-semaphore × pause: no-stale-write is violated
  2 clients · ttl 5s · blocking no · 10 steps, and 2 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET mutex:job A1 PX 5000 NX to redis-1.
2. At 0ms redis-1 carries out the SET mutex:job A1 PX 5000 NX of A and answers OK. A's command
   creates the key mutex:job with "A1", alive until 5s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 6s.
4. At 4s A is stopped in the middle of what it does.
5. At 5.001s the key mutex:job, set by A, expires.
6. At 6s B starts. B tries to acquire the lock job. B sends SET mutex:job B1 PX 5000 NX to redis-1.
7. At 6s A goes on, as if the last 2s had not passed.
8. At 6s redis-1 carries out the SET mutex:job B1 PX 5000 NX of B and answers OK. B's command
   creates the key mutex:job with "B1", alive until 11s.
9. At 6s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 4s.
10. At 6s A writes to the guarded resource. A begins to release the lock and no longer believes that
    it holds it. A sends EVAL "delete if mine" 1 mutex:job A1 to redis-1.

  why     At 6s a write of A, granted at 0ms, reached the resource although B had been granted the
          lock at 6s. (steps 9 and 10)
  code    algorithms/redis_semaphore.cpp:37 sends SET mutex:job B1 PX 5000 NX (step 9)
  code    algorithms/redis_semaphore.cpp:47 sends EVAL "delete if mine" 1 mutex:job A1 (step 10)
