✘ setnx × lost-reply: recovery is violated
  2 clients · 23 steps, and 1 in which only time passes

1. At 0ms A starts. A tries to acquire the lock job. A sends SETNX job 1 to redis-1.
2. At 0ms B starts. B tries to acquire the lock job. B sends SETNX job 1 to redis-1.
3. At 0ms redis-1 carries out the SETNX job 1 of A and answers 1. A's command creates the key job
   with "1", without an expiry.
4. At 0ms redis-1 carries out the SETNX job 1 of B and answers 0.
5. At 0ms A gets its answer: 1. A believes that it holds the lock. A works under the lock for 1s.
6. At 0ms B gets its answer: 0. B does not get the lock: "lock already exists."
7. At 1s A writes to the guarded resource. A begins to release the lock and no longer believes that
   it holds it. A sends DEL job to redis-1.
8. At 1s B tries to acquire the lock job. B sends SETNX job 1 to redis-1.
9. At 1s redis-1 carries out the DEL job of A and answers 1. A's command removes the key job, its
   own.
10. At 1s redis-1 carries out the SETNX job 1 of B and answers 1. B's command creates the key job
    with "1", without an expiry.
11. At 1s A gets its answer: 1. A reports that it has released the lock. A is finished.
12. At 1s the answer to the SETNX job 1 of B is lost on its way.
13. At 4s B stops waiting for the answer to SETNX job 1. B fails to get the lock: "failed to setnx
    lock: timeout". B is finished.
14. At 4s the faults are over; a new client, C, now tries to get the lock within 10s. C starts. C
    tries to acquire the lock job. C sends SETNX job 1 to redis-1.
15. At 4s redis-1 carries out the SETNX job 1 of C and answers 0.
16. At 4s C gets its answer: 0. C does not get the lock: "lock already exists."
17. At 9s C tries to acquire the lock job. C sends SETNX job 1 to redis-1.
18. At 9s redis-1 carries out the SETNX job 1 of C and answers 0.
19. At 9s C gets its answer: 0. C does not get the lock: "lock already exists."
20. At 14s C tries to acquire the lock job. C sends SETNX job 1 to redis-1.
21. At 14s redis-1 carries out the SETNX job 1 of C and answers 0.
22. At 14s C gets its answer: 0. C does not get the lock: "lock already exists." C is finished.
23. At 14s the run is over.

  why     A new client, C, tried for 10s after the last fault and was not granted the lock: the key
          that B wrote at 1s still stands and has no expiry. (steps 10 and 23)
  code    algorithms/setnx.cpp:14 sends SETNX job 1 (step 10)
