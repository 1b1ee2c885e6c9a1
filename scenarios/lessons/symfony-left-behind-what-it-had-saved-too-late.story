✘ symfony-lock × clock-jump: recovery is violated
  1 client · ttl 4s · initial-ttl 30s · expired left · 17 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 job 1700000000 A1 30000
   to redis-1.
2. At 0ms redis-1 carries out the EVAL script 1 job 1700000000 A1 30000 of A and answers 1. A's
   command creates the key job with "zset "A1" 1700000030000 "__write__" 1700000030000", alive until
   30s. A's command overwrites the key job, its own, with "zset "A1" 1700000030000 "__write__"
   1700000030000", alive until 30s. A's command changes the expiry of the key job, its own; it is
   now alive until 30s.
3. At 0ms the wall clock of A is 40s ahead.
4. At 0ms A gets its answer: 1. A fails to get the lock: "Failed to acquire the "job" lock."
5. At 1s A tries to acquire the lock job. A sends EVAL script 1 job 1700000041 A2 30000 to redis-1.
6. At 1s redis-1 carries out the EVAL script 1 job 1700000041 A2 30000 of A and answers nil.
7. At 1s A gets its answer: nil. A does not get the lock: "acquire(): false". A is finished.
8. At 1s the faults are over; a new client, B, now tries to get the lock within 10s. B starts. B
   tries to acquire the lock job. B sends EVAL script 1 job 1700000001 B1 30000 to redis-1.
9. At 1s redis-1 carries out the EVAL script 1 job 1700000001 B1 30000 of B and answers nil.
10. At 1s B gets its answer: nil. B does not get the lock: "acquire(): false".
11. At 6s B tries to acquire the lock job. B sends EVAL script 1 job 1700000006 B2 30000 to redis-1.
12. At 6s redis-1 carries out the EVAL script 1 job 1700000006 B2 30000 of B and answers nil.
13. At 6s B gets its answer: nil. B does not get the lock: "acquire(): false".
14. At 11s B tries to acquire the lock job. B sends EVAL script 1 job 1700000011 B3 30000 to
    redis-1.
15. At 11s redis-1 carries out the EVAL script 1 job 1700000011 B3 30000 of B and answers nil.
16. At 11s B gets its answer: nil. B does not get the lock: "acquire(): false". B is finished.
17. At 11s the run is over.

  why     A new client, B, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 0ms still stands and expires at 30s. (steps 2 and 17)
  code    algorithms/symfony_lock.cpp:150 sends EVAL script 1 job 1700000000 A1 30000 (step 2)
