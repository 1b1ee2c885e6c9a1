✘ redisson-fenced × late-reply: fence-order is violated
  2 clients · ttl 4s · blocking no · watchdog no · token read-later · 12 steps, and 4 in which only
  time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless another's" 2 job
   redisson_lock_token:{job} 4000 A.1:1 to redis-1.
2. At 0ms redis-1 carries out the EVAL "take unless another's" 2 job redisson_lock_token:{job} 4000
   A.1:1 of A and answers nil. A's command creates the key job with "hash "A.1:1" "1"", alive until
   4s. A's command changes the expiry of the key job, its own; it is now alive until 4s.
3. At 0ms the answer to the EVAL "take unless another's" 2 job redisson_lock_token:{job} 4000 A.1:1
   of A will arrive late.
4. At 4.001s the key job, set by A, expires.
5. At 5s B starts. B tries to acquire the lock job. B sends EVAL "take unless another's" 2 job
   redisson_lock_token:{job} 4000 B.1:1 to redis-1.
6. At 5s A gets its answer: nil. A sends GET redisson_lock_token:{job} to redis-1.
7. At 5s redis-1 carries out the EVAL "take unless another's" 2 job redisson_lock_token:{job} 4000
   B.1:1 of B and answers nil. B's command creates the key job with "hash "B.1:1" "1"", alive until
   9s. B's command changes the expiry of the key job, its own; it is now alive until 9s.
8. At 5s redis-1 carries out the GET redisson_lock_token:{job} of A and answers 2.
9. At 5s B gets its answer: nil. B sends GET redisson_lock_token:{job} to redis-1.
10. At 5s A gets its answer: 2. A believes that it holds the lock, with the fencing token 2. A works
    under the lock for 1s.
11. At 5s redis-1 carries out the GET redisson_lock_token:{job} of B and answers 2.
12. At 5s B gets its answer: 2. B believes that it holds the lock, with the fencing token 2. B works
    under the lock for 1s.

  why     At 5s B (number 2, its key written at 5s) was granted the lock; A (number 2, its key
          written at 0ms) had been granted it at 5s: the key of B was written later, and its number
          is not greater. (steps 10 and 12)
  code    algorithms/redisson_fenced.cpp:44 sends GET redisson_lock_token:{job} (step 10)
