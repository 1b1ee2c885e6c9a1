✘ redis-semaphore × lost-request: mutual-exclusion is violated
  2 clients · ttl 10s · blocking no · 9 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET mutex:job A1 PX 10000 NX to
   redis-1.
2. At 0ms redis-1 carries out the SET mutex:job A1 PX 10000 NX of A and answers OK. A's command
   creates the key mutex:job with "A1", alive until 10s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 14s.
4. At 8s A sends EVAL "extend if mine" 1 mutex:job A1 10000 to redis-1.
5. At 8s the EVAL "extend if mine" 1 mutex:job A1 10000 of A is lost on its way.
6. At 9s A stops waiting for the answer to EVAL "extend if mine" 1 mutex:job A1 10000.
7. At 10.001s the key mutex:job, set by A, expires. B starts. B tries to acquire the lock job. B
   sends SET mutex:job B1 PX 10000 NX to redis-1.
8. At 11s redis-1 carries out the SET mutex:job B1 PX 10000 NX of B and answers OK. B's command
   creates the key mutex:job with "B1", alive until 21s.
9. At 11s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 11s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 10.001s. (steps 3 and 9)
  code    algorithms/redis_semaphore.cpp:37 sends SET mutex:job A1 PX 10000 NX (step 3)
