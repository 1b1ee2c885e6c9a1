✘ celery-cookbook × late-request: owner-only-release is violated
  2 clients · ttl 4s · 11 steps, and 3 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET :1:job A1 EX 4 NX to redis-1.
2. At 0ms redis-1 carries out the SET :1:job A1 EX 4 NX of A and answers OK. A's command creates the
   key :1:job with "A1", alive until 4s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
4. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends DEL :1:job to redis-1.
5. At 1s the DEL :1:job of A will arrive late.
6. At 4s A stops waiting for the answer to DEL :1:job. A cannot tell whether it has released the
   lock. A is finished.
7. At 4.001s the key :1:job, set by A, expires.
8. At 5s B starts. B tries to acquire the lock job. B sends SET :1:job B1 EX 4 NX to redis-1.
9. At 5s redis-1 carries out the SET :1:job B1 EX 4 NX of B and answers OK. B's command creates the
   key :1:job with "B1", alive until 9s.
10. At 5s redis-1 carries out the DEL :1:job of A and answers 1. A's command removes the key :1:job,
    set by B. an answer to A arrives, but A no longer waits for it.
11. At 5s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 2s.

  why     At 5s a command of A removed the key that B had written; at 5s B was granted the lock all
          the same. (steps 10 and 11)
  code    algorithms/celery_cookbook.cpp:67 sends DEL :1:job (step 10)
  code    algorithms/celery_cookbook.cpp:44 sends SET :1:job B1 EX 4 NX (step 11)
