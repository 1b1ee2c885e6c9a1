✘ setnx-del-recovery × slow-section: owner-only-release is violated
  2 clients · ttl 4s · 15 steps, and 4 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000004000 to redis-1.
2. At 0ms redis-1 carries out the SETNX job 1700000004000 of A and answers 1. A's command creates
   the key job with "1700000004000", without an expiry.
3. At 0ms A gets its answer: 1. A believes that it holds the lock, until 4s. A works under the lock
   for 1s.
4. At 1s the work of A under the lock will take too long.
5. At 5s B starts. B tries to acquire the lock job. B sends SETNX job 1700000009000 to redis-1.
6. At 5s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends DEL job to redis-1.
7. At 5s redis-1 carries out the SETNX job 1700000009000 of B and answers 0.
8. At 5s B gets its answer: 0. B sends GET job to redis-1.
9. At 5s redis-1 carries out the GET job of B and answers 1700000004000.
10. At 5s B gets its answer: 1700000004000. B sends DEL job to redis-1.
11. At 5s redis-1 carries out the DEL job of B and answers 1. B's command removes the key job, set
    by A.
12. At 5s B gets its answer: 1. B sends SETNX job 1700000009000 to redis-1.
13. At 5s redis-1 carries out the SETNX job 1700000009000 of B and answers 1. B's command creates
    the key job with "1700000009000", without an expiry.
14. At 5s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, set
    by B.
15. At 5s B gets its answer: 1. B believes that it holds the lock, until 9s. B works under the lock
    for 1s.

  why     At 5s a command of A removed the key that B had written; at 5s B was granted the lock all
          the same. (steps 14 and 15)
  code    algorithms/setnx_del_recovery.cpp:39 sends DEL job (step 14)
  code    algorithms/setnx_del_recovery.cpp:32 sends SETNX job 1700000009000 (step 15)
