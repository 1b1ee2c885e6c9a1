✘ token × none: no-stale-write is violated
  2 clients · ttl 4s · 9 steps, and 2 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 4000 NX to redis-1.
2. At 0ms redis-1 carries out the SET job A1 PX 4000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 4s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 1s.
4. At 0ms B starts. B tries to acquire the lock job. B sends SET job B1 PX 4000 NX to redis-1.
5. At 1s A begins to release the lock and no longer believes that it holds it. A sends EVAL "delete
   if mine" 1 job A1 to redis-1.
6. At 1s redis-1 carries out the EVAL "delete if mine" 1 job A1 of A and answers 1. A's command
   removes the key job, its own.
7. At 1s redis-1 carries out the SET job B1 PX 4000 NX of B and answers OK. B's command creates the
   key job with "B1", alive until 5s.
8. At 1s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.
9. At 1s A gets its answer: 1. A reports that it has released the lock. A writes to the guarded
   resource. A is finished.

  why     At 1s a write of A, which had released the lock, reached the resource although B had been
          granted the lock at 1s. (steps 8 and 9)
  code    algorithms/token.cpp:24 sends SET job B1 PX 4000 NX (step 8)
  code    algorithms/token.cpp:36 sends EVAL "delete if mine" 1 job A1 (step 9)
