✘ redsync × none: livelock is violated
  2 clients · ttl 8s · nodes 2 · blocking no · 36 steps, and 1 in which only time passes, the last
  18 for ever

1. At 0ms A starts. A tries to acquire the lock job. A sends SET job A10001 NX PX 8000 to redis-1. A
   sends SET job A10001 NX PX 8000 to redis-2.
2. At 0ms B starts. B tries to acquire the lock job. B sends SET job B10001 NX PX 8000 to redis-1. B
   sends SET job B10001 NX PX 8000 to redis-2.
3. At 0ms redis-1 carries out the SET job A10001 NX PX 8000 of A and answers OK. A's command creates
   the key job with "A10001", alive until 8s.
4. At 0ms redis-2 carries out the SET job B10001 NX PX 8000 of B and answers OK. B's command creates
   the key job with "B10001", alive until 8s.
5. At 0ms A gets its answer: OK.
6. At 0ms B gets its answer: OK.
7. At 1s redis-2 carries out the SET job A10001 NX PX 8000 of A and answers nil.
8. At 1s redis-1 carries out the SET job B10001 NX PX 8000 of B and answers nil.
9. At 2s A gets its answer: nil. A sends EVAL "delete if mine" 1 job A10001 to redis-1. A sends EVAL
   "delete if mine" 1 job A10001 to redis-2.
10. At 2s B gets its answer: nil. B sends EVAL "delete if mine" 1 job B10001 to redis-1. B sends
    EVAL "delete if mine" 1 job B10001 to redis-2.
11. At 2s redis-1 carries out the EVAL "delete if mine" 1 job A10001 of A and answers 1. A's command
    removes the key job, its own.
12. At 2s redis-2 carries out the EVAL "delete if mine" 1 job B10001 of B and answers 1. B's command
    removes the key job, its own.
13. At 2s A gets its answer: 1.
14. At 2s B gets its answer: 1.
15. At 3s redis-2 carries out the EVAL "delete if mine" 1 job A10001 of A and answers -1.
16. At 3s redis-1 carries out the EVAL "delete if mine" 1 job B10001 of B and answers -1.
17. At 4s A gets its answer: -1. A does not get the lock: "lock already taken".
18. At 4s B gets its answer: -1. B does not get the lock: "lock already taken".
Then for ever:
19. At 5s A tries to acquire the lock job. A sends SET job A10002 NX PX 8000 to redis-1. A sends SET
    job A10002 NX PX 8000 to redis-2.
20. At 5s B tries to acquire the lock job. B sends SET job B10002 NX PX 8000 to redis-1. B sends SET
    job B10002 NX PX 8000 to redis-2.
21. At 5s redis-1 carries out the SET job A10002 NX PX 8000 of A and answers OK. A's command creates
    the key job with "A10002", alive until 13s.
22. At 5s redis-2 carries out the SET job B10002 NX PX 8000 of B and answers OK. B's command creates
    the key job with "B10002", alive until 13s.
23. At 5s A gets its answer: OK.
24. At 5s B gets its answer: OK.
25. At 6s redis-2 carries out the SET job A10002 NX PX 8000 of A and answers nil.
26. At 6s redis-1 carries out the SET job B10002 NX PX 8000 of B and answers nil.
27. At 7s A gets its answer: nil. A sends EVAL "delete if mine" 1 job A10002 to redis-1. A sends
    EVAL "delete if mine" 1 job A10002 to redis-2.
28. At 7s B gets its answer: nil. B sends EVAL "delete if mine" 1 job B10002 to redis-1. B sends
    EVAL "delete if mine" 1 job B10002 to redis-2.
29. At 7s redis-1 carries out the EVAL "delete if mine" 1 job A10002 of A and answers 1. A's command
    removes the key job, its own.
30. At 7s redis-2 carries out the EVAL "delete if mine" 1 job B10002 of B and answers 1. B's command
    removes the key job, its own.
31. At 7s A gets its answer: 1.
32. At 7s B gets its answer: 1.
33. At 8s redis-2 carries out the EVAL "delete if mine" 1 job A10002 of A and answers -1.
34. At 8s redis-1 carries out the EVAL "delete if mine" 1 job B10002 of B and answers -1.
35. At 9s A gets its answer: -1. A does not get the lock: "lock already taken".
36. At 9s B gets its answer: -1. B does not get the lock: "lock already taken".

  then    for ever: steps 19 to 36 again
  why     A waits and keeps asking, nobody is granted the lock, and after 5s everything is as it was
          after step 18: so it goes on for ever, for nothing that may happen leads to a grant.
          (steps 19 and 36)
  code    algorithms/redsync.cpp:61 sends SET job A10002 NX PX 8000 (step 19)
  code    algorithms/redsync.cpp:69 sends EVAL "delete if mine" 1 job B10002 (step 36)
