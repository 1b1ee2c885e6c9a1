✘ redisson × none: mutual-exclusion is violated
  2 clients · ttl 500us · watchdog no · 6 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless another's" 1 job 0
   A.1:1 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends EVAL "take unless another's" 1 job 0
   B.1:1 to redis-1.
3. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job 0 A.1:1 of A and answers nil.
   A's command creates the key job with "", without an expiry. A's command removes the key job, its
   own.
4. At 0ms redis-1 carries out the EVAL "take unless another's" 1 job 0 B.1:1 of B and answers nil.
   B's command creates the key job with "", without an expiry. B's command removes the key job, its
   own.
5. At 0ms A gets its answer: nil. A believes that it holds the lock. A works under the lock for 1s.
6. At 0ms B gets its answer: nil. B believes that it holds the lock. B works under the lock for 1s.

  why     At 0ms B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its own command removed its key. (steps 5 and
          6)
  code    algorithms/redisson.cpp:23 sends EVAL "take unless another's" 1 job 0 A.1:1 (step 5)
