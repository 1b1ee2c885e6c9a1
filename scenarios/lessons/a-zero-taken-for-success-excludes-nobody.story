✘ lua-setnx-expire × none: mutual-exclusion is violated
  2 clients · ttl 4s · 6 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL "take unless held" 1 job 1234 4000
   to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends EVAL "take unless held" 1 job 1234 4000
   to redis-1.
3. At 0ms redis-1 carries out the EVAL "take unless held" 1 job 1234 4000 of A and answers 1. A's
   command creates the key job with "1234", alive until 4000s. A's command changes the expiry of the
   key job, its own; it is now alive until 4000s.
4. At 0ms redis-1 carries out the EVAL "take unless held" 1 job 1234 4000 of B and answers 0.
5. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 1s.
6. At 0ms B gets its answer: 0. B believes that it holds the lock. B works under the lock for 1s.

  why     At 0ms B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key still stands. (steps 5 and 6)
  code    algorithms/lua_setnx_expire.cpp:37 sends EVAL "take unless held" 1 job 1234 4000 (step 5)
