✘ getset × none: recovery is violated
  2 clients · ttl 6s · 36 steps

2. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000006000 to redis-1.
4. At 1s redis-1 carries out the SETNX job 1700000006000 of A and answers 1. A's command creates the
   key job with "1700000006000", without an expiry.
5. At 1s A gets its answer: 1. A believes that it holds the lock, until 6s. A works under the lock
   for 6s.
6. At 7s B starts. B tries to acquire the lock job. B sends SETNX job 1700000013000 to redis-1.
7. At 7s redis-1 carries out the SETNX job 1700000013000 of B and answers 0.
8. At 7s B gets its answer: 0. B sends GET job to redis-1.
9. At 7s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends DEL job to redis-1.
10. At 7s redis-1 carries out the GET job of B and answers 1700000006000.
11. At 7s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, its
    own.
12. At 7s B gets its answer: 1700000006000. B sends GETSET job 1700000013000 to redis-1.
13. At 7s A gets its answer: 1. A reports that it has released the lock. A is finished.
14. At 7s redis-1 carries out the GETSET job 1700000013000 of B and answers nil. B's command creates
    the key job with "1700000013000", without an expiry.
15. At 7s B gets its answer: nil. B does not get the lock: "lock is taken by others." B is finished.
16. At 7s the faults are over; a new client, C, now tries to get the lock within 3s. C starts. C
    tries to acquire the lock job. C sends SETNX job 1700000013000 to redis-1.
17. At 7s redis-1 carries out the SETNX job 1700000013000 of C and answers 0.
18. At 7s C gets its answer: 0. C sends GET job to redis-1.
19. At 7s redis-1 carries out the GET job of C and answers 1700000013000.
20. At 7s C gets its answer: 1700000013000. C does not get the lock: "lock is not expired."
21. At 8s C tries to acquire the lock job. C sends SETNX job 1700000014000 to redis-1.
22. At 8s redis-1 carries out the SETNX job 1700000014000 of C and answers 0.
23. At 8s C gets its answer: 0. C sends GET job to redis-1.
24. At 8s redis-1 carries out the GET job of C and answers 1700000013000.
25. At 8s C gets its answer: 1700000013000. C does not get the lock: "lock is not expired."
26. At 9s C tries to acquire the lock job. C sends SETNX job 1700000015000 to redis-1.
27. At 9s redis-1 carries out the SETNX job 1700000015000 of C and answers 0.
28. At 9s C gets its answer: 0. C sends GET job to redis-1.
29. At 9s redis-1 carries out the GET job of C and answers 1700000013000.
30. At 9s C gets its answer: 1700000013000. C does not get the lock: "lock is not expired."
31. At 10s C tries to acquire the lock job. C sends SETNX job 1700000016000 to redis-1.
32. At 10s redis-1 carries out the SETNX job 1700000016000 of C and answers 0.
33. At 10s C gets its answer: 0. C sends GET job to redis-1.
34. At 10s redis-1 carries out the GET job of C and answers 1700000013000.
35. At 10s C gets its answer: 1700000013000. C does not get the lock: "lock is not expired." C is
    finished.
36. At 10s the run is over.

  why     A new client, C, tried for 3s after the last fault and was not granted the lock: the key
          that B wrote at 7s still stands and has no expiry. (steps 14 and 36)
  code    algorithms/getset.cpp:32 sends GETSET job 1700000013000 (step 14)
  code    algorithms/getset.cpp:24 sends GET job (step 36)
