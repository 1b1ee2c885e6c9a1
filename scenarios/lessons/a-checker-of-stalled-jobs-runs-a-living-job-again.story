✘ bullmq × pause: mutual-exclusion is violated
  3 clients · ttl 4s · 17 steps, and 7 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 5 bull:job:1 bull:job:wait
   bull:job:active bull:job:stalled bull:job:stalled-check 1 4000 1 to redis-1.
2. At 0ms redis-1 carries out the EVAL script 5 bull:job:1 bull:job:wait bull:job:active
   bull:job:stalled bull:job:stalled-check 1 4000 1 of A and answers 1.
3. At 0ms A gets its answer: 1. A sends EVAL script 4 bull:job:1 bull:job:wait bull:job:active
   bull:job:1:lock A1 4000 to redis-1.
4. At 0ms redis-1 carries out the EVAL script 4 bull:job:1 bull:job:wait bull:job:active
   bull:job:1:lock A1 4000 of A and answers 1. A's command creates the key bull:job:1:lock with
   "A1", alive until 4s.
5. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 16s.
6. At 2s A is stopped in the middle of what it does.
7. At 4.001s the key bull:job:1:lock, set by A, expires.
8. At 5s B starts. B tries to acquire the lock job. B sends EVAL script 5 bull:job:1 bull:job:wait
   bull:job:active bull:job:stalled bull:job:stalled-check 1 4000 1 to redis-1.
9. At 5s redis-1 carries out the EVAL script 5 bull:job:1 bull:job:wait bull:job:active
   bull:job:stalled bull:job:stalled-check 1 4000 1 of B and answers 0.
10. At 5s B gets its answer: 0. B sends EVAL script 4 bull:job:1 bull:job:wait bull:job:active
    bull:job:1:lock B1 4000 to redis-1.
11. At 5s redis-1 carries out the EVAL script 4 bull:job:1 bull:job:wait bull:job:active
    bull:job:1:lock B1 4000 of B and answers 0.
12. At 5s B gets its answer: 0. B does not get the lock: "no job waits". B is finished.
13. At 10s C starts. C tries to acquire the lock job. C sends EVAL script 5 bull:job:1 bull:job:wait
    bull:job:active bull:job:stalled bull:job:stalled-check 1 4000 1 to redis-1.
14. At 10s redis-1 carries out the EVAL script 5 bull:job:1 bull:job:wait bull:job:active
    bull:job:stalled bull:job:stalled-check 1 4000 1 of C and answers 0.
15. At 10s C gets its answer: 0. C sends EVAL script 4 bull:job:1 bull:job:wait bull:job:active
    bull:job:1:lock C1 4000 to redis-1.
16. At 10s redis-1 carries out the EVAL script 4 bull:job:1 bull:job:wait bull:job:active
    bull:job:1:lock C1 4000 of C and answers 1. C's command creates the key bull:job:1:lock with
    "C1", alive until 14s.
17. At 10s C gets its answer: 1. C believes that it holds the lock. C works under the lock for 1s.

  why     At 10s C was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 4.001s. (steps 5 and 17)
  code    algorithms/bullmq.cpp:79 sends EVAL script 4 bull:job:1 bull:job:wait bull:job:active
          bull:job:1:lock A1 4000 (step 5)
