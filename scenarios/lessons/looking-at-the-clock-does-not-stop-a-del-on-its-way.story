✘ redis-objects × late-request: owner-only-release is violated
  2 clients · ttl 3s · timeout 0s · 13 steps, and 3 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000004.0 to redis-1.
2. At 0ms redis-1 carries out the SETNX job 1700000004.0 of A and answers 1. A's command creates the
   key job with "1700000004.0", without an expiry.
3. At 1s A gets its answer: 1. A believes that it holds the lock, until 4s. A works under the lock
   for 1s.
4. At 2s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends DEL job to redis-1.
5. At 2s the DEL job of A will arrive late.
6. At 5s B starts. B tries to acquire the lock job. B sends SETNX job 1700000009.0 to redis-1.
7. At 5s redis-1 carries out the SETNX job 1700000009.0 of B and answers 0.
8. At 5s B gets its answer: 0. B sends GET job to redis-1.
9. At 5s redis-1 carries out the GET job of B and answers 1700000004.0.
10. At 5s B gets its answer: 1700000004.0. B sends GETSET job 1700000009.0 to redis-1.
11. At 5s redis-1 carries out the GETSET job 1700000009.0 of B and answers 1700000004.0. B's command
    overwrites the key job, set by A, with "1700000009.0", without an expiry.
12. At 5s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, set
    by B.
13. At 5s B gets its answer: 1700000004.0. B believes that it holds the lock, until 9s. B works
    under the lock for 1s.

  why     At 5s a command of A removed the key that B had written; at 5s B was granted the lock all
          the same. (steps 12 and 13)
  code    algorithms/redis_objects.cpp:46 sends DEL job (step 12)
  code    algorithms/redis_objects.cpp:33 sends GETSET job 1700000009.0 (step 13)
