✘ token × none: once-per-period is violated
  2 clients · ttl 4s · 8 steps, and 2 in which only time passes

1. At 0ms A starts. By the clock of A, period 1 begins. A tries to acquire the lock job. A sends SET
   job A1 PX 4000 NX to redis-1.
2. At 0ms B starts. By the clock of B, period 1 begins. B tries to acquire the lock job. B sends SET
   job B1 PX 4000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job A1 PX 4000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 4s.
4. At 0ms A gets its answer: OK. A believes that it holds the lock. A begins the job of period 1,
   which takes 1s.
5. At 1s A has done the job of period 1. A begins to release the lock and no longer believes that it
   holds it. A sends EVAL "delete if mine" 1 job A1 to redis-1.
6. At 1s redis-1 carries out the EVAL "delete if mine" 1 job A1 of A and answers 1. A's command
   removes the key job, its own.
7. At 1s redis-1 carries out the SET job B1 PX 4000 NX of B and answers OK. B's command creates the
   key job with "B1", alive until 5s.
8. At 1s B gets its answer: OK. B believes that it holds the lock. B begins the job of period 1,
   which takes 1s.

  why     At 1s B began the job of period 1, which A had begun at 0ms. (steps 4 and 8)
  code    algorithms/token.cpp:24 sends SET job A1 PX 4000 NX (step 4)
