✘ fenced × pause: fenced-writes is violated
  2 clients · ttl 4s · 11 steps, and 4 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless held" 2 job job:fence
   A1 4000 to redis-1.
2. At 0ms redis-1 carries out the EVAL "take unless held" 2 job job:fence A1 4000 of A and answers
   1. A's command creates the key job with "A1", alive until 4s.
3. At 0ms A gets its answer: 1. A believes that it holds the lock, with the fencing token 1. A works
   under the lock for 1s.
4. At 1s A is stopped in the middle of what it does.
5. At 4.001s the key job, set by A, expires.
6. At 5s B starts. B tries to acquire the lock job. B sends EVAL "take unless held" 2 job job:fence
   B1 4000 to redis-1.
7. At 5s redis-1 carries out the EVAL "take unless held" 2 job job:fence B1 4000 of B and answers 2.
   B's command creates the key job with "B1", alive until 9s.
8. At 5s B gets its answer: 2. B believes that it holds the lock, with the fencing token 2. B works
   under the lock for 1s.
9. At 6s A goes on, as if the last 5s had not passed.
10. At 6s B writes to the guarded resource. B begins to release the lock and no longer believes that
    it holds it. B sends EVAL "delete if mine" 1 job B1 to redis-1.
11. At 6s A writes to the guarded resource. A begins to release the lock and no longer believes that
    it holds it. A sends EVAL "delete if mine" 1 job A1 to redis-1.

  why     At 6s the resource accepted a write of A with the number 1 although it had accepted one of
          B with the number 2 at 6s. (steps 10 and 11)
  code    algorithms/fenced.cpp:34 sends EVAL "delete if mine" 1 job B1 (step 10)
