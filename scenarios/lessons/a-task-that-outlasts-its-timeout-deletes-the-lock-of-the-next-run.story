✘ celery-cookbook × none: owner-only-release is violated
  2 clients · ttl 4s · release always · 8 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET :1:job A1 EX 4 NX to redis-1.
2. At 0ms redis-1 carries out the SET :1:job A1 EX 4 NX of A and answers OK. A's command creates the
   key :1:job with "A1", alive until 4s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 6s.
4. At 4.001s the key :1:job, set by A, expires. B starts. B tries to acquire the lock job. B sends
   SET :1:job B1 EX 4 NX to redis-1.
5. At 5s redis-1 carries out the SET :1:job B1 EX 4 NX of B and answers OK. B's command creates the
   key :1:job with "B1", alive until 9s.
6. At 5s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 2s.
7. At 6s A begins to release the lock and no longer believes that it holds it. A sends DEL :1:job to
   redis-1.
8. At 6s redis-1 carries out the DEL :1:job of A and answers 1. A's command removes the key :1:job,
   set by B.

  why     At 6s a command of A removed the key of the lock that B was granted at 5s and still holds.
          (steps 6 and 8)
  code    algorithms/celery_cookbook.cpp:44 sends SET :1:job B1 EX 4 NX (step 6)
  code    algorithms/celery_cookbook.cpp:67 sends DEL :1:job (step 8)
