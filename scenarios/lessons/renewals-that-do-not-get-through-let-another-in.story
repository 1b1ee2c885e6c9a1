✘ redisson × partition: mutual-exclusion is violated
  2 clients · ttl 6s · 17 steps, and 4 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless another's" 1 job 6000
   A.1:1 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends EVAL "take unless another's" 1 job 6000
   B.1:1 to redis-1.
3. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job 6000 A.1:1 of A and answers
   nil. A's command creates the key job with "hash "A.1:1" "1"", alive until 6s. A's command changes
   the expiry of the key job, its own; it is now alive until 6s.
4. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job 6000 B.1:1 of B and answers
   6000.
5. At 0ms B gets its answer: 6000. B sends SUBSCRIBE redisson_lock__channel:{job} to redis-1.
6. At 0ms redis-1 carries out the SUBSCRIBE redisson_lock__channel:{job} of B and answers [subscribe
   redisson_lock__channel:{job} 1].
7. At 0ms B gets its answer: [subscribe redisson_lock__channel:{job} 1]. B sends EVAL "take unless
   another's" 1 job 6000 B.1:1 to redis-1.
8. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job 6000 B.1:1 of B and answers
   6000.
9. At 0ms B gets its answer: 6000.
10. At 1s A gets its answer: nil. A believes that it holds the lock. A works under the lock for 12s.
11. At 2s no messages pass between A and redis-1 until 14s.
12. At 3s A sends EVAL "extend if mine" 1 job 6000 A.1:1 to redis-1. The EVAL "extend if mine" 1 job
    6000 A.1:1 of A is lost between them.
13. At 6s B sends EVAL "take unless another's" 1 job 6000 B.1:1 to redis-1.
14. At 6s A's driver waits no longer for the answer to EVAL "extend if mine" 1 job 6000 A.1:1, and
    sends it again. A sends EVAL "extend if mine" 1 job 6000 A.1:1 to redis-1.
15. At 6.001s the key job, set by A, expires.
16. At 7s redis-1 carries out the EVAL "take unless another's" 1 job 6000 B.1:1 of B and answers
    nil. B's command creates the key job with "hash "B.1:1" "1"", alive until 13s. B's command
    changes the expiry of the key job, its own; it is now alive until 13s.
17. At 7s B gets its answer: nil. B believes that it holds the lock. B works under the lock for 1s.

  why     At 7s B was granted the lock while A, granted at 1s, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 6.001s. (steps 10 and 17)
  code    algorithms/redisson.cpp:23 sends EVAL "take unless another's" 1 job 6000 A.1:1 (step 10)
