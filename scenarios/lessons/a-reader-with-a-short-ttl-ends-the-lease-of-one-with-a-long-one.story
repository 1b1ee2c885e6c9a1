✘ redismutex × none: mutual-exclusion is violated
  3 clients · ttl 2s · blocking no · 11 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job, to share it with other readers. A sends EVAL
   script 2 job job:lock-intent A1 20000 to redis-1.
2. At 0ms redis-1 carries out the EVAL script 2 job job:lock-intent A1 20000 of A and answers nil.
   A's command creates the key job with "set "A1"", alive until 20s. A's command changes the expiry
   of the key job, its own; it is now alive until 20s.
3. At 0ms A gets its answer: nil. A believes that it holds the lock, shared. A works under the lock
   for 8s.
4. At 2s B starts. B tries to acquire the lock job, to share it with other readers. B sends EVAL
   script 2 job job:lock-intent B1 2000 to redis-1.
5. At 2s redis-1 carries out the EVAL script 2 job job:lock-intent B1 2000 of B and answers nil. B's
   command overwrites the key job, with "set "A1" "B1"", alive until 4s. B's command changes the
   expiry of the key job, set by A; it is now alive until 4s.
6. At 2s B gets its answer: nil. B believes that it holds the lock, shared. B begins to release the
   lock and no longer believes that it holds it. B sends EVAL script 1 job B1 to redis-1.
7. At 2s redis-1 carries out the EVAL script 1 job B1 of B and answers 1. B's command overwrites the
   key job, its own, with "set "A1"", alive until 4s.
8. At 2s B gets its answer: 1. B reports that it has released the lock. B is finished.
9. At 4.001s the key job, set by A, expires. C starts. C tries to acquire the lock job. C sends EVAL
   script 2 job job:lock-intent C1 2000 0 to redis-1.
10. At 7s redis-1 carries out the EVAL script 2 job job:lock-intent C1 2000 0 of C and answers nil.
    C's command creates the key job with "C1", alive until 9s.
11. At 7s C gets its answer: nil. C believes that it holds the lock.

  why     At 7s C was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 4.001s. (steps 3 and 11)
  code    algorithms/redismutex.cpp:62 sends EVAL script 2 job job:lock-intent A1 20000 (step 3)
