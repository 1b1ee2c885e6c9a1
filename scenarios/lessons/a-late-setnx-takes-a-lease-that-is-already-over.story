✘ getset × late-request: mutual-exclusion is violated
  2 clients · ttl 4s · 11 steps, and 5 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000004000 to redis-1.
2. At 0ms the SETNX job 1700000004000 of A will arrive late.
3. At 5s redis-1 carries out the SETNX job 1700000004000 of A and answers 1. A's command creates the
   key job with "1700000004000", without an expiry.
4. At 6s A gets its answer: 1. A believes that it holds the lock, until 4s. A works under the lock
   for 1s.
5. At 7s B starts. B tries to acquire the lock job. B sends SETNX job 1700000011000 to redis-1.
6. At 7s redis-1 carries out the SETNX job 1700000011000 of B and answers 0.
7. At 7s B gets its answer: 0. B sends GET job to redis-1.
8. At 7s redis-1 carries out the GET job of B and answers 1700000004000.
9. At 7s B gets its answer: 1700000004000. B sends GETSET job 1700000011000 to redis-1.
10. At 7s redis-1 carries out the GETSET job 1700000011000 of B and answers 1700000004000. B's
    command overwrites the key job, set by A, with "1700000011000", without an expiry.
11. At 7s B gets its answer: 1700000004000. B believes that it holds the lock, until 11s. B works
    under the lock for 1s.

  why     At 7s B was granted the lock while A, granted at 6s, still believes that it holds it: A
          has neither released it nor noticed a loss; its key was overwritten by B at 7s. (steps 4
          and 11)
  code    algorithms/getset.cpp:20 sends SETNX job 1700000004000 (step 4)
  code    algorithms/getset.cpp:32 sends GETSET job 1700000011000 (step 10)
