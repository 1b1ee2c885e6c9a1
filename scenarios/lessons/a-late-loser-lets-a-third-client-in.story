✘ getset × crash+late-request: mutual-exclusion is violated
  4 clients · ttl 10s · 26 steps, and 5 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000010000 to redis-1.
2. At 0ms redis-1 carries out the SETNX job 1700000010000 of A and answers 1. A's command creates
   the key job with "1700000010000", without an expiry.
3. At 0ms A gets its answer: 1. A believes that it holds the lock, until 10s. A works under the lock
   for 1s.
4. At 0ms A crashes and forgets everything.
5. At 12s C starts. C tries to acquire the lock job. C sends SETNX job 1700000022000 to redis-1.
6. At 12s redis-1 carries out the SETNX job 1700000022000 of C and answers 0.
7. At 12s C gets its answer: 0. C sends GET job to redis-1.
8. At 12s redis-1 carries out the GET job of C and answers 1700000010000.
9. At 12s C gets its answer: 1700000010000. C sends GETSET job 1700000022000 to redis-1.
10. At 12s the GETSET job 1700000022000 of C will arrive late.
11. At 15s C stops waiting for the answer to GETSET job 1700000022000. C fails to get the lock:
    "failed to getset lock: timeout". C is finished.
12. At 18s B starts. B tries to acquire the lock job. B sends SETNX job 1700000028000 to redis-1.
13. At 18s redis-1 carries out the SETNX job 1700000028000 of B and answers 0.
14. At 18s B gets its answer: 0. B sends GET job to redis-1.
15. At 18s redis-1 carries out the GET job of B and answers 1700000010000.
16. At 18s B gets its answer: 1700000010000. B sends GETSET job 1700000028000 to redis-1.
17. At 18s redis-1 carries out the GETSET job 1700000028000 of B and answers 1700000010000. B's
    command overwrites the key job, set by A, with "1700000028000", without an expiry.
18. At 18s redis-1 carries out the GETSET job 1700000022000 of C and answers 1700000028000. C's
    command overwrites the key job, set by B, with "1700000022000", without an expiry. an answer to
    C arrives, but C no longer waits for it.
19. At 18s B gets its answer: 1700000010000. B believes that it holds the lock, until 28s. B works
    under the lock for 8s.
20. At 24s D starts. D tries to acquire the lock job. D sends SETNX job 1700000034000 to redis-1.
21. At 24s redis-1 carries out the SETNX job 1700000034000 of D and answers 0.
22. At 24s D gets its answer: 0. D sends GET job to redis-1.
23. At 24s redis-1 carries out the GET job of D and answers 1700000022000.
24. At 24s D gets its answer: 1700000022000. D sends GETSET job 1700000034000 to redis-1.
25. At 24s redis-1 carries out the GETSET job 1700000034000 of D and answers 1700000022000. D's
    command overwrites the key job, set by C, with "1700000034000", without an expiry.
26. At 24s D gets its answer: 1700000022000. D believes that it holds the lock, until 34s. D works
    under the lock for 1s.

  why     At 24s D was granted the lock while B, granted at 18s, still believes that it holds it: B
          has neither released it nor noticed a loss; its key was overwritten by C at 18s. (steps 19
          and 26)
  code    algorithms/getset.cpp:32 sends GETSET job 1700000028000 (step 19)
