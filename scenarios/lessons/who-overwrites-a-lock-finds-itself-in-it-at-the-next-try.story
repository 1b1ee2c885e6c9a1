✘ jedis-lock × none: mutual-exclusion is violated
  2 clients · ttl 20s · resolution 1s · acquire-timeout 1s · getset-on-nothing yes · 22 steps, and 2
  in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job A1:1700000020001 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SETNX job B1:1700000020001 to redis-1.
3. At 0ms redis-1 carries out the SETNX job A1:1700000020001 of A and answers 1. A's command creates
   the key job with "A1:1700000020001", without an expiry.
4. At 0ms redis-1 carries out the SETNX job B1:1700000020001 of B and answers 0.
5. At 0ms A gets its answer: 1. A believes that it holds the lock, until 20.001s. A works under the
   lock for 1s.
6. At 0ms B gets its answer: 0. B sends GET job to redis-1.
7. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends DEL job to redis-1.
8. At 1s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, its
   own.
9. At 1s redis-1 carries out the GET job of B and answers nil.
10. At 1s A gets its answer: 1. A reports that it has released the lock. A tries to acquire the lock
    job. A sends SETNX job A2:1700000021001 to redis-1.
11. At 1s B gets its answer: nil. B sends GETSET job B1:1700000020001 to redis-1.
12. At 1s redis-1 carries out the SETNX job A2:1700000021001 of A and answers 1. A's command creates
    the key job with "A2:1700000021001", without an expiry.
13. At 1s redis-1 carries out the GETSET job B1:1700000020001 of B and answers A2:1700000021001. B's
    command overwrites the key job, set by A, with "B1:1700000020001", without an expiry.
14. At 1s A gets its answer: 1. A believes that it holds the lock, until 21.001s. A works under the
    lock for 3s.
15. At 1s B gets its answer: A2:1700000021001.
16. At 2s B sends SETNX job B1:1700000022001 to redis-1.
17. At 2s redis-1 carries out the SETNX job B1:1700000022001 of B and answers 0.
18. At 2s B gets its answer: 0. B sends GET job to redis-1.
19. At 2s redis-1 carries out the GET job of B and answers B1:1700000020001.
20. At 2s B gets its answer: B1:1700000020001. B sends GETSET job B1:1700000022001 to redis-1.
21. At 2s redis-1 carries out the GETSET job B1:1700000022001 of B and answers B1:1700000020001. B's
    command overwrites the key job, its own, with "B1:1700000022001", without an expiry.
22. At 2s B gets its answer: B1:1700000020001. B believes that it holds the lock, until 22.001s. B
    works under the lock for 1s.

  why     At 2s B was granted the lock while A, granted at 1s, still believes that it holds it: A
          has neither released it nor noticed a loss; its key was overwritten by B at 1s. (steps 14
          and 22)
  code    algorithms/jedis_lock.cpp:66 sends GETSET job B1:1700000020001 (step 13)
  code    algorithms/jedis_lock.cpp:59 sends SETNX job A2:1700000021001 (step 14)
