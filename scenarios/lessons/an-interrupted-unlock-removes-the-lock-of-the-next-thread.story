✘ spring-integration × none: mutual-exclusion is violated
  3 clients · ttl 6s · blocking no · unlock detached · 12 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 locks:job A1 6000 to
   redis-1.
2. At 0ms redis-1 carries out the EVAL script 1 locks:job A1 6000 of A and answers 1. A's command
   creates the key locks:job with "A1", alive until 6s.
3. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 1s.
4. At 1s A begins to release the lock and no longer believes that it holds it. A sends EVAL "delete
   if mine" 1 locks:job A1 to redis-1. A reports that it has released the lock. A is finished.
5. At 1s B starts. B tries to acquire the lock job. B sends EVAL script 1 locks:job A1 6000 to
   redis-1.
6. At 1s redis-1 carries out the EVAL script 1 locks:job A1 6000 of B and answers 1. B's command
   changes the expiry of the key locks:job, set by A; it is now alive until 7s.
7. At 1s redis-1 carries out the EVAL "delete if mine" 1 locks:job A1 of A and answers 1. A's
   command removes the key locks:job, its own.
8. At 1s B gets its answer: 1. B believes that it holds the lock. B works under the lock for 2s.
9. At 1s A gets its answer: 1.
10. At 2s C starts. C tries to acquire the lock job. C sends EVAL script 1 locks:job C1 6000 to
    redis-1.
11. At 2s redis-1 carries out the EVAL script 1 locks:job C1 6000 of C and answers 1. C's command
    creates the key locks:job with "C1", alive until 8s.
12. At 2s C gets its answer: 1. C believes that it holds the lock. C works under the lock for 1s.

  why     At 2s C was granted the lock while B, granted at 1s, still believes that it holds it: B
          has neither released it nor noticed a loss; the store never held a key of it. (steps 8 and
          12)
  code    algorithms/spring_integration.cpp:154 sends EVAL script 1 locks:job A1 6000 (step 8)
