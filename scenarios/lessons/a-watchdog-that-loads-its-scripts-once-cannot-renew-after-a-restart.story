✘ token-watchdog × restart: mutual-exclusion is violated
  2 clients · ttl 3s · scripts loaded-once · 31 steps, and 4 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SCRIPT LOAD "extend if mine" to
   redis-1.
2. At 0ms redis-1 carries out the SCRIPT LOAD "extend if mine" of A and answers
   3c47f94dc28d90f47ce03eabe2ebe59e85e54bf1.
3. At 0ms A gets its answer: 3c47f94dc28d90f47ce03eabe2ebe59e85e54bf1. A sends SCRIPT LOAD "delete
   if mine" to redis-1.
4. At 0ms redis-1 carries out the SCRIPT LOAD "delete if mine" of A and answers
   d02e481a9c91ceec59c5822a58a49d5d5d7ac80b.
5. At 0ms A gets its answer: d02e481a9c91ceec59c5822a58a49d5d5d7ac80b. A sends SET job A1 PX 3000 NX
   to redis-1.
6. At 0ms redis-1 carries out the SET job A1 PX 3000 NX of A and answers OK. A's command creates the
   key job with "A1", alive until 3s.
7. At 0ms A gets its answer: OK. A believes that it holds the lock. A works under the lock for 7s.
8. At 1s A sends EVALSHA digest 1 job A1 3000 to redis-1.
9. At 1s redis-1 carries out the EVALSHA digest 1 job A1 3000 of A and answers 1. A's command
   changes the expiry of the key job, its own; it is now alive until 4s.
10. At 1s A gets its answer: 1.
11. At 2s B starts. B tries to acquire the lock job. B sends SCRIPT LOAD "extend if mine" to
    redis-1.
12. At 2s A sends EVALSHA digest 1 job A1 3000 to redis-1.
13. At 2s redis-1 carries out the SCRIPT LOAD "extend if mine" of B and answers
    3c47f94dc28d90f47ce03eabe2ebe59e85e54bf1.
14. At 2s B gets its answer: 3c47f94dc28d90f47ce03eabe2ebe59e85e54bf1. B sends SCRIPT LOAD "delete
    if mine" to redis-1.
15. At 2s redis-1 carries out the SCRIPT LOAD "delete if mine" of B and answers
    d02e481a9c91ceec59c5822a58a49d5d5d7ac80b.
16. At 2s B gets its answer: d02e481a9c91ceec59c5822a58a49d5d5d7ac80b. B sends SET job B1 PX 3000 NX
    to redis-1.
17. At 2s redis-1 carries out the SET job B1 PX 3000 NX of B and answers nil.
18. At 2s B gets its answer: nil. B does not get the lock: "lock already exists."
19. At 2s redis-1 restarts and still has its data.
20. At 2s redis-1 carries out the EVALSHA digest 1 job A1 3000 of A and answers error NOSCRIPT No
    matching script. Please use EVAL..
21. At 2s A gets its answer: error NOSCRIPT No matching script. Please use EVAL..
22. At 3s A sends EVALSHA digest 1 job A1 3000 to redis-1.
23. At 3s redis-1 carries out the EVALSHA digest 1 job A1 3000 of A and answers error NOSCRIPT No
    matching script. Please use EVAL..
24. At 3s A gets its answer: error NOSCRIPT No matching script. Please use EVAL..
25. At 4s A sends EVALSHA digest 1 job A1 3000 to redis-1.
26. At 4s redis-1 carries out the EVALSHA digest 1 job A1 3000 of A and answers error NOSCRIPT No
    matching script. Please use EVAL..
27. At 4s A gets its answer: error NOSCRIPT No matching script. Please use EVAL..
28. At 4.001s the key job, set by A, expires.
29. At 5s B tries to acquire the lock job. B sends SET job B2 PX 3000 NX to redis-1.
30. At 5s redis-1 carries out the SET job B2 PX 3000 NX of B and answers OK. B's command creates the
    key job with "B2", alive until 8s.
31. At 5s B gets its answer: OK. B believes that it holds the lock. B works under the lock for 1s.

  why     At 5s B was granted the lock while A, granted at 0ms, still believes that it holds it: A
          has neither released it nor noticed a loss; its key expired at 4.001s. (steps 7 and 31)
  code    algorithms/token_watchdog.cpp:34 sends SET job A1 PX 3000 NX (step 7)
