✘ redismutex × pause: truthful-release is violated
  1 client · ttl 4s · blocking no · 9 steps, and 4 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 2 job job:lock-intent A1
   4000 0 to redis-1.
2. At 0ms redis-1 carries out the EVAL script 2 job job:lock-intent A1 4000 0 of A and answers nil.
   A's command creates the key job with "A1", alive until 4s.
3. At 0ms A gets its answer: nil. A believes that it holds the lock. A works under the lock for 1s.
4. At 1s A is stopped in the middle of what it does.
5. At 4.001s the key job, set by A, expires.
6. At 5s A goes on, as if the last 4s had not passed.
7. At 5s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends EVAL script 1 job A1 to redis-1.
8. At 5s redis-1 carries out the EVAL script 1 job A1 of A and answers 1.
9. At 5s A gets its answer: 1. A reports that it has released the lock. A is finished.

  why     At 5s release() told A that it had held the lock until then; but its key expired at
          4.001s. (steps 5 and 9)
  code    algorithms/redismutex.cpp:62 sends EVAL script 2 job job:lock-intent A1 4000 0 (step 5)
  code    algorithms/redismutex.cpp:79 sends EVAL script 1 job A1 (step 9)
