✘ celery-cookbook × none: mutual-exclusion is violated
  3 clients · ttl 10s · refused deletes · 11 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET :1:job A1 EX 10 NX to redis-1.
2. At 0ms redis-1 carries out the SET :1:job A1 EX 10 NX of A and answers OK. A's command creates
   the key :1:job with "A1", alive until 10s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 4s.
4. At 1s B starts. B tries to acquire the lock job. B sends SET :1:job B1 EX 10 NX to redis-1.
5. At 1s redis-1 carries out the SET :1:job B1 EX 10 NX of B and answers nil.
6. At 1s B gets its answer: nil. B sends DEL :1:job to redis-1.
7. At 1s redis-1 carries out the DEL :1:job of B and answers 1. B's command removes the key :1:job,
   set by A.
8. At 1s B gets its answer: 1. B does not get the lock: "Feed is already being imported by another
   worker". B is finished.
9. At 2s C starts. C tries to acquire the lock job. C sends SET :1:job C1 EX 10 NX to redis-1.
10. At 2s redis-1 carries out the SET :1:job C1 EX 10 NX of C and answers OK. C's command creates
    the key :1:job with "C1", alive until 12s.
11. At 2s C gets its answer: OK. C believes that it holds the lock. C works under the lock for 1s.

  why     At 2s C was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key was removed by B at 1s. (steps 3 and
          11)
  code    algorithms/celery_cookbook.cpp:44 sends SET :1:job A1 EX 10 NX (step 3)
  code    algorithms/celery_cookbook.cpp:49 sends DEL :1:job (step 7)
