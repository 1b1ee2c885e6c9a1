✘ setnx-del-recovery × slow-section: owner-only-release is violated
  2 clients · ttl 4s · 25 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000004000 to redis-1.
3. At 0ms B starts. B tries to acquire the lock job. B sends SETNX job 1700000004000 to redis-1.
4. At 0ms redis-1 carries out the SETNX job 1700000004000 of A and answers 1. A's command creates
   the key job with "1700000004000", without an expiry.
5. At 0ms redis-1 carries out the SETNX job 1700000004000 of B and answers 0.
6. At 0ms A gets its answer: 1. A believes that it holds the lock, until 4s. A works under the lock
   for 1s.
7. At 0ms B gets its answer: 0. B sends GET job to redis-1.
8. At 0ms redis-1 carries out the GET job of B and answers 1700000004000.
9. At 0ms B gets its answer: 1700000004000. B does not get the lock: "lock is not expired."
10. At 1s B tries to acquire the lock job. B sends SETNX job 1700000005000 to redis-1.
11. At 1s the work of A under the lock will take too long.
13. At 2s redis-1 carries out the SETNX job 1700000005000 of B and answers 0.
15. At 3s B gets its answer: 0. B sends GET job to redis-1.
17. At 4s A writes to the guarded resource. A begins to release the lock and no longer believes that
    it holds it. A sends DEL job to redis-1.
18. At 4s redis-1 carries out the GET job of B and answers 1700000004000.
20. At 5s B gets its answer: 1700000004000. B sends DEL job to redis-1.
21. At 5s redis-1 carries out the DEL job of B and answers 1. B's command removes the key job, set
    by A.
22. At 5s B gets its answer: 1. B sends SETNX job 1700000009000 to redis-1.
23. At 5s redis-1 carries out the SETNX job 1700000009000 of B and answers 1. B's command creates
    the key job with "1700000009000", without an expiry.
24. At 5s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, set
    by B.
25. At 5s B gets its answer: 1. B believes that it holds the lock, until 9s. B works under the lock
    for 1s.

  why     At 5s a command of A removed the key that B had written; at 5s B was granted the lock all
          the same. (steps 24 and 25)
  code    algorithms/setnx_del_recovery.cpp:39 sends DEL job (step 24)
  code    algorithms/setnx_del_recovery.cpp:32 sends SETNX job 1700000009000 (step 25)
