✘ fenced × pause: no-lost-update is violated
  2 clients · ttl 4s · 14 steps, and 5 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless held" 2 job job:fence
   A1 4000 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends EVAL "take unless held" 2 job job:fence
   B1 4000 to redis-1.
3. At 0ms redis-1 carries out the EVAL "take unless held" 2 job job:fence A1 4000 of A and answers
   1. A's command creates the key job with "A1", alive until 4s.
4. At 0ms redis-1 carries out the EVAL "take unless held" 2 job job:fence B1 4000 of B and answers
   0.
5. At 0ms A gets its answer: 1. A believes that it holds the lock, with the fencing token 1. A reads
   the guarded resource. A works under the lock for 1s.
6. At 1s B gets its answer: 0. B does not get the lock: "lock already exists."
7. At 1s A is stopped in the middle of what it does.
8. At 4s B tries to acquire the lock job. B sends EVAL "take unless held" 2 job job:fence B2 4000 to
   redis-1.
9. At 4.001s the key job, set by A, expires.
10. At 5s A goes on, as if the last 4s had not passed.
11. At 5s redis-1 carries out the EVAL "take unless held" 2 job job:fence B2 4000 of B and answers
    2. B's command creates the key job with "B2", alive until 9s.
12. At 5s B gets its answer: 2. B believes that it holds the lock, with the fencing token 2. B reads
    the guarded resource. B works under the lock for 1s.
13. At 5s A writes to the guarded resource. A begins to release the lock and no longer believes that
    it holds it. A sends EVAL "delete if mine" 1 job A1 to redis-1.
14. At 6s B writes to the guarded resource. B begins to release the lock and no longer believes that
    it holds it. B sends EVAL "delete if mine" 1 job B2 to redis-1.

  why     At 6s a write of B replaced what A had written at 5s: B had read the resource before, at
          5s, and knew nothing of it. (steps 13 and 14)
  code    algorithms/fenced.cpp:34 sends EVAL "delete if mine" 1 job A1 (step 13)
