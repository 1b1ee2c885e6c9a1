✘ symfony-lock × lost-reply: recovery is violated
  2 clients · ttl 4s · 23 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 job 1700000000 A1 300000
   to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends EVAL script 1 job 1700000000 B1 300000
   to redis-1.
3. At 0ms redis-1 carries out the EVAL script 1 job 1700000000 A1 300000 of A and answers 1. A's
   command creates the key job with "zset "A1" 1700000300000 "__write__" 1700000300000", alive until
   300s. A's command overwrites the key job, its own, with "zset "A1" 1700000300000 "__write__"
   1700000300000", alive until 300s. A's command changes the expiry of the key job, its own; it is
   now alive until 300s.
4. At 0ms the answer to the EVAL script 1 job 1700000000 A1 300000 of A is lost on its way.
5. At 0ms redis-1 carries out the EVAL script 1 job 1700000000 B1 300000 of B and answers nil.
6. At 0ms B gets its answer: nil. B does not get the lock: "acquire(): false".
7. At 1s B tries to acquire the lock job. B sends EVAL script 1 job 1700000001 B2 300000 to redis-1.
8. At 1s redis-1 carries out the EVAL script 1 job 1700000001 B2 300000 of B and answers nil.
9. At 1s B gets its answer: nil. B does not get the lock: "acquire(): false". B is finished.
10. At 3s A stops waiting for the answer to EVAL script 1 job 1700000000 A1 300000. A fails to get
    the lock: "Failed to acquire the "job" lock."
11. At 4s A tries to acquire the lock job. A sends EVAL script 1 job 1700000004 A2 300000 to
    redis-1.
12. At 4s redis-1 carries out the EVAL script 1 job 1700000004 A2 300000 of A and answers nil.
13. At 4s A gets its answer: nil. A does not get the lock: "acquire(): false". A is finished.
14. At 4s the faults are over; a new client, C, now tries to get the lock within 10s. C starts. C
    tries to acquire the lock job. C sends EVAL script 1 job 1700000004 C1 300000 to redis-1.
15. At 4s redis-1 carries out the EVAL script 1 job 1700000004 C1 300000 of C and answers nil.
16. At 4s C gets its answer: nil. C does not get the lock: "acquire(): false".
17. At 9s C tries to acquire the lock job. C sends EVAL script 1 job 1700000009 C2 300000 to
    redis-1.
18. At 9s redis-1 carries out the EVAL script 1 job 1700000009 C2 300000 of C and answers nil.
19. At 9s C gets its answer: nil. C does not get the lock: "acquire(): false".
20. At 14s C tries to acquire the lock job. C sends EVAL script 1 job 1700000014 C3 300000 to
    redis-1.
21. At 14s redis-1 carries out the EVAL script 1 job 1700000014 C3 300000 of C and answers nil.
22. At 14s C gets its answer: nil. C does not get the lock: "acquire(): false". C is finished.
23. At 14s the run is over.

  why     A new client, C, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and expires at 300s. (steps 3 and 23)
  code    algorithms/symfony_lock.cpp:150 sends EVAL script 1 job 1700000000 A1 300000 (step 3)
