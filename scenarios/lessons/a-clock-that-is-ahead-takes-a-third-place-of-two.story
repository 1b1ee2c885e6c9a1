✘ redis-semaphore-two × none: mutual-exclusion is violated
  3 clients · ttl 10s · blocking no · refresh-at 0 · 9 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 semaphore:job 2 A1 10000
   1700000000000 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends EVAL script 1 semaphore:job 2 B1 10000
   1700000000000 to redis-1.
3. At 0ms redis-1 carries out the EVAL script 1 semaphore:job 2 A1 10000 1700000000000 of A and
   answers 1. A's command creates the key semaphore:job with "zset "A1" 1700000000000", alive until
   10s. A's command changes the expiry of the key semaphore:job, its own; it is now alive until 10s.
4. At 0ms redis-1 carries out the EVAL script 1 semaphore:job 2 B1 10000 1700000000000 of B and
   answers 1. B's command overwrites the key semaphore:job, with "zset "A1" 1700000000000 "B1"
   1700000000000", alive until 10s. B's command changes the expiry of the key semaphore:job, set by
   A; it is now alive until 10s.
5. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 4s.
6. At 0ms B gets its answer: 1. B believes that it holds the lock. B works under the lock for 4s.
7. At 2s C starts; its wall clock is 12s ahead. C tries to acquire the lock job. C sends EVAL script
   1 semaphore:job 2 C1 10000 1700000014000 to redis-1.
8. At 2s redis-1 carries out the EVAL script 1 semaphore:job 2 C1 10000 1700000014000 of C and
   answers 1. C's command removes the key semaphore:job, set by A. C's command removes the key
   semaphore:job, set by B. C's command creates the key semaphore:job with "zset "C1"
   1700000014000", alive until 12s. C's command changes the expiry of the key semaphore:job, its
   own; it is now alive until 12s.
9. At 2s C gets its answer: 1. C believes that it holds the lock. C works under the lock for 1s.

  why     At 2s C was granted the lock while B, granted at 0ms, still believes that it holds it: B
          has neither released it nor noticed a loss, and so have 1 more, where the lock is for 2 at
          once; its key was removed by C at 2s. (steps 6 and 9)
  code    algorithms/redis_semaphore_two.cpp:50 sends EVAL script 1 semaphore:job 2 B1 10000
          1700000000000 (step 6)
