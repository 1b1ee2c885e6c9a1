✘ redisson-fenced × restart: fence-order is violated
  2 clients · ttl 4s · blocking no · watchdog no · 11 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless another's" 2 job
   redisson_lock_token:{job} 4000 A.1:1 to redis-1.
2. At 0ms redis-1 carries out the EVAL "take unless another's" 2 job redisson_lock_token:{job} 4000
   A.1:1 of A and answers [-1 1]. A's command creates the key job with "hash "A.1:1" "1"", alive
   until 4s. A's command changes the expiry of the key job, its own; it is now alive until 4s.
3. At 0ms redis-1 restarts and has lost its data. The key job, set by A, is lost.
4. At 0ms A gets its answer: [-1 1]. A believes that it holds the lock, with the fencing token 1. A
   works under the lock for 1s.
5. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends EVAL script 3 job redisson_lock__channel:{job}
   redisson_unlock_latch:{job}:A1 0 4000 A.1:1 PUBLISH 16000 to redis-1.
6. At 1s redis-1 carries out the EVAL script 3 job redisson_lock__channel:{job}
   redisson_unlock_latch:{job}:A1 0 4000 A.1:1 PUBLISH 16000 of A and answers nil.
7. At 1s A gets its answer: nil. A sends DEL redisson_unlock_latch:{job}:A1 to redis-1. A reports
   that the lock was no longer its own. A is finished.
8. At 1s redis-1 carries out the DEL redisson_unlock_latch:{job}:A1 of A and answers 0. an answer to
   A arrives, but A no longer waits for it.
9. At 5s B starts. B tries to acquire the lock job. B sends EVAL "take unless another's" 2 job
   redisson_lock_token:{job} 4000 B.1:1 to redis-1.
10. At 5s redis-1 carries out the EVAL "take unless another's" 2 job redisson_lock_token:{job} 4000
    B.1:1 of B and answers [-1 1]. B's command creates the key job with "hash "B.1:1" "1"", alive
    until 9s. B's command changes the expiry of the key job, its own; it is now alive until 9s.
11. At 5s B gets its answer: [-1 1]. B believes that it holds the lock, with the fencing token 1. B
    works under the lock for 1s.

  why     At 5s B (number 1, its key written at 5s) was granted the lock; A (number 1, its key
          written at 0ms) had been granted it at 0ms: the key of B was written later, and its number
          is not greater. (steps 4 and 11)
  code    algorithms/redisson_fenced.cpp:69 sends EVAL "take unless another's" 2 job
          redisson_lock_token:{job} 4000 A.1:1 (step 4)
