✘ redisson-rw × duplicate: recovery is violated
  1 client · ttl 8s · blocking no · 15 steps, and 4 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 job 8000 A.1:1:write to
   redis-1.
2. At 0ms the EVAL script 1 job 8000 A.1:1:write of A is sent twice.
3. At 1s redis-1 carries out the EVAL script 1 job 8000 A.1:1:write of A and answers nil. A's
   command creates the key job with "hash "A.1:1:write" "1" "mode" "write"", alive until 9s. A's
   command overwrites the key job, its own, with "hash "A.1:1:write" "1" "mode" "write"", alive
   until 9s. A's command changes the expiry of the key job, its own; it is now alive until 9s.
4. At 2s redis-1 carries out the EVAL script 1 job 8000 A.1:1:write of A and answers nil. A's
   command overwrites the key job, its own, with "hash "A.1:1:write" "2" "mode" "write"", alive
   until 17s. A's command changes the expiry of the key job, its own; it is now alive until 17s.
5. At 3s A stops waiting for the answer to EVAL script 1 job 8000 A.1:1:write. A fails to get the
   lock: "Redis server response timeout". A is finished.
6. At 3s the faults are over; a new client, B, now tries to get the lock within 10s. B starts. B
   tries to acquire the lock job. B sends EVAL script 1 job 8000 B.1:1:write to redis-1.
7. At 3s redis-1 carries out the EVAL script 1 job 8000 B.1:1:write of B and answers 14000.
8. At 3s B gets its answer: 14000. B does not get the lock: "tryLock: false".
9. At 8s B tries to acquire the lock job. B sends EVAL script 1 job 8000 B.1:1:write to redis-1.
10. At 8s redis-1 carries out the EVAL script 1 job 8000 B.1:1:write of B and answers 9000.
11. At 8s B gets its answer: 9000. B does not get the lock: "tryLock: false".
12. At 13s B tries to acquire the lock job. B sends EVAL script 1 job 8000 B.1:1:write to redis-1.
13. At 13s redis-1 carries out the EVAL script 1 job 8000 B.1:1:write of B and answers 4000.
14. At 13s B gets its answer: 4000. B does not get the lock: "tryLock: false". B is finished.
15. At 13s the run is over.

  why     A new client, B, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 2s still stands and expires at 17s. (steps 4 and 15)
  code    algorithms/redisson_rw.cpp:153 sends EVAL script 1 job 8000 A.1:1:write (step 4)
