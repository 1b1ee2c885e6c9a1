✘ setnx-del-recovery × crash: mutual-exclusion is violated
  3 clients · ttl 10s · 22 steps, and 1 in which only time passes

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
13. At 12s B gets its answer: 1700000010000. B sends DEL job to redis-1.
14. At 12s C gets its answer: 1700000010000. C sends DEL job to redis-1.
15. At 12s redis-1 carries out the DEL job of B and answers 1. B's command removes the key job, set
    by A.
16. At 12s B gets its answer: 1. B sends SETNX job 1700000022000 to redis-1.
17. At 12s redis-1 carries out the SETNX job 1700000022000 of B and answers 1. B's command creates
    the key job with "1700000022000", without an expiry.
18. At 12s redis-1 carries out the DEL job of C and answers 1. C's command removes the key job, set
    by B.
19. At 12s B gets its answer: 1. B believes that it holds the lock, until 22s. B works under the
    lock for 1s.
20. At 12s C gets its answer: 1. C sends SETNX job 1700000022000 to redis-1.
21. At 12s redis-1 carries out the SETNX job 1700000022000 of C and answers 1. C's command creates
    the key job with "1700000022000", without an expiry.
22. At 12s C gets its answer: 1. C believes that it holds the lock, until 22s. C works under the
    lock for 1s.

  why     At 12s C was granted the lock while B, granted at 12s, still believes that it holds it: B
          has neither released it nor noticed a loss; its key was removed by C at 12s. (steps 19 and
          22)
  code    algorithms/setnx_del_recovery.cpp:28 sends DEL job (step 18)
  code    algorithms/setnx_del_recovery.cpp:32 sends SETNX job 1700000022000 (step 19)
