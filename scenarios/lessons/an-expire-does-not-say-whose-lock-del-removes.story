✘ setnx-expire × slow-section: owner-only-release is violated
  2 clients · ttl 4s · 21 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1234 to redis-1.
3. At 0ms B starts. B tries to acquire the lock job. B sends SETNX job 1234 to redis-1.
4. At 0ms redis-1 carries out the SETNX job 1234 of A and answers 1. A's command creates the key job
   with "1234", without an expiry.
5. At 0ms redis-1 carries out the SETNX job 1234 of B and answers 0.
6. At 0ms A gets its answer: 1. A sends EXPIRE job 4 to redis-1.
7. At 0ms redis-1 carries out the EXPIRE job 4 of A and answers 1. A's command changes the expiry of
   the key job, its own; it is now alive until 4s.
9. At 1s B gets its answer: 0. B does not get the lock: "lock already exists."
10. At 1s A gets its answer: 1. A believes that it holds the lock. A works under the lock for 1s.
11. At 2s the work of A under the lock will take too long.
14. At 4s B tries to acquire the lock job. B sends SETNX job 1234 to redis-1.
15. At 4s A writes to the guarded resource. A begins to release the lock and no longer believes that
    it holds it. A sends DEL job to redis-1.
16. At 4.001s the key job, set by A, expires.
17. At 5s redis-1 carries out the SETNX job 1234 of B and answers 1. B's command creates the key job
    with "1234", without an expiry.
18. At 5s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, set
    by B.
19. At 5s B gets its answer: 1. B sends EXPIRE job 4 to redis-1.
20. At 5s redis-1 carries out the EXPIRE job 4 of B and answers 0.
21. At 5s B gets its answer: 0. B believes that it holds the lock. B works under the lock for 1s.

  why     At 5s a command of A removed the key that B had written; at 5s B was granted the lock all
          the same. (steps 18 and 21)
  code    algorithms/setnx_expire.cpp:36 sends DEL job (step 18)
  code    algorithms/setnx_expire.cpp:20 sends EXPIRE job 4 (step 21)
