✘ fenced × restart: fence-order is violated
  2 clients · ttl 4s · 10 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless held" 2 job job:fence
   A1 4000 to redis-1.
2. At 0ms redis-1 carries out the EVAL "take unless held" 2 job job:fence A1 4000 of A and answers
   1. A's command creates the key job with "A1", alive until 4s.
3. At 0ms A gets its answer: 1. A believes that it holds the lock, with the fencing token 1. A works
   under the lock for 1s.
4. At 0ms redis-1 restarts and has lost its data. The key job, set by A, is lost.
5. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends EVAL "delete if mine" 1 job A1 to redis-1.
6. At 1s redis-1 carries out the EVAL "delete if mine" 1 job A1 of A and answers 0.
7. At 1s A gets its answer: 0. A reports that the lock was no longer its own. A is finished.
8. At 5s B starts. B tries to acquire the lock job. B sends EVAL "take unless held" 2 job job:fence
   B1 4000 to redis-1.
9. At 5s redis-1 carries out the EVAL "take unless held" 2 job job:fence B1 4000 of B and answers 1.
   B's command creates the key job with "B1", alive until 9s.
10. At 5s B gets its answer: 1. B believes that it holds the lock, with the fencing token 1. B works
    under the lock for 1s.

  why     At 5s B (number 1, its key written at 5s) was granted the lock; A (number 1, its key
          written at 0ms) had been granted it at 0ms: the key of B was written later, and its number
          is not greater. (steps 3 and 10)
  code    algorithms/fenced.cpp:23 sends EVAL "take unless held" 2 job job:fence A1 4000 (step 3)
