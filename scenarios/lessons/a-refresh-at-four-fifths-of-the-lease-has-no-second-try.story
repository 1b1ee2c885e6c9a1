✘ redis-semaphore × lost-request: mutual-exclusion is violated
  2 clients · ttl 10s · blocking no · 10 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends SET mutex:job A1 PX 10000 NX to
   redis-1.
3. At 0ms redis-1 carries out the SET mutex:job A1 PX 10000 NX of A and answers OK. A's command
   creates the key mutex:job with "A1", alive until 10s.
4. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 14s.
5. At 8s A sends EVALSHA digest 1 mutex:job A1 10000 to redis-1.
6. At 8s the EVALSHA digest 1 mutex:job A1 10000 of A is lost on its way.
7. At 9s A stops waiting for the answer to EVALSHA digest 1 mutex:job A1 10000.
8. At 10.001s the key mutex:job, set by A, expires. B starts. B tries to acquire the lock job. B
   sends SET mutex:job B1 PX 10000 NX to redis-1.
9. At 11s redis-1 carries out the SET mutex:job B1 PX 10000 NX of B and answers OK. B's command
   creates the key mutex:job with "B1", alive until 21s.
10. At 11s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 11s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 10.001s. (steps 4 and 10)
  code    algorithms/redis_semaphore.cpp:58 sends SET mutex:job A1 PX 10000 NX (step 4)
