✘ getset × crash: owner-only-change is violated
  3 clients · ttl 10s · 17 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000010000 to redis-1.
2. At 0ms redis-1 carries out the SETNX job 1700000010000 of A and answers 1. A's command creates
   the key job with "1700000010000", without an expiry.
3. At 0ms A gets its answer: 1. A believes that it holds the lock, until 10s. A works under the lock
   for 1s.
4. At 0ms A crashes and forgets everything.
5. At 12s B starts. B tries to acquire the lock job. B sends SETNX job 1700000022000 to redis-1.
6. At 12s C starts. C tries to acquire the lock job. C sends SETNX job 1700000022000 to redis-1.
7. At 12s redis-1 carries out the SETNX job 1700000022000 of B and answers 0.
8. At 12s redis-1 carries out the SETNX job 1700000022000 of C and answers 0.
9. At 12s B gets its answer: 0. B sends GET job to redis-1.
10. At 12s C gets its answer: 0. C sends GET job to redis-1.
11. At 12s redis-1 carries out the GET job of B and answers 1700000010000.
12. At 12s redis-1 carries out the GET job of C and answers 1700000010000.
13. At 12s B gets its answer: 1700000010000. B sends GETSET job 1700000022000 to redis-1.
14. At 12s C gets its answer: 1700000010000. C sends GETSET job 1700000022000 to redis-1.
15. At 12s redis-1 carries out the GETSET job 1700000022000 of B and answers 1700000010000. B's
    command overwrites the key job, set by A, with "1700000022000", without an expiry.
16. At 12s redis-1 carries out the GETSET job 1700000022000 of C and answers 1700000022000. C's
    command overwrites the key job, set by B, with "1700000022000", without an expiry.
17. At 12s B gets its answer: 1700000010000. B believes that it holds the lock, until 22s. B works
    under the lock for 1s.

  why     At 12s a command of C changed the key that B had written; at 12s B was granted the lock
          all the same. (steps 16 and 17)
  code    algorithms/getset.cpp:32 sends GETSET job 1700000022000 (step 16)
