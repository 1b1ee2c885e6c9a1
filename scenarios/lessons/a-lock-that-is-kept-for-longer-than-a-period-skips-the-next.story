✘ token × none: once-per-period is violated
  2 clients · ttl 14s · 14 steps, and 1 in which only time passes

1. At 0ms A starts. By the clock of A, period 1 begins. A tries to acquire the lock job. A sends SET
   job A1 PX 14000 NX to redis-1.
2. At 0ms B starts. By the clock of B, period 1 begins. B tries to acquire the lock job. B sends SET
   job B1 PX 14000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job A1 PX 14000 NX of A and answers OK. A's command creates
   the key job with "A1", alive until 14s.
4. At 0ms redis-1 carries out the SET job B1 PX 14000 NX of B and answers nil.
5. At 0ms A gets its answer: OK. A believes that it holds the lock. A begins the job of period 1,
   which takes 1s.
6. At 0ms B gets its answer: nil. B does not get the lock: "lock already exists." B has nothing more
   to do in period 1.
7. At 1s A has done the job of period 1. A has nothing more to do in period 1.
8. At 10s By the clock of B, period 2 begins. B tries to acquire the lock job. B sends SET job B2 PX
   14000 NX to redis-1.
9. At 10s By the clock of A, period 2 begins. A tries to acquire the lock job. A sends SET job A2 PX
   14000 NX to redis-1.
10. At 10s redis-1 carries out the SET job B2 PX 14000 NX of B and answers nil.
11. At 10s redis-1 carries out the SET job A2 PX 14000 NX of A and answers nil.
12. At 10s B gets its answer: nil. B does not get the lock: "lock already exists." B has nothing
    more to do in period 2. B is finished.
13. At 10s A gets its answer: nil. A does not get the lock: "lock already exists." A has nothing
    more to do in period 2. A is finished.
14. At 10s the faults are over; a new client, C, now tries to get the lock within 10s. C starts. C
    tries to acquire the lock job. C sends SET job C1 PX 14000 NX to redis-1.

  why     Nobody has done the job of period 2, though B was there until 10s. (steps 12 and 14)
  code    algorithms/token.cpp:24 sends SET job B2 PX 14000 NX (step 12)
