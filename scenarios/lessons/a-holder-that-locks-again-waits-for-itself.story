✘ redismutex × none: reentrancy is violated
  1 client · ttl 4s · blocking no · 5 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 2 job job:lock-intent A1
   4000 0 to redis-1.
2. At 0ms redis-1 carries out the EVAL script 2 job job:lock-intent A1 4000 0 of A and answers nil.
   A's command creates the key job with "A1", alive until 4s.
3. At 0ms A gets its answer: nil. A believes that it holds the lock. A sends EVAL script 2 job
   job:lock-intent A2 4000 0 to redis-1.
4. At 0ms redis-1 carries out the EVAL script 2 job job:lock-intent A2 4000 0 of A and answers 4000.
5. At 0ms A gets its answer: 4000. A, which holds the lock, acquires it once more and is refused:
   "redismutex: lock not obtained". A works under the lock for 1s.

  why     At 0ms A, which holds the lock since 0ms, was refused when it acquired the lock once more.
          (steps 3 and 5)
  code    algorithms/redismutex.cpp:62 sends EVAL script 2 job job:lock-intent A2 4000 0 (step 3)
