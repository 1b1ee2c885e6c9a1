✘ redbeat × pause: owner-only-change is violated
  2 clients · ttl 5s · blocking no · extend pexpire · 15 steps, and 6 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A1 PX 5000 NX to redis-1.
2. At 0ms redis-1 carries out the SET job A1 PX 5000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 5s.
3. At 0ms A gets its answer: OK. A sends PEXPIRE job 5000 to redis-1.
4. At 0ms redis-1 carries out the PEXPIRE job 5000 of A and answers 1. A's command changes the
   expiry of the key job, its own; it is now alive until 5s.
5. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 12s.
6. At 1s A is stopped in the middle of what it does.
7. At 5.001s the key job, set by A, expires.
8. At 8s B starts. B tries to acquire the lock job. B sends SET job B1 PX 5000 NX to redis-1.
9. At 8s A goes on, as if the last 7s had not passed.
10. At 8s A sends PEXPIRE job 5000 to redis-1.
11. At 8s redis-1 carries out the SET job B1 PX 5000 NX of B and answers OK. B's command creates the
    key job with "B1", alive until 13s.
12. At 8s redis-1 carries out the PEXPIRE job 5000 of A and answers 1. A's command changes the
    expiry of the key job, set by B; it is now alive until 13s.
13. At 8s B gets its answer: OK. B sends PEXPIRE job 5000 to redis-1.
14. At 8s redis-1 carries out the PEXPIRE job 5000 of B and answers 1. B's command changes the
    expiry of the key job, its own; it is now alive until 13s.
15. At 8s B gets its answer: 1. B believes that it holds the lock. B works under the lock for 6s.

  why     At 8s a command of A changed the key that B had written; at 8s B was granted the lock all
          the same. (steps 12 and 15)
  code    algorithms/redbeat.cpp:104 sends PEXPIRE job 5000 (step 12)
