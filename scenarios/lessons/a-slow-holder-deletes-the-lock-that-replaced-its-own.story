✘ setnx-del-recovery × slow-section: owner-only-release is violated
  2 clients · ttl 4s · 23 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000004000 to redis-1.
3. At 0ms B starts. B tries to acquire the lock job. B sends SETNX job 1700000004000 to redis-1.
4. At 0ms redis-1 carries out the SETNX job 1700000004000 of A and answers 1. A's command creates
   the key job with "1700000004000", without an expiry.
5. At 0ms redis-1 carries out the SETNX job 1700000004000 of B and answers 0.
6. At 0ms A gets its answer: 1. A believes that it holds the lock, until 4s. The work of A under the
   lock will take too long. A works under the lock for 9s.
7. At 0ms B gets its answer: 0. B sends GET job to redis-1.
8. At 0ms redis-1 carries out the GET job of B and answers 1700000004000.
9. At 0ms B gets its answer: 1700000004000. B does not get the lock: "lock is not expired."
10. At 5s B tries to acquire the lock job. B sends SETNX job 1700000009000 to redis-1.
11. At 5s redis-1 carries out the SETNX job 1700000009000 of B and answers 0.
12. At 5s B gets its answer: 0. B sends GET job to redis-1.
13. At 5s redis-1 carries out the GET job of B and answers 1700000004000.
14. At 5s B gets its answer: 1700000004000. B sends DEL job to redis-1.
15. At 5s redis-1 carries out the DEL job of B and answers 1. B's command removes the key job, set
    by A.
17. At 6s B gets its answer: 1. B sends SETNX job 1700000010000 to redis-1.
19. At 7s redis-1 carries out the SETNX job 1700000010000 of B and answers 1. B's command creates
    the key job with "1700000010000", without an expiry.
21. At 8s B gets its answer: 1. B believes that it holds the lock, until 10s. B works under the lock
    for 1s.
22. At 9s A writes to the guarded resource. A begins to release the lock and no longer believes that
    it holds it. A sends DEL job to redis-1.
23. At 9s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, set
    by B.

  why     At 9s a command of A removed the key of the lock that B was granted at 8s and still holds.
          (steps 21 and 23)
  code    algorithms/setnx_del_recovery.cpp:32 sends SETNX job 1700000010000 (step 21)
  code    algorithms/setnx_del_recovery.cpp:39 sends DEL job (step 23)
