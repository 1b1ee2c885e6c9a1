✘ redisson × lost-request: mutual-exclusion is violated
  2 clients · ttl 12s · watchdog until-it-fails · 17 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless another's" 1 job
   12000 A.1:1 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends EVAL "take unless another's" 1 job
   12000 B.1:1 to redis-1.
3. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job 12000 A.1:1 of A and answers
   nil. A's command creates the key job with "hash "A.1:1" "1"", alive until 12s. A's command
   changes the expiry of the key job, its own; it is now alive until 12s.
4. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job 12000 B.1:1 of B and answers
   12000.
5. At 0ms A gets its answer: nil. A believes that it holds the lock. A works under the lock for 18s.
6. At 0ms B gets its answer: 12000. B sends SUBSCRIBE redisson_lock__channel:{job} to redis-1.
7. At 0ms redis-1 carries out the SUBSCRIBE redisson_lock__channel:{job} of B and answers [subscribe
   redisson_lock__channel:{job} 1].
8. At 0ms B gets its answer: [subscribe redisson_lock__channel:{job} 1]. B sends EVAL "take unless
   another's" 1 job 12000 B.1:1 to redis-1.
9. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job 12000 B.1:1 of B and answers
   12000.
10. At 0ms B gets its answer: 12000.
11. At 4s A sends EVAL "extend if mine" 1 job 12000 A.1:1 to redis-1.
12. At 4s the EVAL "extend if mine" 1 job 12000 A.1:1 of A is lost on its way.
13. At 6s A stops waiting for the answer to EVAL "extend if mine" 1 job 12000 A.1:1.
14. At 12s B sends EVAL "take unless another's" 1 job 12000 B.1:1 to redis-1.
15. At 12.001s the key job, set by A, expires.
16. At 13s redis-1 carries out the EVAL "take unless another's" 1 job 12000 B.1:1 of B and answers
    nil. B's command creates the key job with "hash "B.1:1" "1"", alive until 25s. B's command
    changes the expiry of the key job, its own; it is now alive until 25s.
17. At 13s B gets its answer: nil. B believes that it holds the lock. B works under the lock for 1s.

  why     At 13s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 12.001s. (steps 5 and 17)
  code    algorithms/redisson.cpp:23 sends EVAL "take unless another's" 1 job 12000 A.1:1 (step 5)
