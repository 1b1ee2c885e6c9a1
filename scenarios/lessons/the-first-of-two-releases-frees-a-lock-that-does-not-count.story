✘ bsm-redislock × none: reentrancy is violated
  1 client · ttl 4s · token worker · 8 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 job worker-1 8 4000 to
   redis-1.
2. At 0ms redis-1 carries out the EVAL script 1 job worker-1 8 4000 of A and answers OK. A's command
   creates the key job with "worker-1", alive until 4s. A's command changes the expiry of the key
   job, its own; it is now alive until 4s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A sends EVAL script 1 job
   worker-1 8 4000 to redis-1.
4. At 0ms redis-1 carries out the EVAL script 1 job worker-1 8 4000 of A and answers OK. A's command
   overwrites the key job, its own, with "worker-1", alive until 4s. A's command changes the expiry
   of the key job, its own; it is now alive until 4s.
5. At 0ms A gets its answer: OK. A, which holds the lock, acquires it once more and is told yes. A
   works under the lock for 1s.
6. At 1s A sends EVAL "delete if mine" 1 job worker-1 to redis-1.
7. At 1s redis-1 carries out the EVAL "delete if mine" 1 job worker-1 of A and answers OK. A's
   command removes the key job, its own.
8. At 1s A gets its answer: OK. A releases one of its holds. A begins to release the lock and no
   longer believes that it holds it. A sends EVAL "delete if mine" 1 job worker-1 to redis-1.

  why     At 1s A, which holds the lock since 0ms, freed it with the first of two releases. (steps 3
          and 8)
  code    algorithms/bsm_redislock.cpp:47 sends EVAL script 1 job worker-1 8 4000 (step 3)
  code    algorithms/bsm_redislock.cpp:62 sends EVAL "delete if mine" 1 job worker-1 (step 8)
