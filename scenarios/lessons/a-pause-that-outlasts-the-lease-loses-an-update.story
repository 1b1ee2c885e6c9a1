✘ fenced × pause: no-lost-update is violated
  2 clients · ttl 4s · 16 steps, and 6 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless held" 2 job job:fence
   A1 4000 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends EVAL "take unless held" 2 job job:fence
   B1 4000 to redis-1.
3. At 0ms redis-1 carries out the EVAL "take unless held" 2 job job:fence A1 4000 of A and answers
   1. A's command creates the key job with "A1", alive until 4s.
4. At 0ms redis-1 carries out the EVAL "take unless held" 2 job job:fence B1 4000 of B and answers
   0.
5. At 0ms B gets its answer: 0. B does not get the lock: "lock already exists."
6. At 1s A gets its answer: 1. A believes that it holds the lock, with the fencing token 1. A reads
   the guarded resource. A works under the lock for 1s.
7. At 2s A is stopped in the middle of what it does.
8. At 4.001s the key job, set by A, expires.
9. At 4.5s B tries to acquire the lock job. B sends EVAL "take unless held" 2 job job:fence B2 4000
   to redis-1.
10. At 4.5s redis-1 carries out the EVAL "take unless held" 2 job job:fence B2 4000 of B and answers
    2. B's command creates the key job with "B2", alive until 8.5s.
11. At 4.5s B gets its answer: 2. B believes that it holds the lock, with the fencing token 2. B
    reads the guarded resource. B works under the lock for 1s.
12. At 4.5s A goes on, as if the last 2.5s had not passed.
13. At 4.5s A writes to the guarded resource. A begins to release the lock and no longer believes
    that it holds it. A sends EVAL "delete if mine" 1 job A1 to redis-1.
14. At 4.5s redis-1 carries out the EVAL "delete if mine" 1 job A1 of A and answers 0.
15. At 4.5s A gets its answer: 0. A reports that the lock was no longer its own. A is finished.
16. At 5.5s B writes to the guarded resource. B begins to release the lock and no longer believes
    that it holds it. B sends EVAL "delete if mine" 1 job B2 to redis-1.

  why     At 5.5s a write of B replaced what A had written at 4.5s: B had read the resource before,
          at 4.5s, and knew nothing of it. (steps 13 and 16)
  code    algorithms/fenced.cpp:34 sends EVAL "delete if mine" 1 job A1 (step 13)
