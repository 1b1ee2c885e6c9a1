✘ redbeat × pause: owner-only-change is violated
  2 clients · ttl 5s · blocking no · extend pexpire · 21 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 5000 NX to redis-1.
3. At 0ms redis-1 carries out the SET job A1 PX 5000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 5s.
4. At 0ms A gets its answer: OK. A sends PEXPIRE job 5000 to redis-1.
5. At 0ms redis-1 carries out the PEXPIRE job 5000 of A and answers 1. A's command changes the
   expiry of the key job, its own; it is now alive until 5s.
6. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 12s.
7. At 1s A is stopped in the middle of what it does.
11. At 5.001s the key job, set by A, expires.
14. At 8s B starts. B tries to acquire the lock job. B sends SET job B1 PX 5000 NX to redis-1.
15. At 8s A goes on, as if the last 7s had not passed.
16. At 8s A sends PEXPIRE job 5000 to redis-1.
17. At 8s redis-1 carries out the SET job B1 PX 5000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 13s.
18. At 8s redis-1 carries out the PEXPIRE job 5000 of A and answers 1. A's command changes the
    expiry of the key job, set by B; it is now alive until 13s.
19. At 8s B gets its answer: OK. B sends PEXPIRE job 5000 to redis-1.
20. At 8s redis-1 carries out the PEXPIRE job 5000 of B and answers 1. B's command changes the
    expiry of the key job, its own; it is now alive until 13s.
21. At 8s B gets its answer: 1. B believes that it holds the lock. B works under the lock for 6s.

  why     At 8s a command of A changed the key that B had written; at 8s B was granted the lock all
          the same. (steps 18 and 21)
  code    algorithms/redbeat.cpp:100 sends PEXPIRE job 5000 (step 18)
