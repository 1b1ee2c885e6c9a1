✘ redisson-rw × duplicate: recovery is violated
  1 client · ttl 8s · blocking no · 19 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends EVAL script 1 job 8000 A1:1:write to
   redis-1.
3. At 0ms the EVAL script 1 job 8000 A1:1:write of A is sent twice.
5. At 1s redis-1 carries out the EVAL script 1 job 8000 A1:1:write of A and answers nil. A's command
   creates the key job with "hash "A1:1:write" "1" "mode" "write"", alive until 9s. A's command
   overwrites the key job, its own, with "hash "A1:1:write" "1" "mode" "write"", alive until 9s. A's
   command changes the expiry of the key job, its own; it is now alive until 9s.
7. At 2s redis-1 carries out the EVAL script 1 job 8000 A1:1:write of A and answers nil. A's command
   overwrites the key job, its own, with "hash "A1:1:write" "2" "mode" "write"", alive until 17s.
   A's command changes the expiry of the key job, its own; it is now alive until 17s.
9. At 3s A stops waiting for the answer to EVAL script 1 job 8000 A1:1:write. A fails to get the
   lock: "Redis server response timeout". A is finished.
10. At 3s the faults are over; a new client, B, now tries to get the lock within 10s. B starts. B
    tries to acquire the lock job. B sends EVAL script 1 job 8000 B1:1:write to redis-1.
11. At 3s redis-1 carries out the EVAL script 1 job 8000 B1:1:write of B and answers 14000.
12. At 3s B gets its answer: 14000. B does not get the lock: "tryLock: false".
13. At 8s B tries to acquire the lock job. B sends EVAL script 1 job 8000 B1:1:write to redis-1.
14. At 8s redis-1 carries out the EVAL script 1 job 8000 B1:1:write of B and answers 9000.
15. At 8s B gets its answer: 9000. B does not get the lock: "tryLock: false".
16. At 13s B tries to acquire the lock job. B sends EVAL script 1 job 8000 B1:1:write to redis-1.
17. At 13s redis-1 carries out the EVAL script 1 job 8000 B1:1:write of B and answers 4000.
18. At 13s B gets its answer: 4000. B does not get the lock: "tryLock: false". B is finished.
19. At 13s the run is over.

  why     A new client, B, tried for 10s after the last fault and was not granted the lock: the key
          that A wrote at 2s still stands and expires at 17s. (steps 7 and 19)
  code    algorithms/redisson_rw.cpp:153 sends EVAL script 1 job 8000 A1:1:write (step 7)
