✘ fenced × pause: no-lost-update is violated
  2 clients · ttl 4s · 22 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 2 job job:fence A1 4000 to
   redis-1.
3. At 0ms B starts. B tries to acquire the lock job. B sends EVAL script 2 job job:fence B1 4000 to
   redis-1.
4. At 0ms redis-1 carries out the EVAL script 2 job job:fence A1 4000 of A and answers 1. A's
   command creates the key job with "A1", alive until 4s.
5. At 0ms redis-1 carries out the EVAL script 2 job job:fence B1 4000 of B and answers 0.
6. At 0ms B gets its answer: 0. B does not get the lock: "lock already exists."
9. At 1s A gets its answer: 1. A believes that it holds the lock, with the fencing token 1. A reads
   the guarded resource. A works under the lock for 1s.
10. At 2s A is stopped in the middle of what it does.
14. At 4.001s the key job, set by A, expires.
15. At 4.5s B tries to acquire the lock job. B sends EVAL script 2 job job:fence B2 4000 to redis-1.
16. At 4.5s redis-1 carries out the EVAL script 2 job job:fence B2 4000 of B and answers 2. B's
    command creates the key job with "B2", alive until 8.5s.
17. At 4.5s B gets its answer: 2. B believes that it holds the lock, with the fencing token 2. B
    reads the guarded resource. B works under the lock for 1s.
18. At 4.5s A goes on, as if the last 2.5s had not passed.
19. At 4.5s A writes to the guarded resource. A begins to release the lock and no longer believes
    that it holds it. A sends EVAL script 1 job A1 to redis-1.
20. At 4.5s redis-1 carries out the EVAL script 1 job A1 of A and answers 0.
21. At 4.5s A gets its answer: 0. A reports that the lock was no longer its own. A is finished.
22. At 5.5s B writes to the guarded resource. B begins to release the lock and no longer believes
    that it holds it. B sends EVAL script 1 job B2 to redis-1.

  why     At 5.5s a write of B replaced what A had written at 4.5s: B had read the resource before,
          at 4.5s, and knew nothing of it. (steps 19 and 22)
  code    algorithms/fenced.cpp:34 sends EVAL script 1 job A1 (step 19)
