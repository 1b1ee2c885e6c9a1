✘ redisson-fair × slow-section: truthful-release is violated
  1 client · ttl 4s · watchdog no · blocking no · 8 steps, and 3 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 3 job
   redisson_lock_queue:{job} redisson_lock_timeout:{job} 4000 A.1:1 300000 1700000000000 to redis-1.
2. At 0ms redis-1 carries out the EVAL script 3 job redisson_lock_queue:{job}
   redisson_lock_timeout:{job} 4000 A.1:1 300000 1700000000000 of A and answers nil. A's command
   creates the key job with "hash "A.1:1" "1"", alive until 4s. A's command changes the expiry of
   the key job, its own; it is now alive until 4s.
3. At 0ms A gets its answer: nil. A believes that it holds the lock. A works under the lock for 1s.
4. At 1s the work of A under the lock will take too long.
5. At 4.001s the key job, set by A, expires.
6. At 5s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends EVAL script 5 job redisson_lock_queue:{job} redisson_lock_timeout:{job}
   redisson_lock__channel:{job} redisson_unlock_latch:{job}:A1 0 4000 A.1:1 1700000005000 PUBLISH
   16000 to redis-1.
7. At 5s redis-1 carries out the EVAL script 5 job redisson_lock_queue:{job}
   redisson_lock_timeout:{job} redisson_lock__channel:{job} redisson_unlock_latch:{job}:A1 0 4000
   A.1:1 1700000005000 PUBLISH 16000 of A and answers 1.
8. At 5s A gets its answer: 1. A sends DEL redisson_unlock_latch:{job}:A1 to redis-1. A reports that
   it has released the lock. A is finished.

  why     At 5s release() told A that it had held the lock until then; but its key expired at
          4.001s. (steps 5 and 8)
  code    algorithms/redisson_fair.cpp:131 sends EVAL script 3 job redisson_lock_queue:{job}
          redisson_lock_timeout:{job} 4000 A.1:1 300000 1700000000000 (step 5)
  code    algorithms/redisson.hpp:236 sends DEL redisson_unlock_latch:{job}:A1 (step 8)
