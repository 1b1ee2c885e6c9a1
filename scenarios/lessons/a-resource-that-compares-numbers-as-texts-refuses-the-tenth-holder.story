✘ fenced × none: rightful-write is violated
  2 clients · ttl 4s · 10 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless held" 2 job job:fence
   A1 4000 to redis-1.
2. At 0ms redis-1 carries out the EVAL "take unless held" 2 job job:fence A1 4000 of A and answers
   9. A's command creates the key job with "A1", alive until 4s.
3. At 0ms A gets its answer: 9. A believes that it holds the lock, with the fencing token 9. A works
   under the lock for 1s.
4. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends EVAL "delete if mine" 1 job A1 to redis-1.
5. At 1s redis-1 carries out the EVAL "delete if mine" 1 job A1 of A and answers 1. A's command
   removes the key job, its own.
6. At 1s A gets its answer: 1. A reports that it has released the lock. A is finished.
7. At 5s B starts. B tries to acquire the lock job. B sends EVAL "take unless held" 2 job job:fence
   B1 4000 to redis-1.
8. At 5s redis-1 carries out the EVAL "take unless held" 2 job job:fence B1 4000 of B and answers
   10. B's command creates the key job with "B1", alive until 9s.
9. At 5s B gets its answer: 10. B believes that it holds the lock, with the fencing token 10. B
   works under the lock for 1s.
10. At 6s the resource refuses a write by B. B begins to release the lock and no longer believes
    that it holds it. B sends EVAL "delete if mine" 1 job B1 to redis-1.

  why     At 6s the resource refused a write of B with the number 10, although B was granted the
          lock at 5s, its key still stands, and no client was granted it since. (steps 9 and 10)
  code    algorithms/fenced.cpp:23 sends EVAL "take unless held" 2 job job:fence B1 4000 (step 9)
  code    algorithms/fenced.cpp:34 sends EVAL "delete if mine" 1 job B1 (step 10)
