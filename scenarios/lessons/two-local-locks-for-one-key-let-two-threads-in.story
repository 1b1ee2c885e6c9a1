✘ spring-integration × none: mutual-exclusion is violated
  3 clients · ttl 6s · blocking no · local-lock evicted · 6 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 locks:job A1 6000 to
   redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends EVAL script 1 locks:job A1 6000 to
   redis-1.
3. At 0ms redis-1 carries out the EVAL script 1 locks:job A1 6000 of A and answers 1. A's command
   creates the key locks:job with "A1", alive until 6s.
4. At 0ms redis-1 carries out the EVAL script 1 locks:job A1 6000 of B and answers 1. B's command
   changes the expiry of the key locks:job, set by A; it is now alive until 6s.
5. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 2s.
6. At 0ms B gets its answer: 1. B believes that it holds the lock. B works under the lock for 2s.

  why     At 0ms B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key still stands. (steps 5 and 6)
  code    algorithms/spring_integration.cpp:154 sends EVAL script 1 locks:job A1 6000 (step 5)
