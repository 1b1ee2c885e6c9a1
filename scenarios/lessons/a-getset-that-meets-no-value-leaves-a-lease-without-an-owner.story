✘ getset × none: recovery is violated
  2 clients · ttl 6s · 34 steps, and 2 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1700000006000 to redis-1.
2. At 1s redis-1 carries out the SETNX job 1700000006000 of A and answers 1. A's command creates the
   key job with "1700000006000", without an expiry.
3. At 1s A gets its answer: 1. A believes that it holds the lock, until 6s. A works under the lock
   for 6s.
4. At 7s B starts. B tries to acquire the lock job. B sends SETNX job 1700000013000 to redis-1.
5. At 7s redis-1 carries out the SETNX job 1700000013000 of B and answers 0.
6. At 7s B gets its answer: 0. B sends GET job to redis-1.
7. At 7s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends DEL job to redis-1.
8. At 7s redis-1 carries out the GET job of B and answers 1700000006000.
9. At 7s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, its
   own.
10. At 7s B gets its answer: 1700000006000. B sends GETSET job 1700000013000 to redis-1.
11. At 7s A gets its answer: 1. A reports that it has released the lock. A is finished.
12. At 7s redis-1 carries out the GETSET job 1700000013000 of B and answers nil. B's command creates
    the key job with "1700000013000", without an expiry.
13. At 7s B gets its answer: nil. B leaves what it wrote where it keeps the others out. B does not
    get the lock: "lock is taken by others." B is finished.
14. At 7s the faults are over; a new client, C, now tries to get the lock within 3s. C starts. C
    tries to acquire the lock job. C sends SETNX job 1700000013000 to redis-1.
15. At 7s redis-1 carries out the SETNX job 1700000013000 of C and answers 0.
16. At 7s C gets its answer: 0. C sends GET job to redis-1.
17. At 7s redis-1 carries out the GET job of C and answers 1700000013000.
18. At 7s C gets its answer: 1700000013000. C does not get the lock: "lock is not expired."
19. At 8s C tries to acquire the lock job. C sends SETNX job 1700000014000 to redis-1.
20. At 8s redis-1 carries out the SETNX job 1700000014000 of C and answers 0.
21. At 8s C gets its answer: 0. C sends GET job to redis-1.
22. At 8s redis-1 carries out the GET job of C and answers 1700000013000.
23. At 8s C gets its answer: 1700000013000. C does not get the lock: "lock is not expired."
24. At 9s C tries to acquire the lock job. C sends SETNX job 1700000015000 to redis-1.
25. At 9s redis-1 carries out the SETNX job 1700000015000 of C and answers 0.
26. At 9s C gets its answer: 0. C sends GET job to redis-1.
27. At 9s redis-1 carries out the GET job of C and answers 1700000013000.
28. At 9s C gets its answer: 1700000013000. C does not get the lock: "lock is not expired."
29. At 10s C tries to acquire the lock job. C sends SETNX job 1700000016000 to redis-1.
30. At 10s redis-1 carries out the SETNX job 1700000016000 of C and answers 0.
31. At 10s C gets its answer: 0. C sends GET job to redis-1.
32. At 10s redis-1 carries out the GET job of C and answers 1700000013000.
33. At 10s C gets its answer: 1700000013000. C does not get the lock: "lock is not expired." C is
    finished.
34. At 10s the run is over.

  why     A new client, C, tried for 3s after the last fault and was not granted the lock: the key
          that B wrote at 7s still stands and has no expiry. (steps 12 and 34)
  code    algorithms/getset.cpp:32 sends GETSET job 1700000013000 (step 12)
  code    algorithms/getset.cpp:24 sends GET job (step 34)
