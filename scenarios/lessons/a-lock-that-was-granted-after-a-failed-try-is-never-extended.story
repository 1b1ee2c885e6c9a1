✘ redlock-net × none: mutual-exclusion is violated
  3 clients · ttl 6s · nodes 1 · blocking yes · retry-count 1 · retry-time 1s · wait-time 4s · timer
  cancelled · belief notified · 17 steps, and 2 in which only time passes

1. At 0ms B starts. B tries to acquire the lock job. B sends SET redlock:job B1 EX 6 NX to redis-1.
2. At 0ms redis-1 carries out the SET redlock:job B1 EX 6 NX of B and answers OK. B's command
   creates the key redlock:job with "B1", alive until 6s.
3. At 0ms B gets its answer: OK. B believes that it holds the lock. B works under the lock for 2s.
4. At 1s A starts. A tries to acquire the lock job. A sends SET redlock:job A1 EX 6 NX to redis-1.
5. At 1s redis-1 carries out the SET redlock:job A1 EX 6 NX of A and answers nil.
6. At 1s A gets its answer: nil. A sends EVAL "delete if mine" 1 redlock:job A1 to redis-1.
7. At 1s redis-1 carries out the EVAL "delete if mine" 1 redlock:job A1 of A and answers 0.
8. At 1s A gets its answer: 0.
9. At 2s A sends SET redlock:job A1 EX 6 NX to redis-1.
10. At 2s B writes to the guarded resource. B begins to release the lock and no longer believes that
    it holds it. B sends EVAL "delete if mine" 1 redlock:job B1 to redis-1.
11. At 2s redis-1 carries out the EVAL "delete if mine" 1 redlock:job B1 of B and answers 1. B's
    command removes the key redlock:job, its own.
12. At 2s redis-1 carries out the SET redlock:job A1 EX 6 NX of A and answers OK. A's command
    creates the key redlock:job with "A1", alive until 8s.
13. At 2s B gets its answer: 1. B reports that it has released the lock. B is finished.
14. At 2s A gets its answer: OK. A believes that it holds the lock. A works under the lock for 12s.
15. At 8.001s the key redlock:job, set by A, expires. C starts. C tries to acquire the lock job. C
    sends SET redlock:job C1 EX 6 NX to redis-1.
16. At 10s redis-1 carries out the SET redlock:job C1 EX 6 NX of C and answers OK. C's command
    creates the key redlock:job with "C1", alive until 16s.
17. At 10s C gets its answer: OK. C believes that it holds the lock. C works under the lock for 1s.

  why     At 10s C was granted the lock while A, granted at 2s, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 8.001s. (steps 14 and 17)
  code    algorithms/redlock_net.cpp:104 sends SET redlock:job A1 EX 6 NX (step 14)
