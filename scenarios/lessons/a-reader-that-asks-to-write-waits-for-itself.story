✘ redisson-rw × none: reentrancy is violated
  1 client · ttl 6s · blocking no · 5 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job, to share it with other readers. A sends EVAL
   script 2 job {job}:A.1:1:rwlock_timeout 6000 A.1:1 A.1:1:write to redis-1.
2. At 0ms redis-1 carries out the EVAL script 2 job {job}:A.1:1:rwlock_timeout 6000 A.1:1
   A.1:1:write of A and answers nil. A's command creates the key job with "hash "A.1:1" "1" "mode"
   "read"", alive until 6s. A's command overwrites the key job, its own, with "hash "A.1:1" "1"
   "mode" "read"", alive until 6s. A's command changes the expiry of the key job, its own; it is now
   alive until 6s.
3. At 0ms A gets its answer: nil. A believes that it holds the lock, shared. A sends EVAL script 1
   job 6000 A.1:1:write to redis-1.
4. At 0ms redis-1 carries out the EVAL script 1 job 6000 A.1:1:write of A and answers 6000.
5. At 0ms A gets its answer: 6000. A, which holds the lock, acquires it once more and is refused:
   "tryLock: false". A works under the lock for 1s.

  why     At 0ms A, which holds the lock since 0ms, was refused when it acquired the lock once more.
          (steps 3 and 5)
  code    algorithms/redisson_rw.cpp:153 sends EVAL script 1 job 6000 A.1:1:write (step 3)
