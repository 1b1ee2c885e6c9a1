✘ redbeat × none: mutual-exclusion is violated
  2 clients · ttl 5s · blocking no · max-interval 8s · 10 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 5000 NX to redis-1.
2. At 0ms redis-1 carries out the SET job A1 PX 5000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 5s.
3. At 0ms A gets its answer: OK. A sends EVAL "extend if mine" 1 job A1 5000 0 to redis-1.
4. At 0ms redis-1 carries out the EVAL "extend if mine" 1 job A1 5000 0 of A and answers 1. A's
   command changes the expiry of the key job, its own; it is now alive until 5s.
5. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 9s.
6. At 5.001s the key job, set by A, expires. B starts. B tries to acquire the lock job. B sends SET
   job B1 PX 5000 NX to redis-1.
7. At 6s redis-1 carries out the SET job B1 PX 5000 NX of B and answers OK. B's command creates the
   key job with "B1", alive until 11s.
8. At 6s B gets its answer: OK. B sends EVAL "extend if mine" 1 job B1 5000 0 to redis-1.
9. At 6s redis-1 carries out the EVAL "extend if mine" 1 job B1 5000 0 of B and answers 1. B's
   command changes the expiry of the key job, its own; it is now alive until 11s.
10. At 6s B gets its answer: 1. B believes that it holds the lock. B works under the lock for 2s.

  why     At 6s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 5.001s. (steps 5 and 10)
  code    algorithms/redbeat.cpp:108 sends EVAL "extend if mine" 1 job A1 5000 0 (step 5)
