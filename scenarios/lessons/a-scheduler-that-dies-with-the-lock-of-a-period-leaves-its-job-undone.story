✘ token × crash: once-per-period is violated
  2 clients · ttl 4s · 9 steps, and 1 in which only time passes

1. At 0ms A starts. By the clock of A, period 1 begins. A tries to acquire the lock job.
2. At 0ms A sends SET job A1 PX 4000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job A1 PX 4000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 4s.
4. At 0ms A crashes and forgets everything.
5. At 0ms B starts. By the clock of B, period 1 begins. B tries to acquire the lock job. B sends SET
   job B1 PX 4000 NX to redis-1.
6. At 0ms redis-1 carries out the SET job B1 PX 4000 NX of B and answers nil.
7. At 0ms B gets its answer: nil. B does not get the lock: "lock already exists." B has nothing more
   to do in period 1. B is finished.
8. At 1s A starts. A is finished.
9. At 1s the faults are over; a new client, C, now tries to get the lock within 10s. C starts. C
   tries to acquire the lock job. C sends SET job C1 PX 4000 NX to redis-1.

  why     Nobody has done the job of period 1, though B was there until 0ms. (steps 7 and 9)
  code    algorithms/token.cpp:24 sends SET job B1 PX 4000 NX (step 7)
