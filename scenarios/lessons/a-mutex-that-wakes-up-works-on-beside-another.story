✘ redis-semaphore × pause: no-stale-write is violated
  2 clients · ttl 5s · blocking no · 12 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends SET mutex:job A1 PX 5000 NX to redis-1.
3. At 0ms redis-1 carries out the SET mutex:job A1 PX 5000 NX of A and answers OK. A's command
   creates the key mutex:job with "A1", alive until 5s.
4. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 6s.
5. At 4s A is stopped in the middle of what it does.
6. At 5.001s the key mutex:job, set by A, expires.
7. At 6s B starts. B tries to acquire the lock job. B sends SET mutex:job B1 PX 5000 NX to redis-1.
8. At 6s A goes on, as if the last 2s had not passed.
10. At 6s redis-1 carries out the SET mutex:job B1 PX 5000 NX of B and answers OK. B's command
    creates the key mutex:job with "B1", alive until 11s.
11. At 6s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 4s.
12. At 6s A writes to the guarded resource. A begins to release the lock and no longer believes that
    it holds it. A sends EVALSHA digest 1 mutex:job A1 to redis-1.

  why     At 6s a write of A, granted at 0ms, reached the resource although B had been granted the
          lock at 6s. (steps 11 and 12)
  code    algorithms/redis_semaphore.cpp:58 sends SET mutex:job B1 PX 5000 NX (step 11)
  code    algorithms/redis_semaphore.cpp:77 sends EVALSHA digest 1 mutex:job A1 (step 12)
