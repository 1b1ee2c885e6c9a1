✘ redis-objects × late-reply: mutual-exclusion is violated
  4 clients · ttl 9s · timeout 0s · belief deadline-from-request · 24 steps, and 11 in which only
  time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000010.0 to redis-1.
2. At 0ms redis-1 carries out the SETNX job 1700000010.0 of A and answers 1. A's command creates the
   key job with "1700000010.0", without an expiry.
3. At 0ms A gets its answer: 1. A believes that it holds the lock, until 10s. A is finished.
4. At 12s B starts. B tries to acquire the lock job. B sends SETNX job 1700000022.0 to redis-1.
5. At 12s C starts. C tries to acquire the lock job. C sends SETNX job 1700000022.0 to redis-1.
6. At 12s redis-1 carries out the SETNX job 1700000022.0 of B and answers 0.
7. At 12s redis-1 carries out the SETNX job 1700000022.0 of C and answers 0.
8. At 12s B gets its answer: 0. B sends GET job to redis-1.
9. At 12s C gets its answer: 0. C sends GET job to redis-1.
10. At 12s redis-1 carries out the GET job of B and answers 1700000010.0.
11. At 12s B gets its answer: 1700000010.0. B sends GETSET job 1700000022.0 to redis-1.
12. At 13s redis-1 carries out the GET job of C and answers 1700000010.0.
13. At 13s redis-1 carries out the GETSET job 1700000022.0 of B and answers 1700000010.0. B's
    command overwrites the key job, set by A, with "1700000022.0", without an expiry.
14. At 13s B gets its answer: 1700000010.0. B believes that it holds the lock, until 22s. B works
    under the lock for 1s.
15. At 14s C gets its answer: 1700000010.0. C sends GETSET job 1700000024.0 to redis-1.
16. At 14s redis-1 carries out the GETSET job 1700000024.0 of C and answers 1700000022.0. C's
    command overwrites the key job, set by B, with "1700000024.0", without an expiry.
17. At 14s B writes to the guarded resource. B begins to release the lock and no longer believes
    that it holds it. B sends DEL job to redis-1.
18. At 14s redis-1 carries out the DEL job of B and answers 1. B's command removes the key job, set
    by C.
19. At 14s B gets its answer: 1. B reports that it has released the lock. B is finished.
20. At 14s the answer to the GETSET job 1700000024.0 of C will arrive late.
21. At 16s D starts. D tries to acquire the lock job. D sends SETNX job 1700000026.0 to redis-1.
22. At 16s redis-1 carries out the SETNX job 1700000026.0 of D and answers 1. D's command creates
    the key job with "1700000026.0", without an expiry.
23. At 16s D gets its answer: 1. D believes that it holds the lock, until 26s. D works under the
    lock for 8s.
24. At 23s C gets its answer: 1700000022.0. C believes that it holds the lock, until 24s. C works
    under the lock for 1s.

  why     At 23s C was granted the lock while D, granted at 16s, still believes that it holds it: D
          has neither released it nor noticed a loss; its key still stands. (steps 23 and 24)
  code    algorithms/redis_objects.cpp:46 sends DEL job (step 18)
  code    algorithms/redis_objects.cpp:24 sends SETNX job 1700000026.0 (step 23)
  code    algorithms/redis_objects.cpp:33 sends GETSET job 1700000024.0 (step 24)
