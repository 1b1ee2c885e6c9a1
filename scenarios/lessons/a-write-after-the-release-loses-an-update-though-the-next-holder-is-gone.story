✘ token × none: no-lost-update is violated
  2 clients · ttl 4s · 12 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 4000 NX to redis-1.
2. At 0ms redis-1 carries out the SET job A1 PX 4000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 4s.
3. At 0ms A gets its answer: OK. A believes that it holds the lock. A reads the guarded resource. A
   works under the lock for 1s.
4. At 1s A begins to release the lock and no longer believes that it holds it. A sends EVAL "delete
   if mine" 1 job A1 to redis-1.
5. At 1s redis-1 carries out the EVAL "delete if mine" 1 job A1 of A and answers 1. A's command
   removes the key job, its own.
6. At 1s A gets its answer: 1. A reports that it has released the lock. A waits for 20s.
7. At 6s B starts. B tries to acquire the lock job. B sends SET job B1 PX 4000 NX to redis-1.
8. At 6s redis-1 carries out the SET job B1 PX 4000 NX of B and answers OK. B's command creates the
   key job with "B1", alive until 10s.
9. At 6s B gets its answer: OK. B believes that it holds the lock. B reads the guarded resource. B
   writes to the guarded resource. B begins to release the lock and no longer believes that it holds
   it. B sends EVAL "delete if mine" 1 job B1 to redis-1.
10. At 6s redis-1 carries out the EVAL "delete if mine" 1 job B1 of B and answers 1. B's command
    removes the key job, its own.
11. At 6s B gets its answer: 1. B reports that it has released the lock. B is finished.
12. At 21s A writes to the guarded resource. A is finished.

  why     At 21s a write of A replaced what B had written at 6s: A had read the resource before, at
          0ms, and knew nothing of it. (steps 9 and 12)
  code    algorithms/token.cpp:36 sends EVAL "delete if mine" 1 job B1 (step 9)
