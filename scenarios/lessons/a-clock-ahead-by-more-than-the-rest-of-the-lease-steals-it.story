✘ getset × none: mutual-exclusion is violated
  2 clients · ttl 4s · 10 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000004000 to redis-1.
2. At 0ms redis-1 carries out the SETNX job 1700000004000 of A and answers 1. A's command creates
   the key job with "1700000004000", without an expiry.
3. At 0ms A gets its answer: 1. A believes that it holds the lock, until 4s. A works under the lock
   for 2s.
4. At 1s B starts; its wall clock is 3.2s ahead. B tries to acquire the lock job. B sends SETNX job
   1700000008200 to redis-1.
5. At 1s redis-1 carries out the SETNX job 1700000008200 of B and answers 0.
6. At 1s B gets its answer: 0. B sends GET job to redis-1.
7. At 1s redis-1 carries out the GET job of B and answers 1700000004000.
8. At 1s B gets its answer: 1700000004000. B sends GETSET job 1700000008200 to redis-1.
9. At 1s redis-1 carries out the GETSET job 1700000008200 of B and answers 1700000004000. B's
   command overwrites the key job, set by A, with "1700000008200", without an expiry.
10. At 1s B gets its answer: 1700000004000. B believes that it holds the lock, until 5s. B works
    under the lock for 1s.

  why     At 1s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key was overwritten by B at 1s. (steps 3
          and 10)
  code    algorithms/getset.cpp:20 sends SETNX job 1700000004000 (step 3)
  code    algorithms/getset.cpp:32 sends GETSET job 1700000008200 (step 9)
